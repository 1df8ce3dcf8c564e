package core_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const one = "toy_thing.one"

func parts(texts map[string]string) core.Object {
	parts := core.Object{}
	for key, text := range texts {
		parts[key] = core.Object{"text": text}
	}
	return parts
}

func TestLifeOfAResource(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "weight": 0.1, "parts": parts(map[string]string{"a": "A"})})

	plan := w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Create)
	check.Equal[any](t, "planned id", plan.Change(one).After["id"], core.Unknown)
	check.Equal[any](t, "planned part", core.Lookup(plan.Change(one).After, `parts["a"].id`), core.Unknown)
	check.Equal(t, "state after a plan", w.State(one), core.Object(nil))

	w.Apply().Must()
	check.Equal(t, "state", w.State(one), core.Object{
		"id":      "t1",
		"name":    "n",
		"label":   "made",
		"secret":  nil,
		"weight":  0.1,
		"options": nil,
		"rows":    nil,
		"marks":   nil,
		"parts":   core.Object{"a": core.Object{"text": "A", "note": nil, "id": "p2"}},
	})
	check.Equal(t, "identity", w.Identity(one), core.Object{"id": "t1"})
	w.Plan().WantEmpty()

	w.Resource(one, core.Object{"name": "n", "weight": 0.1, "parts": parts(map[string]string{"a": "A", "b": "B"})})
	plan = w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Update)
	check.Equal(t, "label", plan.Change(one).After["label"], "made")
	check.Equal[any](t, "the new part", core.Lookup(plan.Change(one).After, `parts["b"].id`), core.Unknown)
	toy.only()
	result := w.ApplyPlan(plan).Must()
	check.Equal(t, "changed", result.Changed, []string{one})
	check.Equal(t, "calls", toy.only("create", "update", "delete", "read"), []string{"update t1"})
	w.Plan().WantEmpty()
	check.Equal(t, "private state", toy.only("read"), []string{"read t1 updated"})

	w.Resource(one, core.Object{"name": "other"})
	plan = w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Replace)
	check.Equal(t, "reason", plan.Change(one).Replaces, []string{"name"})
	toy.only()
	w.Apply().Must()
	check.Equal(t, "calls", toy.only("create", "update", "delete"), []string{"delete t1", "create t5 other"})

	w.Destroy().Must()
	check.Equal(t, "addresses", w.Addresses(), []string{})
	check.Equal(t, "service", len(toy.things), 0)
	w.Destroy().Must()
}

func TestEachWalkHasItsOwnProvider(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Validate()
	check.Equal(t, "configured to validate", toy.count("configure"), 0)
	w.Plan()
	check.Equal(t, "configured to plan", toy.count("configure"), 1)
	w.Apply()
	check.Equal(t, "configured to apply", toy.count("configure"), 3)
	w.Destroy()
	check.Equal(t, "configured to destroy", toy.count("configure"), 6)

	w.Provider(core.Object{"region": "nowhere"})
	diagnostics := w.Plan().Diagnostics.Errors()
	check.Equal(t, "error", len(diagnostics.Find("No Such Region").At("region")), 1)
	check.Equal(t, "errors of an apply", len(w.Apply().Diagnostics.Errors()), 1)
}

func TestUnknownUntilApply(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Provider(core.Object{"region": core.UnknownUntilApply("south")})
	w.Resource(
		one,
		core.Object{
			"name":  core.UnknownUntilApply("n"),
			"parts": core.UnknownUntilApply(parts(map[string]string{"a": "A"})),
		},
	)
	plan := w.Plan().Must()
	check.Equal[any](t, "name", plan.Change(one).After["name"], core.Unknown)
	check.Equal[any](t, "parts", plan.Change(one).After["parts"], core.Unknown)
	w.ApplyPlan(plan).Must()
	check.Equal(t, "name", w.Value(one, "name"), "n")
	check.Equal(t, "regions", toy.only("configure"), []string{"configure <unknown>", `configure "south"`})
	w.Plan().WantEmpty()

	w.Resource(two, core.Object{"name": core.Unknown})
	check.Equal(t, "error", len(w.Apply().Diagnostics.Errors().Find("Configuration contains unknown value")), 1)
}

func TestAnUpdateThatTurnsOutToBeNone(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "l"})
	w.Apply().Must()
	toy.only()
	w.Resource(one, core.Object{"name": "n", "label": core.UnknownUntilApply("l")})
	check.Equal(t, "action", w.Plan().Action(one), core.Update)
	w.Apply().Must()
	check.Equal(t, "updates", toy.only("update"), []string(nil))
}

func TestDestroyTakesWhatIsNotConfiguredAnyMore(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "1"})
	w.Resource(two, core.Object{"name": "2"})
	w.Apply().Must()
	w.Remove(one)
	plan := w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Delete)
	check.Equal(t, "the other's action", plan.Action(two), core.NoOp)
	w.ApplyPlan(plan).Must()
	check.Equal(t, "addresses", w.Addresses(), []string{two})

	w.Forget(two)
	check.Equal(t, "addresses", w.Addresses(), []string{})
	check.Equal(t, "service", len(toy.things), 1)
}

func TestRefreshFindsWhatChangedElsewhere(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "l"})
	w.Apply().Must()

	changed := toy.things["t1"]
	changed.Label = changed.Name
	toy.put(changed)
	plan := w.Plan(core.Refresh(false)).Must()
	plan.WantEmpty()
	plan = w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Update)
	check.Equal(t, "drift", plan.Drifted, []string{one})
	w.Refresh().Must()
	check.Equal(t, "label", w.Value(one, "label"), "n")

	toy.remove("t1")
	check.Equal(t, "action", w.Plan().Must().Action(one), core.Create)
	w.Refresh().Must()
	check.Equal(t, "state", w.State(one), core.Object(nil))
}

func TestSavedPlanOfAnOldStateIsRefused(t *testing.T) {
	t.Parallel()
	_, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	plan := w.Plan().Must()
	w.ApplyPlan(plan).Must()
	check.Equal(t, "errors", len(w.ApplyPlan(plan).Diagnostics.Errors().Find("Saved plan is stale")), 1)
}

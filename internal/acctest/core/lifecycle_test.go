package core_test

import (
	"reflect"
	"testing"

	"go.uber.org/goleak"

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

func want(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s is %#v, want %#v", what, got, want)
	}
}

func TestLifeOfAResource(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "weight": 0.1, "parts": parts(map[string]string{"a": "A"})})

	plan := w.Plan().Must()
	want(t, "action", plan.Action(one), core.Create)
	want(t, "planned id", plan.Change(one).After["id"], core.Unknown)
	want(t, "planned part", core.Lookup(plan.Change(one).After, `parts["a"].id`), core.Unknown)
	want(t, "state after a plan", w.State(one), core.Object(nil))

	w.Apply().Must()
	want(t, "state", w.State(one), core.Object{
		"id": "t1", "name": "n", "label": "made", "secret": nil, "weight": 0.1, "options": nil, "rows": nil, "marks": nil,
		"parts": core.Object{"a": core.Object{"text": "A", "note": nil, "id": "p2"}},
	})
	want(t, "identity", w.Identity(one), core.Object{"id": "t1"})
	w.Plan().WantEmpty()

	w.Resource(one, core.Object{"name": "n", "weight": 0.1, "parts": parts(map[string]string{"a": "A", "b": "B"})})
	plan = w.Plan().Must()
	want(t, "action", plan.Action(one), core.Update)
	want(t, "label", plan.Change(one).After["label"], "made")
	want(t, "the new part", core.Lookup(plan.Change(one).After, `parts["b"].id`), core.Unknown)
	toy.only()
	result := w.ApplyPlan(plan).Must()
	want(t, "changed", result.Changed, []string{one})
	want(t, "calls", toy.only("create", "update", "delete", "read"), []string{"update t1"})
	w.Plan().WantEmpty()
	want(t, "private state", toy.only("read"), []string{"read t1 updated"})

	w.Resource(one, core.Object{"name": "other"})
	plan = w.Plan().Must()
	want(t, "action", plan.Action(one), core.Replace)
	want(t, "reason", plan.Change(one).Replaces, []string{"name"})
	toy.only()
	w.Apply().Must()
	want(t, "calls", toy.only("create", "update", "delete"), []string{"delete t1", "create t5 other"})

	w.Destroy().Must()
	want(t, "addresses", w.Addresses(), []string{})
	want(t, "service", len(toy.things), 0)
	w.Destroy().Must()
}

func TestEachWalkHasItsOwnProvider(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Validate()
	want(t, "configured to validate", toy.count("configure"), 0)
	w.Plan()
	want(t, "configured to plan", toy.count("configure"), 1)
	w.Apply()
	want(t, "configured to apply", toy.count("configure"), 3)
	w.Destroy()
	want(t, "configured to destroy", toy.count("configure"), 6)

	w.Provider(core.Object{"region": "nowhere"})
	diagnostics := w.Plan().Diagnostics.Errors()
	want(t, "error", len(diagnostics.Find("No Such Region").At("region")), 1)
	want(t, "errors of an apply", len(w.Apply().Diagnostics.Errors()), 1)
}

func TestUnknownUntilApply(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Provider(core.Object{"region": core.UnknownUntilApply("south")})
	w.Resource(one, core.Object{"name": core.UnknownUntilApply("n"), "parts": core.UnknownUntilApply(parts(map[string]string{"a": "A"}))})
	plan := w.Plan().Must()
	want(t, "name", plan.Change(one).After["name"], core.Unknown)
	want(t, "parts", plan.Change(one).After["parts"], core.Unknown)
	w.ApplyPlan(plan).Must()
	want(t, "name", w.Value(one, "name"), "n")
	want(t, "regions", toy.only("configure"), []string{"configure <unknown>", `configure "south"`})
	w.Plan().WantEmpty()

	w.Resource("toy_thing.two", core.Object{"name": core.Unknown})
	want(t, "error", len(w.Apply().Diagnostics.Errors().Find("Configuration contains unknown value")), 1)
}

func TestAnUpdateThatTurnsOutToBeNone(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "l"})
	w.Apply().Must()
	toy.only()
	w.Resource(one, core.Object{"name": "n", "label": core.UnknownUntilApply("l")})
	want(t, "action", w.Plan().Action(one), core.Update)
	w.Apply().Must()
	want(t, "updates", toy.only("update"), []string(nil))
}

func TestDestroyTakesWhatIsNotConfiguredAnyMore(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "1"})
	w.Resource("toy_thing.two", core.Object{"name": "2"})
	w.Apply().Must()
	w.Remove(one)
	plan := w.Plan().Must()
	want(t, "action", plan.Action(one), core.Delete)
	want(t, "the other's action", plan.Action("toy_thing.two"), core.NoOp)
	w.ApplyPlan(plan).Must()
	want(t, "addresses", w.Addresses(), []string{"toy_thing.two"})

	w.Forget("toy_thing.two")
	want(t, "addresses", w.Addresses(), []string{})
	want(t, "service", len(toy.things), 1)
}

func TestRefreshFindsWhatChangedElsewhere(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "l"})
	w.Apply().Must()

	changed := toy.things["t1"]
	changed.Label = changed.Name
	toy.put(changed)
	plan := w.Plan(core.Refresh(false)).Must()
	plan.WantEmpty()
	plan = w.Plan().Must()
	want(t, "action", plan.Action(one), core.Update)
	want(t, "drift", plan.Drifted, []string{one})
	w.Refresh().Must()
	want(t, "label", w.Value(one, "label"), "n")

	toy.remove("t1")
	want(t, "action", w.Plan().Must().Action(one), core.Create)
	w.Refresh().Must()
	want(t, "state", w.State(one), core.Object(nil))
}

func TestReplaceByRequest(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Apply().Must()
	want(t, "action", w.Plan(core.Replacing(one)).Must().Action(one), core.Replace)
	w.Apply(core.Replacing(one)).Must()
	want(t, "id", w.Value(one, "id"), "t2")
}

func TestSavedPlanOfAnOldStateIsRefused(t *testing.T) {
	t.Parallel()
	w := newToy().workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	plan := w.Plan().Must()
	w.ApplyPlan(plan).Must()
	want(t, "errors", len(w.ApplyPlan(plan).Diagnostics.Errors().Find("Saved plan is stale")), 1)
}

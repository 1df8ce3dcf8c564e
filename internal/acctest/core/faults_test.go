package core_test

import (
	"context"
	"math/big"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

const two = "toy_thing.two"

func TestAFailedCreateTaints(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["create"] = func(_ context.Context, response any) {
		response.(*resource.CreateResponse).Diagnostics.AddAttributeError(
			path.Root("parts").AtMapKey("a").AtName("text"),
			"No",
			"It failed.",
		)
	}
	result := w.Apply()
	check.Equal(t, "errors at the path", len(result.Diagnostics.Errors().At(`parts["a"].text`)), 1)
	check.Equal(t, "tainted", w.Tainted(one), true)
	check.Equal(t, "id", w.Value(one, "id"), "t1")

	delete(toy.hooks, "create")
	plan := w.Plan().Must()
	check.Equal(t, "action", plan.Action(one), core.Replace)
	check.Equal[any](t, "planned id", plan.Change(one).After["id"], core.Unknown)
	toy.only()
	w.Apply().Must()
	check.Equal(t, "calls", toy.only("create", "delete"), []string{"delete t1", "create t2 n"})
	check.Equal(t, "tainted", w.Tainted(one), false)
}

func TestAFailedUpdateKeepsWhatItReturned(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "old"})
	w.Apply().Must()
	toy.hooks["update"] = func(ctx context.Context, response any) {
		updated := response.(*resource.UpdateResponse)
		updated.State.SetAttribute(ctx, path.Root("label"), "half")
		updated.Diagnostics.AddError("No", "It failed.")
	}
	w.Resource(one, core.Object{"name": "n", "label": "new"})
	result := w.Apply()
	check.Equal(t, "errors", len(result.Diagnostics.Errors()), 1)
	check.Equal(t, "changed", result.Changed, []string(nil))
	check.Equal(t, "label", w.Value(one, "label"), "half")
	check.Equal(t, "tainted", w.Tainted(one), false)
}

func TestAFailedChangeHoldsUpItsDependents(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	for i, name := range []string{"first", "second", "third"} {
		options := []core.ResourceOption{}
		if i > 0 {
			options = append(options, core.DependsOn([]string{"toy_thing.first", "toy_thing.second"}[i-1]))
		}
		w.Resource("toy_thing."+name, core.Object{"name": name}, options...)
	}
	toy.createNothing()
	check.Equal(t, "errors", len(w.Apply().Diagnostics.Errors()), 1)
	check.Equal(t, "addresses", w.Addresses(), []string{})
	delete(toy.hooks, "create")
	check.Equal(
		t,
		"changed",
		w.Apply().Must().Changed,
		[]string{"toy_thing.first", "toy_thing.second", "toy_thing.third"},
	)
	w.Plan().WantEmpty() // what does not change holds nothing up
}

func TestResultsMustKeepThePlan(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "planned", "secret": "hidden"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		state := &response.(*resource.CreateResponse).State
		state.SetAttribute(ctx, path.Root("label"), "other")
		state.SetAttribute(ctx, path.Root("secret"), "leaked")
	}
	found := w.Apply().Diagnostics.Errors().Find("Provider produced inconsistent result after apply")
	check.Equal(t, "errors", len(found), 2)
	check.Equal(t, "at the label", len(found.At("label")), 1)
	text := found.String()
	check.True(
		t,
		"no sensitive value is in the message",
		!strings.Contains(text, "hidden") && !strings.Contains(text, "leaked"),
		text,
	)
	check.Equal(t, "tainted", w.Tainted(one), true)
}

func TestResultsMustBeKnown(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		response.(*resource.CreateResponse).State.SetAttribute(ctx, path.Root("label"), types.StringUnknown())
	}
	check.Equal(t, "errors", w.Apply().Diagnostics.HasErrors(), true)
	check.Equal(t, "label", w.Value(one, "label"), nil)
	check.Equal(t, "tainted", w.Tainted(one), true)
}

func TestPlansMustFollowTheConfiguration(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n", "weight": 1})
	toy.hooks["plan"] = func(ctx context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Plan.SetAttribute(
			ctx,
			path.Root("weight"),
			types.NumberValue(big.NewFloat(2)),
		)
	}
	check.Equal(t, "errors", len(w.Plan().Diagnostics.Errors().Find("Provider produced invalid plan").At("weight")), 1)
}

func TestAFinalPlanMustKeepThePlan(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	label := "first"
	toy.hooks["plan"] = func(ctx context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Plan.SetAttribute(ctx, path.Root("label"), label)
	}
	plan := w.Plan().Must()
	label = "second"
	result := w.ApplyPlan(plan)
	check.Equal(
		t,
		"errors",
		len(result.Diagnostics.Errors().Find("Provider produced inconsistent final plan").At("label")),
		1,
	)
	check.Equal(t, "creates", toy.count("create"), 0)
}

func TestCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"}, core.CreateBeforeDestroy())
	w.Apply().Must()
	w.Resource(one, core.Object{"name": "m"}, core.CreateBeforeDestroy())
	toy.only()
	w.Apply().Must()
	check.Equal(t, "calls", toy.only("create", "delete"), []string{"create t2 m", "delete t1"})
	check.Equal(t, "deposed", w.Deposed(one), 0)

	w.Resource(one, core.Object{"name": "o"}, core.CreateBeforeDestroy())
	toy.createNothing()
	w.Apply()
	check.Equal(t, "id after a failed creation", w.Value(one, "id"), "t2")

	delete(toy.hooks, "create")
	toy.fail("delete")
	w.Apply()
	check.Equal(t, "id after a failed deletion", w.Value(one, "id"), "t4")
	check.Equal(t, "deposed", w.Deposed(one), 1)
	entries := w.Entries()
	check.Equal(t, "entries", len(entries), 2)
	check.Equal(
		t,
		"current entry",
		[]any{entries[0].Address, entries[0].Deposed, entries[0].Attributes["id"]},
		[]any{one, false, "t4"},
	)
	check.Equal(
		t,
		"deposed entry",
		[]any{entries[1].Address, entries[1].Deposed, entries[1].Attributes["id"]},
		[]any{one, true, "t2"},
	)
	check.Equal(t, "private state", string(entries[0].Private["seen"]), `"created"`)
	delete(toy.hooks, "delete")
	check.Equal(t, "plan", w.Plan().Empty(), false)
	toy.only()
	w.Apply().Must()
	check.Equal(t, "calls", toy.only("create", "delete"), []string{"delete t2"})
	check.Equal(t, "deposed", w.Deposed(one), 0)
	w.Plan().WantEmpty()
}

func TestImport(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	toy.put(newThing("t9", "n", "l"))
	w.Resource(one, core.Object{"name": "n"})
	w.Import(one, "t9").Must()
	check.Equal(t, "label", w.Value(one, "label"), "l")
	w.Plan().WantEmpty()
	check.Equal(t, "second import", len(w.Import(one, "t9").Diagnostics.Errors().Find("already managed")), 1)

	w.Forget(one)
	w.ImportIdentity(one, core.Object{"id": "t9"}).Must()
	check.Equal(t, "identity", w.Identity(one), core.Object{"id": "t9"})
	w.Plan().WantEmpty()
	missing := w.Import(two, "t0").Diagnostics
	check.True(
		t,
		"an import of what does not exist",
		len(missing.Errors().Find("Cannot import non-existent remote object")) == 1,
		missing,
	)
	check.Equal(t, "creates", toy.count("create"), 0)
}

func TestInterruptSavesWhatTheProviderReturns(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "1"})
	w.Resource(two, core.Object{"name": "2"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		w.Interrupt()
		<-ctx.Done()
		response.(*resource.CreateResponse).Diagnostics.AddWarning("Interrupted", "The wait goes on.")
	}
	result := w.Apply()
	check.Equal(t, "halted", len(result.Diagnostics.Errors().Find("execution halted")), 1)
	check.Equal(t, "warnings", len(result.Diagnostics.Warnings()), 1)
	check.Equal(t, "addresses", w.Addresses(), []string{one})
	check.Equal(t, "tainted", w.Tainted(one), false)

	delete(toy.hooks, "create")
	w.Apply().Must()
	check.Equal(t, "creates", toy.count("create"), 2)
}

func TestAContextInterrupts(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	toy.hooks["create"] = func(ctx context.Context, _ any) {
		cancel()
		<-ctx.Done()
	}
	check.Equal(t, "halted", len(w.ApplyContext(ctx).Diagnostics.Find("execution halted")), 1)
	check.Equal(t, "addresses", w.Addresses(), []string{one})
	toy.only()
	check.Equal(t, "errors", len(w.ApplyContext(ctx).Diagnostics.Find("execution halted")), 1)
	check.Equal(t, "calls", toy.only("read", "plan", "configure"), []string(nil))
}

func TestKillLosesWhatTheProviderReturns(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "1"})
	toy.hooks["create"] = func(context.Context, any) { w.Kill() }
	check.Equal(t, "errors", w.Apply().Diagnostics.HasErrors(), true)
	check.Equal(t, "addresses", w.Addresses(), []string{})
	check.Equal(t, "service", len(toy.things), 1)
}

func TestParallelWorksOnSomeAtATime(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Parallel(3)
	for _, name := range []string{"a", "b", "c"} {
		w.Resource("toy_thing."+name, core.Object{"name": name})
	}
	var arrived atomic.Int32
	all := make(chan struct{})
	toy.hooks["create"] = func(context.Context, any) {
		if arrived.Add(1) == 3 {
			close(all)
		}
		select {
		case <-all:
		case <-time.After(time.Minute):
			t.Error("the others did not come")
		}
	}
	w.Apply().Must()
	check.Equal(t, "addresses", w.Addresses(), []string{"toy_thing.a", "toy_thing.b", "toy_thing.c"})
}

func TestWarningsAreTold(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["plan"] = func(_ context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Diagnostics.AddAttributeWarning(
			path.Root("name"),
			"Careful",
			"It costs.",
		)
	}
	plan := w.Plan().Must()
	check.Equal(t, "warnings", plan.Warnings().String(), "Warning: Careful (toy_thing.one, name)\n  It costs.")
	check.Equal(t, "warnings of plan and apply", len(w.Apply().Diagnostics.Warnings()), 1)
}

// What the refresh has read is stored, also if an apply fails before the
// object's turn.
func TestFailureElsewhere(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Resource(two, core.Object{"name": "n"})
	w.Apply().Must()
	toy.put(newThing("t1", "n", "changed elsewhere"))
	w.Resource(one, core.Object{"name": "n", "weight": 2.0})
	w.Resource(two, core.Object{"name": "n", "weight": 2.0})
	w.Block(one)
	toy.only()
	result := w.Apply()
	check.Equal(t, "errors", len(result.Diagnostics.Errors().Find("Failed elsewhere")), 1)
	check.Equal(t, "changed", result.Changed, []string{two})
	check.Equal(t, "calls", toy.only("update"), []string{"update t2"})
	check.Equal(t, "refreshed", w.Value(one, "label"), "changed elsewhere")
	w.Block("")
	check.Equal(t, "changed later", w.Apply().Must().Changed, []string{one})
}

// What a provider defers is left to a later plan, if that plan allows it. A
// plan without that refuses it, and so does an apply, which says that it does.
func TestDeferring(t *testing.T) {
	t.Parallel()
	toy, w := newWorkspace(t)
	w.Resource(one, core.Object{"name": "n"})
	plan := w.Plan().Must()
	toy.hooks["plan"] = func(_ context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Deferred = &resource.Deferred{
			Reason: resource.DeferredReasonResourceConfigUnknown,
		}
	}
	check.Equal(t, "in a plan", len(w.Plan().Diagnostics.Errors().Find("did not allow deferrals")), 1)
	check.Equal(t, "in an apply", len(w.ApplyPlan(plan).Diagnostics.Errors().Find("deferred during apply")), 1)
	plan = w.Plan(core.Deferring()).Must()
	check.Equal[any](t, "the id of what is deferred", plan.Deferred[one]["id"], core.Unknown)
	check.True(t, "nothing is planned", plan.Empty(), plan)
	w.ApplyPlan(plan).Must()
	check.True(t, "nothing is made", w.State(one) == nil, w.State(one))
}

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

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

const two = "toy_thing.two"

func TestAFailedCreateTaints(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["create"] = func(_ context.Context, response any) {
		response.(*resource.CreateResponse).Diagnostics.AddAttributeError(path.Root("parts").AtMapKey("a").AtName("text"), "No", "It failed.")
	}
	result := w.Apply()
	want(t, "errors at the path", len(result.Diagnostics.Errors().At(`parts["a"].text`)), 1)
	want(t, "tainted", w.Tainted(one), true)
	want(t, "id", w.Value(one, "id"), "t1")

	delete(toy.hooks, "create")
	plan := w.Plan().Must()
	want(t, "action", plan.Action(one), core.Replace)
	want(t, "planned id", plan.Change(one).After["id"], core.Unknown)
	toy.only()
	w.Apply().Must()
	want(t, "calls", toy.only("create", "delete"), []string{"delete t1", "create t2 n"})
	want(t, "tainted", w.Tainted(one), false)
}

func TestACreateThatFailsWithoutAnObjectLeavesNothing(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		created := response.(*resource.CreateResponse)
		created.State.RemoveResource(ctx)
		created.Diagnostics.AddError("No", "It failed.")
	}
	want(t, "errors", len(w.Apply().Diagnostics.Errors()), 1)
	want(t, "addresses", w.Addresses(), []string{})
}

func TestAFailedUpdateKeepsWhatItReturned(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "old"})
	w.Apply().Must()
	toy.hooks["update"] = func(ctx context.Context, response any) {
		updated := response.(*resource.UpdateResponse)
		updated.State.SetAttribute(ctx, path.Root("label"), "half")
		updated.Diagnostics.AddError("No", "It failed.")
	}
	w.Resource(one, core.Object{"name": "n", "label": "new"})
	result := w.Apply()
	want(t, "errors", len(result.Diagnostics.Errors()), 1)
	want(t, "changed", result.Changed, []string(nil))
	want(t, "label", w.Value(one, "label"), "half")
	want(t, "tainted", w.Tainted(one), false)
}

func TestAFailedChangeHoldsUpItsDependents(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	for i, name := range []string{"first", "second", "third"} {
		options := []core.ResourceOption{}
		if i > 0 {
			options = append(options, core.DependsOn([]string{"toy_thing.first", "toy_thing.second"}[i-1]))
		}
		w.Resource("toy_thing."+name, core.Object{"name": name}, options...)
	}
	toy.hooks["create"] = func(_ context.Context, response any) {
		created := response.(*resource.CreateResponse)
		created.State.RemoveResource(t.Context())
		created.Diagnostics.AddError("No", "It failed.")
	}
	want(t, "errors", len(w.Apply().Diagnostics.Errors()), 1)
	want(t, "addresses", w.Addresses(), []string{})
	delete(toy.hooks, "create")
	want(t, "changed", w.Apply().Must().Changed, []string{"toy_thing.first", "toy_thing.second", "toy_thing.third"})
	w.Plan().WantEmpty() // what does not change holds nothing up
}

func TestAFailedDeleteKeepsTheObject(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Apply().Must()
	toy.hooks["delete"] = func(_ context.Context, response any) {
		response.(*resource.DeleteResponse).Diagnostics.AddError("No", "It failed.")
	}
	want(t, "errors", len(w.Destroy().Diagnostics.Errors()), 1)
	want(t, "id", w.Value(one, "id"), "t1")
	want(t, "tainted", w.Tainted(one), false)
	delete(toy.hooks, "delete")
	w.Destroy().Must()
	want(t, "addresses", w.Addresses(), []string{})
}

func TestARefreshThatFailsStopsPlanAndDestroy(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Apply().Must()
	toy.hooks["read"] = func(_ context.Context, response any) {
		response.(*resource.ReadResponse).Diagnostics.AddError("No", "It failed.")
	}
	want(t, "plan", w.Plan().Empty(), false)
	want(t, "errors", len(w.Destroy().Diagnostics.Errors()), 1)
	want(t, "id", w.Value(one, "id"), "t1")
	want(t, "errors without a refresh", len(w.Apply(core.Destroying(), core.Refresh(false)).Diagnostics.Errors()), 0)
}

func TestResultsMustKeepThePlan(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "label": "planned", "secret": "hidden"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		state := &response.(*resource.CreateResponse).State
		state.SetAttribute(ctx, path.Root("label"), "other")
		state.SetAttribute(ctx, path.Root("secret"), "leaked")
	}
	found := w.Apply().Diagnostics.Errors().Find("Provider produced inconsistent result after apply")
	want(t, "errors", len(found), 2)
	want(t, "at the label", len(found.At("label")), 1)
	if text := found.String(); strings.Contains(text, "hidden") || strings.Contains(text, "leaked") {
		t.Errorf("a sensitive value is in the message: %s", text)
	}
	want(t, "tainted", w.Tainted(one), true)
}

func TestResultsMustBeKnown(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		response.(*resource.CreateResponse).State.SetAttribute(ctx, path.Root("label"), types.StringUnknown())
	}
	want(t, "errors", w.Apply().Diagnostics.HasErrors(), true)
	want(t, "label", w.Value(one, "label"), nil)
	want(t, "tainted", w.Tainted(one), true)
}

func TestPlansMustFollowTheConfiguration(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n", "weight": 1})
	toy.hooks["plan"] = func(ctx context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Plan.SetAttribute(ctx, path.Root("weight"), types.NumberValue(big.NewFloat(2)))
	}
	want(t, "errors", len(w.Plan().Diagnostics.Errors().Find("Provider produced invalid plan").At("weight")), 1)
}

func TestAFinalPlanMustKeepThePlan(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	label := "first"
	toy.hooks["plan"] = func(ctx context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Plan.SetAttribute(ctx, path.Root("label"), label)
	}
	plan := w.Plan().Must()
	label = "second"
	result := w.ApplyPlan(plan)
	want(t, "errors", len(result.Diagnostics.Errors().Find("Provider produced inconsistent final plan").At("label")), 1)
	want(t, "creates", toy.count("create"), 0)
}

func TestCreateBeforeDestroy(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"}, core.CreateBeforeDestroy())
	w.Apply().Must()
	w.Resource(one, core.Object{"name": "m"}, core.CreateBeforeDestroy())
	toy.only()
	w.Apply().Must()
	want(t, "calls", toy.only("create", "delete"), []string{"create t2 m", "delete t1"})
	want(t, "deposed", w.Deposed(one), 0)

	w.Resource(one, core.Object{"name": "o"}, core.CreateBeforeDestroy())
	toy.hooks["create"] = func(ctx context.Context, response any) {
		created := response.(*resource.CreateResponse)
		created.State.RemoveResource(ctx)
		created.Diagnostics.AddError("No", "It failed.")
	}
	w.Apply()
	want(t, "id after a failed creation", w.Value(one, "id"), "t2")

	toy.hooks = map[string]func(context.Context, any){"delete": func(_ context.Context, response any) {
		response.(*resource.DeleteResponse).Diagnostics.AddError("No", "It failed.")
	}}
	w.Apply()
	want(t, "id after a failed deletion", w.Value(one, "id"), "t4")
	want(t, "deposed", w.Deposed(one), 1)
	entries := w.Entries()
	want(t, "entries", len(entries), 2)
	want(t, "current entry", []any{entries[0].Address, entries[0].Deposed, entries[0].Attributes["id"]}, []any{one, false, "t4"})
	want(t, "deposed entry", []any{entries[1].Address, entries[1].Deposed, entries[1].Attributes["id"]}, []any{one, true, "t2"})
	want(t, "private state", string(entries[0].Private["seen"]), `"created"`)
	delete(toy.hooks, "delete")
	want(t, "plan", w.Plan().Empty(), false)
	toy.only()
	w.Apply().Must()
	want(t, "calls", toy.only("create", "delete"), []string{"delete t2"})
	want(t, "deposed", w.Deposed(one), 0)
	w.Plan().WantEmpty()
}

func TestImport(t *testing.T) {
	t.Parallel()
	toy := newToy()
	toy.put(newThing("t9", "n", "l"))
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Import(one, "t9").Must()
	want(t, "label", w.Value(one, "label"), "l")
	w.Plan().WantEmpty()
	want(t, "second import", len(w.Import(one, "t9").Diagnostics.Errors().Find("already managed")), 1)

	w.Forget(one)
	w.ImportIdentity(one, core.Object{"id": "t9"}).Must()
	want(t, "identity", w.Identity(one), core.Object{"id": "t9"})
	w.Plan().WantEmpty()
	missing := w.Import(two, "t0").Diagnostics
	if len(missing.Errors().Find("Cannot import non-existent remote object")) != 1 {
		t.Errorf("import of what does not exist: %s", missing)
	}
	want(t, "creates", toy.count("create"), 0)
}

func TestInterruptSavesWhatTheProviderReturns(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "1"})
	w.Resource(two, core.Object{"name": "2"})
	toy.hooks["create"] = func(ctx context.Context, response any) {
		w.Interrupt()
		<-ctx.Done()
		response.(*resource.CreateResponse).Diagnostics.AddWarning("Interrupted", "The wait goes on.")
	}
	result := w.Apply()
	want(t, "halted", len(result.Diagnostics.Errors().Find("execution halted")), 1)
	want(t, "warnings", len(result.Diagnostics.Warnings()), 1)
	want(t, "addresses", w.Addresses(), []string{one})
	want(t, "tainted", w.Tainted(one), false)

	delete(toy.hooks, "create")
	w.Apply().Must()
	want(t, "creates", toy.count("create"), 2)
}

func TestAContextInterrupts(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	toy.hooks["create"] = func(ctx context.Context, _ any) {
		cancel()
		<-ctx.Done()
	}
	want(t, "halted", len(w.ApplyContext(ctx).Diagnostics.Find("execution halted")), 1)
	want(t, "addresses", w.Addresses(), []string{one})
	toy.only()
	want(t, "errors", len(w.ApplyContext(ctx).Diagnostics.Find("execution halted")), 1)
	want(t, "calls", toy.only("read", "plan", "configure"), []string(nil))
}

func TestKillLosesWhatTheProviderReturns(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "1"})
	toy.hooks["create"] = func(context.Context, any) { w.Kill() }
	want(t, "errors", w.Apply().Diagnostics.HasErrors(), true)
	want(t, "addresses", w.Addresses(), []string{})
	want(t, "service", len(toy.things), 1)
}

func TestParallelWorksOnSomeAtATime(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
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
		case <-time.After(10 * time.Second):
			t.Error("the others did not come")
		}
	}
	w.Apply().Must()
	want(t, "addresses", w.Addresses(), []string{"toy_thing.a", "toy_thing.b", "toy_thing.c"})
}

func TestDataSource(t *testing.T) {
	t.Parallel()
	toy := newToy()
	toy.put(newThing("t9", "n", "l"))
	w := toy.workspace(t)
	found, diagnostics := w.DataSource("toy_thing", core.Object{"id": "t9"})
	want(t, "diagnostics", diagnostics.String(), "")
	want(t, "data", found, core.Object{"id": "t9", "label": "l"})
	_, diagnostics = w.DataSource("toy_thing", core.Object{"id": "t0"})
	want(t, "errors", len(diagnostics.Errors().At("id")), 1)
}

func TestWarningsAreTold(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	toy.hooks["plan"] = func(_ context.Context, response any) {
		response.(*resource.ModifyPlanResponse).Diagnostics.AddAttributeWarning(path.Root("name"), "Careful", "It costs.")
	}
	plan := w.Plan().Must()
	want(t, "warnings", plan.Warnings().String(), "Warning: Careful (toy_thing.one, name)\n  It costs.")
	want(t, "warnings of plan and apply", len(w.Apply().Diagnostics.Warnings()), 1)
}

// An apply that fails before an object's turn stores what the refresh has read
// of it, and does nothing else to it.
func TestFailureElsewhere(t *testing.T) {
	t.Parallel()
	toy := newToy()
	w := toy.workspace(t)
	w.Resource(one, core.Object{"name": "n"})
	w.Resource("toy_thing.two", core.Object{"name": "n"})
	w.Apply().Must()
	toy.put(newThing("t1", "n", "changed elsewhere"))
	w.Resource(one, core.Object{"name": "n", "weight": 2.0})
	w.Resource("toy_thing.two", core.Object{"name": "n", "weight": 2.0})
	w.Block(one)
	toy.only()
	result := w.Apply()
	want(t, "errors", len(result.Diagnostics.Errors().Find("Failed elsewhere")), 1)
	want(t, "changed", result.Changed, []string{"toy_thing.two"})
	want(t, "calls", toy.only("update"), []string{"update t2"})
	want(t, "refreshed", w.Value(one, "label"), "changed elsewhere")
	w.Block("")
	want(t, "changed later", w.Apply().Must().Changed, []string{one})
}

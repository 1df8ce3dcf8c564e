package core

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Result is the result of an apply.
type Result struct {
	// Plan is the executed plan; nil for an import.
	Plan *Plan
	// Diagnostics are the messages, those of the plan first, without
	// duplicates.
	Diagnostics Diagnostics
	// Changed are the addresses at which a change succeeded, in order.
	Changed []string

	t     testing.TB
	mutex sync.Mutex
}

// Must fails the test at once if the apply had errors.
func (r *Result) Must() *Result {
	r.t.Helper()
	if r.Diagnostics.HasErrors() {
		r.t.Fatalf("the apply failed:\n%s", r.Diagnostics)
	}
	return r
}

func (r *Result) changed(address string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if !slices.Contains(r.Changed, address) {
		r.Changed = append(r.Changed, address)
	}
}

// Apply plans and applies, each in its own provider process.
func (w *Workspace) Apply(options ...PlanOption) *Result {
	return w.ApplyContext(context.Background(), options...)
}

// ApplyContext is Apply, interrupted like by Ctrl-C when ctx ends.
func (w *Workspace) ApplyContext(ctx context.Context, options ...PlanOption) *Result {
	o, done := w.start(ctx)
	defer done()
	plan := o.plan(options)
	result := o.apply(plan)
	result.Diagnostics = plan.Diagnostics.and(result.Diagnostics)
	return result
}

// ApplyPlan applies a saved plan. The result has only the messages of the
// apply.
func (w *Workspace) ApplyPlan(plan *Plan) *Result {
	o, done := w.start(context.Background())
	defer done()
	return o.apply(plan)
}

// Destroy plans and applies the destruction of everything.
func (w *Workspace) Destroy() *Result { return w.Apply(Destroying()) }

// Refresh updates the state from the service, like apply -refresh-only.
func (w *Workspace) Refresh() *Result {
	o, done := w.start(context.Background())
	defer done()
	result := &Result{t: w.t, Plan: &Plan{t: w.t}}
	result.Diagnostics = o.validateUsed()
	if result.Diagnostics.HasErrors() {
		return result
	}
	result.Plan = o.planWalk(planOptions{}, w.state, true)
	result.Diagnostics = result.Plan.Diagnostics
	if !result.Diagnostics.HasErrors() {
		w.write(result.Plan.prior)
	}
	return result
}

func (o *operation) apply(plan *Plan) *Result {
	w := o.workspace
	result := &Result{t: w.t, Plan: plan}
	if plan.Diagnostics.HasErrors() {
		result.Diagnostics = plan.Diagnostics.Errors()
		return result
	}
	if plan.serial != w.serial {
		result.Diagnostics = Diagnostics{
			failure(
				"",
				"Saved plan is stale",
				"The given plan file can no longer be applied because the state was changed by another operation "+
					"after the plan was created.",
			),
		}
		return result
	}
	if len(plan.Changes) == 0 {
		w.write(plan.prior)
		return result
	}
	k, ok := o.begin(true, true)
	if ok {
		work := &work{
			walk:   k,
			state:  plan.prior.clone(),
			result: result,
		}
		w.write(work.state)
		var ends, others []func()
		for _, change := range plan.Changes {
			// The object that a replacement left behind is destroyed after the
			// update of its address.
			if change.Action == Delete && !change.Deposed {
				ends = append(ends, func() { work.change(change) })
			} else {
				others = append(others, func() { work.change(change) })
			}
		}
		if w.createsFirst {
			o.each(slices.Concat(others, ends))
		} else {
			o.each(slices.Concat(ends, others))
		}
	}
	result.Diagnostics = k.report.all()
	return result
}

// work is a running apply.
type work struct {
	*walk
	state  *state
	result *Result
}

func (a *work) change(change *Change) {
	switch {
	case change.Action == NoOp, a.isBlocked(change):
	case change.Address == a.workspace.blocked:
		a.report.add(failure("", "Failed elsewhere", "Something that %s depends on has failed.", change.Address))
	case change.Deposed:
		a.destroyDeposed(change.Address, change.kind, change.leftover)
	case change.Action == Delete:
		a.destroy(change)
	case change.Action != Replace:
		a.realize(change)
	case change.resource.createBeforeDestroy:
		old := a.state.depose(change.Address)
		if a.realize(change) {
			a.destroyDeposed(change.Address, change.kind, old)
		} else {
			a.state.restore(change.Address, old)
		}
	default:
		if a.destroy(change) {
			a.realize(change)
		}
	}
}

// isBlocked reports whether a change has failed on which this change depends.
func (a *work) isBlocked(change *Change) bool {
	a.result.mutex.Lock()
	defer a.result.mutex.Unlock()
	return change.resource != nil && slices.ContainsFunc(change.resource.dependsOn, func(address string) bool {
		return a.result.Plan.Action(address) != NoOp && !slices.Contains(a.result.Changed, address)
	})
}

// realize creates or updates an object, after planning it again with all values
// known.
func (a *work) realize(change *Change) bool {
	r := change.resource
	current, ok := a.load(change.Address, change.kind, a.state.get(change.Address))
	if !ok {
		return false
	}
	final := a.planChange(r, current, change, false)
	if final == nil || !a.keepsPromise(change, final) || a.halted() {
		return false
	}
	if final.Action == NoOp {
		return true
	}
	step := transition{
		address: change.Address,
		kind:    change.kind,
		before:  final.before,
		config:  a.config(r),
		after:   final.after,
		current: current,
	}
	creating := final.Action != Update
	if creating {
		step.before = change.kind.null()
	}
	if !step.config.IsFullyKnown() {
		a.report.add(
			failure(
				change.Address,
				"Configuration contains unknown value",
				"configuration for %s still contains unknown values during apply",
				change.Address,
			),
		)
		return false
	}
	now, ok := a.perform(step)
	if !ok && creating && now != nil {
		now.tainted = true
	}
	return a.save(func() { a.state.set(change.Address, change.kind, now) }) && ok
}

// keepsPromise checks that the final plan agrees with the approved plan in
// every value that was known.
func (a *work) keepsPromise(promised, final *Change) bool {
	var diagnostics Diagnostics
	if promised.Action != final.Action && (promised.Action != Update || final.Action != NoOp) {
		diagnostics = append(diagnostics, failure(
			promised.Address,
			"Provider produced inconsistent final plan",
			"When expanding the plan for %s to include new values learned so far during apply, provider changed the "+
				"planned action from %s to %s.",
			promised.Address,
			promised.Action,
			final.Action,
		))
	}
	for _, found := range resultProblems(promised.kind, promised.after.value, final.after.value) {
		diagnostics = append(
			diagnostics,
			found.diagnostic(
				promised.Address,
				"Provider produced inconsistent final plan",
				"When expanding the plan to include new values learned so far during apply, provider produced an "+
					"invalid new value for %s: %s.",
			),
		)
	}
	a.report.add(diagnostics...)
	return !diagnostics.HasErrors()
}

// destroy destroys an object; true if it is gone.
func (a *work) destroy(change *Change) bool {
	current, ok := a.load(change.Address, change.kind, a.state.get(change.Address))
	if !ok || current.absent() {
		return ok
	}
	if a.halted() {
		return false
	}
	a.invokeBefore(change, current)
	// The second half of a replacement has the private state of the new plan,
	// and no identity.
	after := object{value: change.kind.null(), private: change.after.private}
	if change.Action == Delete {
		after.identity = change.after.identity
	}
	now, ok := a.perform(transition{
		address:    change.Address,
		kind:       change.kind,
		before:     change.before,
		config:     change.kind.null(),
		after:      after,
		current:    current,
		destroying: true,
	})
	return a.save(func() { a.state.set(change.Address, change.kind, now) }) && ok
}

// invokeBefore invokes the action that the configuration requests before a
// destroy.
func (a *work) invokeBefore(change *Change, current *object) {
	i := slices.IndexFunc(a.workspace.resources, func(r *resource) bool { return r.address == change.Address })
	if i < 0 || a.workspace.resources[i].beforeDestroy == nil {
		return
	}
	before := a.workspace.resources[i].beforeDestroy
	known := a.workspace.schemas.actions[before.action]
	written := &block{kind: known, config: before.config(plainObject(current.value))}
	server, ok := a.provider.server.(tfprotov6.ActionServer)
	if !ok {
		a.report.add(failure(change.Address, "the provider has no actions", ""))
		return
	}
	_, said := invoke(a.ctx, server, before.action, wire(known.typ, written.value(true)))
	a.report.add(said...)
}

// destroyDeposed destroys an object that a replacement left behind. It plans
// the destroy again first.
func (a *work) destroyDeposed(address string, known *kind, old *stored) {
	current, ok := a.load(address, known, old)
	if !ok || current.absent() {
		return
	}
	planned := a.planDestroy(address, known, current)
	if planned == nil || a.halted() {
		return
	}
	now, _ := a.perform(transition{
		address:    address,
		kind:       known,
		before:     current.value,
		config:     known.null(),
		after:      planned.after,
		current:    current,
		destroying: true,
	})
	a.save(func() { a.state.replaceDeposed(address, known, old, now) })
}

// save keeps the object that the provider returned, unless the command was
// killed meanwhile; false if the command must end here.
func (a *work) save(write func()) bool {
	if !a.is(&a.killed) {
		write()
	}
	return !a.halted()
}

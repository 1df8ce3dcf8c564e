package core

import (
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// planChange plans the change of a resource; nil if planning failed. At apply
// it plans again; earlier is the change that was promised.
func (k *walk) planChange(r *resource, current *object, earlier *Change, forced bool) *Change {
	if earlier != nil && earlier.Action == NoOp {
		return earlier
	}
	config := k.config(r)
	prior := &object{value: r.kind.null()}
	if current != nil && !current.tainted {
		prior = current
	}
	diagnostics := k.provider.validate(k.ctx, r.address, r.kind, config)
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() || k.halted() {
		return nil
	}
	outcome, diagnostics := k.provider.plan(k.ctx, r.address, r.kind, proposal{
		prior:    prior,
		config:   config,
		proposed: propose(r.kind, prior.value, config),
	})
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() || outcome.deferred && k.leavesOut(r.address, outcome.value) ||
		!k.validPlan(r, prior.value, config, outcome.value) {
		return nil
	}
	replaces, ok := k.requiredReplaces(r, prior.value, outcome)
	if !ok {
		return nil
	}
	action := actionFor(prior.value, outcome.value, forced || len(replaces) > 0)
	if action == NoOp || action == Update {
		diagnostics = unknownIdentity(r.address, outcome.identity)
		k.report.add(diagnostics...)
		if diagnostics.HasErrors() {
			return nil
		}
	}
	if action == Replace {
		outcome = k.planReplacement(r, config, outcome)
		if outcome == nil {
			return nil
		}
	}
	before := prior.value
	if action == Create && current != nil && current.tainted && !current.absent() {
		action = Replace
		before = current.value
	}
	if action == Create && earlier != nil && earlier.Action == Replace {
		action = Replace
		before = earlier.before
	}
	if k.halted() {
		return nil
	}
	return &Change{
		Address:  r.address,
		Action:   action,
		Before:   plainObject(before),
		After:    plainObject(outcome.value),
		Replaces: replaces,
		kind:     r.kind,
		resource: r,
		before:   before,
		after:    outcome.object,
	}
}

// leavesOut notes an object that the provider defers. Deferring is an error
// unless a plan allows it.
func (k *walk) leavesOut(address string, planned tftypes.Value) bool {
	switch {
	case k.applying:
		k.report.add(failure(
			address,
			"Resource deferred during apply, but not during plan",
			"Terraform has encountered a bug where a provider would mark the resource %q as deferred during apply, "+
				"but not during plan.",
			address,
		))
	case !k.deferring:
		k.report.add(failure(address, "Provider deferred changes when Terraform did not allow deferrals",
			"The provider signaled a deferred action for %q, but in this context deferrals are disabled.", address))
	default:
		k.report.leave(address, plainObject(planned))
	}
	return true
}

// planReplacement plans the successor of an object that cannot be updated. Its
// warnings were given already.
func (k *walk) planReplacement(r *resource, config tftypes.Value, first *planned) *planned {
	nothing := &object{
		value:    r.kind.null(),
		private:  first.private,
		identity: first.identity,
	}
	outcome, diagnostics := k.provider.plan(k.ctx, r.address, r.kind, proposal{
		prior:    nothing,
		config:   config,
		proposed: propose(r.kind, nothing.value, config),
	})
	if diagnostics.HasErrors() {
		k.report.add(diagnostics...)
		return nil
	}
	return outcome
}

func (k *walk) validPlan(r *resource, prior, config, after tftypes.Value) bool {
	problems := planProblems(r.kind, prior, config, after)
	for _, found := range problems {
		k.report.add(
			found.diagnostic(
				r.address,
				"Provider produced invalid plan",
				"Provider planned an invalid value for %s: %s.",
			),
		)
	}
	return len(problems) == 0
}

// diagnostic returns the problem as an error. detail is a format for the place
// and the text.
func (p problem) diagnostic(address, summary, detail string) Diagnostic {
	place := address
	if path := pathText(p.path); path != "" {
		place += "." + path
	}
	found := failure(
		address,
		summary,
		detail+"\n\nThis is a bug in the provider, which should be reported in the provider's own issue tracker.",
		place,
		p.text,
	)
	found.Path = pathText(p.path)
	return found
}

// requiredReplaces returns the provider's paths at which a value changes.
func (k *walk) requiredReplaces(r *resource, prior tftypes.Value, outcome *planned) ([]string, bool) {
	var paths []string
	valid := true
	for _, path := range outcome.replace {
		if prior.IsNull() {
			continue
		}
		before, existed := valueAt(prior, path)
		after, exists := valueAt(outcome.value, path)
		if !existed && !exists {
			k.report.add(failure(
				r.address,
				"Provider produced invalid plan",
				"Provider has indicated \"requires replacement\" on %s for a non-existent attribute path %s.",
				r.address,
				pathText(path),
			))
			valid = false
			continue
		}
		if same := before.IsNull() && after.IsNull() || before.Equal(after); !same || !after.IsFullyKnown() {
			paths = append(paths, pathText(path))
		}
	}
	return paths, valid
}

func actionFor(prior, after tftypes.Value, replace bool) Action {
	switch {
	case prior.IsNull():
		return Create
	case replace:
		return Replace
	case prior.Equal(after):
		return NoOp
	default:
		return Update
	}
}

// planDestroy plans the destroy of an object; nil if planning failed.
func (k *walk) planDestroy(address string, known *kind, current *object) *Change {
	if current.absent() || k.halted() {
		return nil
	}
	outcome, diagnostics := k.provider.plan(k.ctx, address, known, proposal{
		prior:    current,
		config:   known.null(),
		proposed: known.null(),
	})
	if !diagnostics.HasErrors() {
		diagnostics = append(diagnostics, unknownIdentity(address, outcome.identity)...)
		if !outcome.value.IsNull() {
			diagnostics = append(
				diagnostics,
				failure(
					address,
					"Provider produced invalid plan",
					"Provider planned a non-null destroy value for %s.",
					address,
				),
			)
		}
	}
	k.report.add(diagnostics...)
	if diagnostics.HasErrors() || k.halted() {
		return nil
	}
	return &Change{
		Address: address,
		Action:  Delete,
		Before:  plainObject(current.value),
		kind:    known,
		before:  current.value,
		after:   outcome.object,
	}
}

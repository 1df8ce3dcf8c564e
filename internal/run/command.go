package run

import (
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// Command is what the CLI is doing, as far as a provider can tell: it plans, or
// it applies, and an apply plans each change once more before it makes the
// change. No CLI tells a provider which of these it is. Command concludes it
// from two facts that a run has observed and one of the request, and no other
// place may: each question about it is a method here.
//
// Two questions about the same thing have opposite safe answers, and so stay two.
// A plan that says too little costs a person a warning; an error in a plan that
// is not an apply's stops work that nothing is wrong with.
type Command struct {
	// hasRun is false before the provider is configured.
	hasRun bool
	// hasRefreshed reports whether a refresh of a managed resource has begun in
	// this run. Only a plan refreshes.
	hasRefreshed bool
	// hasBegun reports whether a create, update or delete has begun in this run.
	// Only an apply makes changes.
	hasBegun bool
	// mayDefer reports whether the request lets the provider defer the object to a
	// later plan.
	mayDefer bool
}

// progress is what a run has observed of its command.
type progress struct{ hasRefreshed, hasBegun atomic.Bool }

// Command returns the command of a request of the current run.
func (r *Runs) Command(mayDefer bool) Command { return r.Current().command(mayDefer) }

// CommandOf returns the command that a plan belongs to.
func (d *ProviderData) CommandOf(req resource.ModifyPlanRequest) Command {
	return d.command(req.ClientCapabilities.DeferralAllowed)
}

func (d *ProviderData) command(mayDefer bool) Command {
	if d == nil {
		return Command{mayDefer: mayDefer}
	}
	return Command{
		hasRun:       true,
		hasRefreshed: d.progress.hasRefreshed.Load(),
		hasBegun:     d.progress.hasBegun.Load(),
		mayDefer:     mayDefer,
	}
}

// InApply reports whether the run has begun to create, update or delete. It is
// certain, and comes late: an apply plans its first change before.
func (c Command) InApply() bool { return c.hasBegun }

// MayDefer reports whether the plan may leave an object to a later plan.
func (c Command) MayDefer() bool { return c.mayDefer }

// PlansInApply reports whether a plan is an apply's, which computes again what a
// person has seen. It is true in the plan of a stack too, so that only what can
// be left out may depend on it.
func (c Command) PlansInApply() bool { return c.mayDefer || c.hasBegun }

// Repeats reports whether a plan is an apply's, so that a person has read its
// warnings. Unlike PlansInApply it is false in the plan of a stack, once that has
// refreshed something.
func (c Command) Repeats() bool { return c.hasRun && (c.hasBegun || c.mayDefer && !c.hasRefreshed) }

// IsFinal reports whether a plan is certainly an apply's, so that it may refuse
// what is not as planned. Neither fact is enough by itself: the plan of a stack
// may defer, and -refresh=false refreshes nothing. Where it is false in an
// apply's plan, as under OpenTofu, the CLI itself refuses what is not as planned.
func (c Command) IsFinal() bool {
	return c.hasRun && c.mayDefer && (c.hasBegun || !c.hasRefreshed)
}

// MayBeApply reports whether a plan may be an apply's although nothing says so:
// OpenTofu and old CLIs allow no deferral, and an apply refreshes nothing. Their
// plans with -refresh=false look the same. The CLI may stop such a plan, since it
// differs from the plan that a person has seen.
func (c Command) MayBeApply() bool {
	return c.hasRun && !c.mayDefer && !c.hasBegun && !c.hasRefreshed
}

package framework

import (
	"sync/atomic"
)

// Command is what the CLI is doing, as far as a provider can tell: it plans, or
// it applies, and an apply plans each change once more before it makes the
// change. No CLI tells a provider which of these it is. Command concludes it
// from two facts that a run has observed and one of the request, and no other
// place may: each question about it is a method here.
//
// Questions about the same thing with opposite safe answers stay separate. A plan
// that says too little costs a person a warning; an error in a plan that is not an
// apply's stops work that nothing is wrong with.
//
// # What each CLI sends
//
// The calls are those of a CLI for two objects, of which the second needs the
// first. "/" separates processes of the provider. R is ReadResource, A is
// ApplyResourceChange, and all others are PlanResourceChange, by the questions
// that are answered with yes:
//
//	P     nothing
//	P?    MayBeApply
//	PA    InApply PlansInApply Repeats
//	PD    MayDefer PlansInApply
//	PD!   IsFinal MayDefer PlansInApply Repeats
//	PDA   InApply IsFinal MayDefer PlansInApply Repeats
//
// D says that the CLI allows a deferral, and A that a change has begun. Each row
// holds from the version of its CLI on, up to the next row of that command and
// CLI. TestAccCommand_sends fails if the calls or the answers are not those of the
// row.
//
//	plan of new objects    Terraform 1.5    P? P?
//	plan of new objects    OpenTofu 1.8     P? P?
//	plan                   Terraform 1.5    R P R P
//	plan                   OpenTofu 1.8     R P R P
//	plan -refresh=false    Terraform 1.5    P? P?
//	plan -refresh=false    OpenTofu 1.8     P? P?
//	plan -refresh-only     Terraform 1.5    R R
//	plan -refresh-only     OpenTofu 1.8     R R
//	plan -replace          Terraform 1.5    R P P R P
//	plan -replace          OpenTofu 1.8     R P P R P
//	plan -destroy          Terraform 1.5    R P R P / P? P?
//	plan -destroy          OpenTofu 1.8     R P R P / P? P?
//	apply a saved plan     Terraform 1.5    P? A PA A
//	apply a saved plan     Terraform 1.11   PD! A PDA A
//	apply a saved plan     OpenTofu 1.8     P? A PA A
//	apply                  Terraform 1.5    R P R P / P? A PA A
//	apply                  Terraform 1.11   R P R P / PD! A PDA A
//	apply                  OpenTofu 1.8     R P R P / P? A PA A
//	apply -refresh=false   Terraform 1.5    P? P? / P? A PA A
//	apply -refresh=false   Terraform 1.11   P? P? / PD! A PDA A
//	apply -refresh=false   OpenTofu 1.8     P? P? / P? A PA A
//	apply -replace         Terraform 1.5    R P P R P / A PA A PA A
//	apply -replace         Terraform 1.11   R P P R P / A PDA A PDA A
//	apply -replace         OpenTofu 1.8     R P P R P / A PA A PA A
//	destroy                Terraform 1.5    R P R P / P? P? / A A
//	destroy                OpenTofu 1.8     R P R P / P? P? / A A
//
// A test file creates the objects in one run, changes them in a second, plans a
// third, and then destroys them. Terraform 1.16 has one process for all. The
// apply's plan in its second run does not look final, since it follows a refresh.
//
//	test   Terraform 1.8    P? P? / P? A PA A / R P R P / P? A PA A / R P R P / R P R P / P? P? / A A
//	test   Terraform 1.11   P? P? / PD! A PDA A / R P R P / PD! A PDA A / R P R P / R P R P / P? P? / A A
//	test   Terraform 1.16   P? P? PD! A PDA A R P R P PD A PDA A R P R P P P A A
//	test   OpenTofu 1.8     P? P? / P? A PA A / R P R P / P? A PA A / R P R P / R P R P / P? P? / A A
//
// The plan of a stack allows a deferral too, as a plan with the -allow-deferral of
// experimental builds does. This is read in the source of Terraform 1.16, and not
// tried: after a refresh it is PD, and a plan in which nothing has been refreshed
// yet would be PD!, as an apply's.
//
// # What depends on it
//
// Each function that asks, tells or reads one of these, and what it does with the
// answer. TestCommandHasAllDependents compares the list with the code.
//
//	InApply          Purchaser.PlanPurchase                holds no limit against a plan: Reserve does
//	IsFinal          server.PlanResourceChange             refuses a replacement that the plan had not
//	MayBeApply       characterResource.warnOfEnd           says of a deletion that the CLI may stop it
//	MayBeApply       planning.replace                      the same, of a group
//	MayDefer         Purchaser.PlanPurchase                counts nothing of what a later plan buys
//	MayDefer         groupResource.ModifyPlan              leaves a group with unknown prompts to a later plan
//	PlansInApply     ProviderData.RefuseUnknownAtPlan      does not read the character again
//	PlansInApply     Purchaser.StoredAtPlan                says nothing of a purchase that is offered elsewhere
//	PlansInApply     Purchaser.WarnOfGuarded               says nothing of what was bought before: Buy decides
//	PlansInApply     Purchaser.WarnOfUnclaimed             says nothing of what a killed run has bought
//	PlansInApply     Purchaser.refuseWrongAddress          does not try the address again
//	PlansInApply     Purchaser.refuseWithoutLog            does not refuse for want of a log: Buy decides
//	PlansInApply     characterResource.warnOfOthers        says nothing of two resources of one character
//	PlansInApply     imageResource.checkPlanned            does not check the character and its pictures
//	PlansInApply     planning.checkCapabilities            does not read the capabilities
//	PlansInApply     workResource.planCreate               does not check whether the work can start
//	Repeats          server.PlanResourceChange             leaves out the warnings
//	NoteApply        server.ApplyResourceChange            tells that the run has begun
//	NoteRefresh      server.ReadResource                   tells of a refresh; after a change it begins a run
//	DeferralAllowed  Purchaser.CommandOf                   the request of a resource's plan
//	DeferralAllowed  server.PlanResourceChange             the same, before the framework has it
//	DeferralAllowed  mediagen.Configure                    defers all if the address is unknown: no run yet
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

// Progress is what a run has observed of its command.
type Progress struct{ hasRefreshed, hasBegun atomic.Bool }

// NoteRefresh notes that a refresh of a managed resource begins.
func (p *Progress) NoteRefresh() { p.hasRefreshed.Store(true) }

// NoteApply notes that a create, update or delete begins.
func (p *Progress) NoteApply() { p.hasBegun.Store(true) }

// HasBegun reports whether a create, update or delete has begun.
func (p *Progress) HasBegun() bool { return p.hasBegun.Load() }

// Command returns the command of a request. p is nil before the provider is
// configured.
func (p *Progress) Command(mayDefer bool) Command {
	if p == nil {
		return Command{mayDefer: mayDefer}
	}
	return Command{
		hasRun:       true,
		hasRefreshed: p.hasRefreshed.Load(),
		hasBegun:     p.hasBegun.Load(),
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

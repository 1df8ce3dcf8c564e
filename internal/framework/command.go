package framework

import (
	"sync/atomic"
)

// Command is what the CLI is doing, as far as a provider can tell: it plans, or
// it applies, and an apply plans each change once more before it makes the
// change. No CLI tells a provider which of these it does. Command concludes it
// from two facts that the run has observed and one fact of the request. No other
// place may conclude it: each question about the command is a method here.
//
// Similar questions stay separate if their safe answers differ. If a plan says
// too little, a person misses a warning. If a plan outside an apply adds an error
// by mistake, correct work stops.
//
// # What each CLI sends
//
// The table shows the calls of a CLI for two objects. The second object needs
// the first. "/" separates processes of the provider. R is ReadResource, and A is
// ApplyResourceChange. All other calls are PlanResourceChange, named after the
// questions that are answered with yes:
//
//	P     nothing
//	P?    MayBeApply
//	PA    InApply PlansInApply Repeats
//	PD    MayDefer PlansInApply
//	PD!   IsFinal MayDefer PlansInApply Repeats
//	PDA   InApply IsFinal MayDefer PlansInApply Repeats
//
// D means that the CLI allows a deferral, and A that a change has begun. Each
// row holds from its version of the CLI up to the next row of the same command
// and CLI. TestAccCommand_sends fails if the calls or the answers differ from the
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
// A test file creates the objects in one run, changes them in a second run, only
// plans in a third run, and then destroys them. Terraform 1.16 has one process
// for all runs. The apply's plan in the second run does not look final there,
// because it follows a refresh.
//
//	test   Terraform 1.8    P? P? / P? A PA A / R P R P / P? A PA A / R P R P / R P R P / P? P? / A A
//	test   Terraform 1.11   P? P? / PD! A PDA A / R P R P / PD! A PDA A / R P R P / R P R P / P? P? / A A
//	test   Terraform 1.16   P? P? PD! A PDA A R P R P PD A PDA A R P R P P P A A
//	test   OpenTofu 1.8     P? P? / P? A PA A / R P R P / P? A PA A / R P R P / R P R P / P? P? / A A
//
// The plan of a stack also allows a deferral. So does a plan with the option
// -allow-deferral of experimental builds. According to the source of Terraform
// 1.16, and without a trial, such a plan is PD after a refresh. Before any
// refresh it would be PD!, like an apply's plan.
//
// # What depends on it
//
// Each line names a question or a fact, the function that uses it, and the
// consequence. TestCommandHasAllDependents compares the list with the code.
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
//	PlansInApply     planning.reportMissingCapabilities    does not read the capabilities
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

// Progress holds the facts that a run has observed about its command.
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

// InApply reports whether the run has begun to create, update or delete. A yes
// is certain but late: an apply plans its first change before the change
// begins.
func (c Command) InApply() bool { return c.hasBegun }

// MayDefer reports whether the plan may leave an object to a later plan.
func (c Command) MayDefer() bool { return c.mayDefer }

// PlansInApply reports whether a plan belongs to an apply, which repeats the
// plan that a person has seen. It is also true in the plan of a stack. Only
// messages and checks that can be left out may therefore depend on it.
func (c Command) PlansInApply() bool { return c.mayDefer || c.hasBegun }

// Repeats reports whether a plan belongs to an apply, so that a person has read
// its warnings already. Unlike PlansInApply, it is false in the plan of a stack
// after the first refresh.
func (c Command) Repeats() bool { return c.hasRun && (c.hasBegun || c.mayDefer && !c.hasRefreshed) }

// IsFinal reports whether a plan certainly belongs to an apply, so that it may
// refuse differences from the earlier plan. Neither of its two facts is enough
// alone: the plan of a stack may defer, and -refresh=false refreshes nothing.
// IsFinal is false in some plans of an apply, as under OpenTofu; there the CLI
// itself refuses such differences.
func (c Command) IsFinal() bool {
	return c.hasRun && c.mayDefer && (c.hasBegun || !c.hasRefreshed)
}

// MayBeApply reports whether a plan may belong to an apply although no fact
// says so. OpenTofu and old CLIs allow no deferral, and an apply refreshes
// nothing. Plans with -refresh=false look the same. If the plan belongs to an
// apply, the CLI may stop the plan because it differs from the plan that a
// person has seen.
func (c Command) MayBeApply() bool {
	return c.hasRun && !c.mayDefer && !c.hasBegun && !c.hasRefreshed
}

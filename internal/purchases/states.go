package purchases

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The purchase log guards what was bought, until something ends that. A state
// proves that it was stored when a later run is given it: each refresh, plan and
// delete tells the log what the state has.

// refuseWithoutLog refuses, once a run, a plan that no apply can buy since the
// log cannot be written. It only warns of one that cannot be read as a whole, or
// is in a store that cannot be read: a plan shows what is wanted, a person can
// mend the log before the apply, and who plans need not be allowed what the apply
// is, as the pull request of a fork. In an apply the purchase decides.
func (p *Purchaser) refuseWithoutLog(req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if p.CommandOf(req).PlansInApply() {
		return
	}
	log := p.log
	err := log.Check()
	store, isOfStore := errors.AsType[*StoreError](err)
	switch {
	case isOfStore:
		p.planned.refuse("purchase_log", diags, storeCannotBeRead(store))
	case err != nil:
		p.planned.refuse("purchase_log", diags, logCannotBeWritten(err))
	}
	if unreadable := log.Unreadable(); unreadable != nil {
		p.planned.refuse("unreadable purchase_log", diags, logCannotBeRead(unreadable))
	}
}

// WarnOfUnwrittenEntries warns of lines missing from the purchase log.
func (p *Purchaser) WarnOfUnwrittenEntries(diags *diag.Diagnostics) {
	if !p.Known() {
		return
	}
	if lines := p.log.Unwritten(); len(lines) > 0 {
		diags.Append(logIsIncomplete(lines))
	}
}

// BeginPurchase prepares a create or update that buys: what it buys has the
// labels of the plan. Defer end: it makes private state remember what was bought,
// by which a later run knows that the state was stored, notes that the state is
// given to the CLI, and tells a person what the log could not take.
func (p *Purchaser) BeginPurchase(
	ctx context.Context, plan tfsdk.Plan, private framework.PrivateState, diags *diag.Diagnostics,
) (purchasing context.Context, end func()) {
	if !p.Known() {
		return ctx, func() {}
	}
	log := p.log
	var own types.Map
	diags.Append(plan.GetAttribute(ctx, path.Root(framework.LabelsName), &own)...)
	labels := framework.MergedLabels(p.Labels, framework.TextsByKey(own))
	purchasing, bought := Collect(ctx, framework.HolderName(ctx, private, private, diags), labels)
	return purchasing, func() {
		before := requestsIn(ctx, private)
		made := bought()
		if len(before)+len(made) > 0 {
			after := append(log.Living(before), made...)
			diags.Append(framework.StorePrivateKey(ctx, private, framework.RequestKey, after)...)
		}
		log.Returned(made)
		p.WarnOfUnwrittenEntries(diags)
	}
}

// KnowsOrder reports whether a plan knows all that a purchase would be made of,
// which labels are no part of.
func KnowsOrder(config tfsdk.Config) bool {
	return framework.IsKnownBut(framework.LabelsName, config.Raw)
}

func requestsIn(ctx context.Context, private framework.PrivateReader) (requests []string) {
	_ = framework.LoadPrivateKey(ctx, private, framework.RequestKey, &requests) // what cannot be read proves nothing
	return requests
}

// Imports notes that this run imports something: what it is given of that is in
// no state yet.
func (p *Purchaser) Imports() {
	if p.Known() {
		p.imports.Store(true)
	}
}

// Refreshed tells the purchase log, at a refresh, what the state of an object
// has of purchases: it was stored with them.
func (p *Purchaser) Refreshed(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		has.IsNew = p.imports.Load() && framework.Imported(ctx, private)
		p.log.Stored(holdingOf(ctx, private, has))
	}
}

// StoredAtPlan is Stored in a plan, and says so where another object of the plan
// buys what this one has: the plan of that may have been first.
func (p *Purchaser) StoredAtPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	has Holding,
	describe Describe,
	diags *diag.Diagnostics,
) {
	p.Stored(ctx, req.Private, has)
	if !p.Known() || p.CommandOf(req).PlansInApply() {
		return
	}
	found := p.log.OfferedElsewhere(objectName(ctx, req.Private))
	if len(found) > 0 {
		diags.Append(describe(found).OfferedWarning())
	}
}

// Stored tells the purchase log what the prior state of a plan or a deletion has
// of purchases. That of an import may be in no state yet: the apply of an import
// block is given it like any other, and only a later refresh proves it.
func (p *Purchaser) Stored(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		has.IsNew = framework.Imported(ctx, private)
		p.log.Stored(holdingOf(ctx, private, has))
	}
}

// Forgotten tells the purchase log what a state has had of purchases, and has
// given up.
func (p *Purchaser) Forgotten(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		p.log.Forgotten(holdingOf(ctx, private, has))
	}
}

// FoundGone tells the purchase log what a refresh has found gone of all that an
// object has.
func (p *Purchaser) FoundGone(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		p.log.Gone(holdingOf(ctx, private, has))
	}
}

// holdingOf completes what a state has by what private state remembers. Objects
// that earlier builds have made may have no name there.
func holdingOf(ctx context.Context, private framework.PrivateReader, has Holding) Holding {
	has.Requests = requestsIn(ctx, private)
	has.Object = objectName(ctx, private)
	if framework.Imported(ctx, private) {
		has.Keys = nil // an import does not read the title
	}
	if has.Object == "" {
		has.Object = strings.Join(append(slices.Clone(has.Requests), has.CharacterID, has.JobID), " ")
	}
	return has
}

// objectName is the name of an object in private state; empty if it has none.
func objectName(ctx context.Context, private framework.PrivateReader) string {
	var ignored diag.Diagnostics // whoever writes private state reports them
	return framework.HolderName(ctx, private, nil, &ignored)
}

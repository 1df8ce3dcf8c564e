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

// The purchase log guards each purchase until something ends the purchase. Each
// refresh, plan and delete tells the log which purchases the state has. A state
// that a later run is given was certainly stored.

// refuseWithoutLog adds an error, once a run, if the log cannot be written,
// because no apply could buy. It only warns if the log cannot be read as a
// whole, or if its store cannot be read: the plan shows what is wanted, and a
// person can mend the log before the apply. The plan may also have fewer rights
// than the apply, for example for the pull request of a fork. In an apply's
// plan it says nothing, because the purchase itself decides.
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

// WarnOfUnwrittenEntries warns of lines that are missing from the purchase log.
func (p *Purchaser) WarnOfUnwrittenEntries(diags *diag.Diagnostics) {
	if !p.Known() {
		return
	}
	if lines := p.log.Unwritten(); len(lines) > 0 {
		diags.Append(logIsIncomplete(lines))
	}
}

// BeginPurchase prepares a create or update that buys. Purchases in the
// returned context have the labels of the plan. Defer end. It stores the
// purchases in private state, which proves to a later run that the state was
// stored. It notes that the state is given to the CLI, and shows lines that the
// log could not take.
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

// KnowsOrder reports whether a plan knows all inputs of a purchase. Labels are
// no input.
func KnowsOrder(config tfsdk.Config) bool {
	return framework.IsKnownBut(framework.LabelsName, config.Raw)
}

func requestsIn(ctx context.Context, private framework.PrivateReader) (requests []string) {
	_ = framework.LoadPrivateKey(ctx, private, framework.RequestKey, &requests) // an unreadable value proves nothing
	return requests
}

// Imports notes that this run imports something. Imported objects may not be in
// any state yet.
func (p *Purchaser) Imports() {
	if p.Known() {
		p.imports.Store(true)
	}
}

// Refreshed tells the purchase log at a refresh which purchases the state of an
// object has. The refresh proves that the state was stored with them.
func (p *Purchaser) Refreshed(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		has.IsNew = p.imports.Load() && framework.Imported(ctx, private)
		p.log.Stored(holdingOf(ctx, private, has))
	}
}

// StoredAtPlan calls Stored in a plan. It also warns if another object of the
// plan buys an order that this object has, because the other object may have
// been planned first.
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

// Stored tells the purchase log which purchases the prior state of a plan or a
// deletion has. The purchases of an import may be in no state yet: the apply of
// an import block receives its prior state like any other apply, and only a
// later refresh proves that the state was stored.
func (p *Purchaser) Stored(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		has.IsNew = framework.Imported(ctx, private)
		p.log.Stored(holdingOf(ctx, private, has))
	}
}

// Forgotten tells the purchase log which purchases a state has given up.
func (p *Purchaser) Forgotten(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		p.log.Forgotten(holdingOf(ctx, private, has))
	}
}

// FoundGone tells the purchase log which purchases of an object a refresh has
// found gone.
func (p *Purchaser) FoundGone(ctx context.Context, private framework.PrivateReader, has Holding) {
	if p.Known() {
		p.log.Gone(holdingOf(ctx, private, has))
	}
}

// holdingOf completes a holding from private state. Objects that earlier builds
// have made may have no name there.
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

// objectName returns the name of an object in private state, or "" if it has
// none.
func objectName(ctx context.Context, private framework.PrivateReader) string {
	var ignored diag.Diagnostics // whoever writes private state reports them
	return framework.HolderName(ctx, private, nil, &ignored)
}

package run

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// The purchase log guards what no state is known to have. A state proves that
// it was stored when a later run is given it: each refresh, plan and delete
// tells the log what the state has.

// refuseWithoutLog refuses, once a run, a plan that no apply can buy since the
// log cannot be written. It only warns of one that cannot be read as a whole: a
// plan shows what is wanted, and a person can mend the log before the apply. In
// an apply the purchase decides.
func (d *ProviderData) refuseWithoutLog(req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	if d.PlansInApply(req) {
		return
	}
	log := d.Client.PurchaseLog()
	if err := log.Check(); err != nil {
		d.purchases.refuse("purchase_log", diags, logCannotBeWritten(err))
	}
	if unreadable := log.Unreadable(); unreadable != nil {
		d.purchases.refuse("unreadable purchase_log", diags, logCannotBeRead(unreadable))
	}
}

// WarnOfUnwrittenEntries warns of lines missing from the purchase log.
func (d *ProviderData) WarnOfUnwrittenEntries(diags *diag.Diagnostics) {
	if !d.Known() {
		return
	}
	if lines := d.Client.PurchaseLog().Unwritten(); len(lines) > 0 {
		diags.Append(logIsIncomplete(lines))
	}
}

// BeginPurchase prepares a create or update that buys. Defer end: it makes
// private state remember what was bought, by which a later run knows that the
// state was stored, and tells a person what the log could not take.
func (d *ProviderData) BeginPurchase(
	ctx context.Context, private privatestate.Data, diags *diag.Diagnostics,
) (purchasing context.Context, end func()) {
	if !d.Known() {
		return ctx, func() {}
	}
	purchasing, bought := purchases.Collect(ctx)
	return purchasing, func() {
		before := requestsIn(ctx, private)
		after := append(d.Client.PurchaseLog().Open(before), bought()...)
		if len(before)+len(after) > 0 {
			diags.Append(privatestate.StoreKey(ctx, private, privatestate.RequestKey, after)...)
		}
		d.WarnOfUnwrittenEntries(diags)
	}
}

func requestsIn(ctx context.Context, private privatestate.Reader) (requests []string) {
	_ = privatestate.LoadKey(ctx, private, privatestate.RequestKey, &requests) // what cannot be read proves nothing
	return requests
}

// Imports notes that this run imports something: what it is given of that is in
// no state yet.
func (d *ProviderData) Imports() {
	if d.Known() {
		d.imports.Store(true)
	}
}

// Stored tells the purchase log what a prior state has of purchases, which were
// stored with it.
func (d *ProviderData) Stored(ctx context.Context, private privatestate.Reader, has purchases.Holding) {
	if !d.Known() || d.imports.Load() && privatestate.Imported(ctx, private) {
		return
	}
	has.Requests = requestsIn(ctx, private)
	d.Client.PurchaseLog().Stored(has)
}

// Forgotten tells the purchase log what a state has had of purchases, and has
// given up.
func (d *ProviderData) Forgotten(ctx context.Context, private privatestate.Reader, has purchases.Holding) {
	if d.Known() {
		has.Requests = requestsIn(ctx, private)
		d.Client.PurchaseLog().Forgotten(has)
	}
}

// Guarded is what an open entry of the purchase log keeps from being bought.
type Guarded struct {
	Object  string
	Found   []purchases.Bought
	Import  string // what a person pastes to have it; empty if it cannot be imported
	Again   string // what a person changes to buy it again
	Summary func(what string) string
}

// Warning is for a plan: the state that has it may not have been read yet.
func (g Guarded) Warning() diag.Diagnostic {
	return diag.NewWarningDiagnostic(g.Summary("Another Run Has Bought This"),
		g.text("An apply refuses to buy it again, unless a state that is read before shows it."))
}

// Error is for an apply, before anything is sent.
func (g Guarded) Error() diag.Diagnostic {
	return diag.NewErrorDiagnostic(g.Summary("Another Run Has Bought This"),
		g.text("Nothing was sent for it, and nothing was bought."))
}

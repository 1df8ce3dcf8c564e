package purchases

import (
	"context"
	"math/big"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The sum of the purchases that a run plans is held against the limits.

// PlanCreate calls PlanPurchase for a create, and shows the tally in the plan.
func (p *Purchaser) PlanCreate(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, purchase PlannedPurchase,
) (mayAsk bool) {
	mayAsk = p.PlanPurchase(ctx, req, purchase, &resp.Diagnostics)
	tally := p.Tally(Tally{}, purchase.Purchase)
	if framework.IsReplacement(ctx, req.Private) {
		tally = UnknownTally()
	}
	resp.Diagnostics.Append(tally.Set(ctx, resp.Plan.SetAttribute)...)
	return mayAsk
}

// PlannedPurchase is the purchase in the plan of one object.
type PlannedPurchase struct {
	Purchase
	// Holder is the object's name among Holders; a replacement has the name of its
	// predecessor. It is empty for a create, which a run plans only once.
	Holder string
	Object string // the object in messages
}

// plannedPurchases adds up what the plans of a run buy, so that a plan fails if
// it exceeds a limit.
type plannedPurchases struct {
	mutex sync.Mutex
	seen  []PlannedPurchase // one per object
	// refused holds the reasons for which a plan of this run has an error or a
	// warning already. Each limit is reported once.
	refused sync.Map
	// address makes the run check base_url once. wrongAddress is true if base_url
	// is known to be wrong.
	address      sync.Once
	wrongAddress bool
}

// PlanPurchase counts what a plan buys, and reports whether the plan may send
// further requests. It adds an error if the plans of this run buy more than a
// limit allows; earlier purchases of an object do not count. Plans refuse
// nothing once the run has begun to create, update or delete something. Each
// purchase is then counted before it is sent, and is not sent beyond a limit
// (see Account.Reserve). It is counted whole or not at all.
func (p *Purchaser) PlanPurchase(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	purchase PlannedPurchase,
	diags *diag.Diagnostics,
) (mayAsk bool) {
	if p == nil || purchase.Count == 0 {
		return false
	}
	if !p.Known() {
		if !p.CommandOf(req).MayDefer() { // otherwise the object is deferred, and a later plan buys
			p.planned.check(p.Limits, new(big.Rat), purchase, diags)
		}
		return false
	}
	if p.refuseWrongAddress(ctx, req, purchase.Object, diags) {
		return false
	}
	p.refuseWithoutLog(req, diags)
	if limits := p.account.Limits(); len(limits) > 0 && !p.CommandOf(req).InApply() {
		p.planned.check(limits, p.spentThisMonth(limits), purchase, diags)
	}
	return true
}

// spentThisMonth returns the credits that the purchase log has for this month,
// or 0 if no limit needs them.
func (p *Purchaser) spentThisMonth(limits []*Limit) *big.Rat {
	if !slices.ContainsFunc(limits, func(limit *Limit) bool { return limit.IsOfMonth }) {
		return new(big.Rat)
	}
	return p.log.SpentThisMonth(p.Clock.Now())
}

// check counts a purchase. It adds an error if the purchases so far exceed a
// limit. A limit of the month includes the earlier cost of this month.
func (p *plannedPurchases) check(
	limits []*Limit,
	thisMonth *big.Rat,
	purchase PlannedPurchase,
	diags *diag.Diagnostics,
) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	// A replacement is planned twice, first as an update and then as a create.
	p.seen = slices.DeleteFunc(
		p.seen,
		func(before PlannedPurchase) bool { return before.Holder != "" && before.Holder == purchase.Holder },
	)
	p.seen = append(p.seen, purchase)
	for _, limit := range limits {
		if !limit.HasPrice(purchase.Kind) {
			p.refuse(purchase.Kind, diags, priceIsMissing(limit, purchase))
			continue
		}
		sum := new(big.Rat)
		if limit.IsOfMonth {
			sum.Set(thisMonth)
		}
		for _, seen := range p.seen {
			sum.Add(sum, limit.Cost(seen.Purchase))
		}
		if !limit.Allows(sum) {
			p.refuse(limit.Attribute, diags, limitIsExceeded(limit, p.seen, sum, thisMonth))
		}
	}
}

// refuseWrongAddress refuses a plan if base_url is known to be wrong. The first
// plan of a run finds out, and adds the error for all plans. An apply's plan
// does not ask, because the earlier plan has asked.
func (p *Purchaser) refuseWrongAddress(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	object string,
	diags *diag.Diagnostics,
) (refused bool) {
	if p.CommandOf(req).PlansInApply() {
		return false
	}
	p.planned.address.Do(func() {
		if wrong := p.Client.WrongAddress(ctx); wrong != nil {
			p.planned.wrongAddress = true
			diags.Append(framework.Failure{
				Verb:   "Plan",
				Noun:   "Purchase",
				Object: object,
			}.Error(wrong))
		}
	})
	return p.planned.wrongAddress
}

// refuse adds the error or the warning for a reason once.
func (p *plannedPurchases) refuse(reason string, diags *diag.Diagnostics, refusal diag.Diagnostic) {
	if _, known := p.refused.LoadOrStore(reason, true); !known {
		diags.Append(refusal)
	}
}

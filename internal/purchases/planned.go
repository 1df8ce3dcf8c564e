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

// The sum of what all plans of a run buy is held against the limits.

// PlanCreate is PlanPurchase of a create, and shows the tally in the plan.
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

// PlannedPurchase is what the plan of one object buys.
type PlannedPurchase struct {
	Purchase
	// Holder is the name of the object among Holders, or of the one that it
	// replaces. It is empty for a create: a provider is asked once to plan it.
	Holder string
	Object string // names it in messages
}

// plannedPurchases counts what the plans of a run buy, so that limits fail a
// plan.
type plannedPurchases struct {
	mutex sync.Mutex
	seen  []PlannedPurchase // one of each object
	// refused has what a plan of this run has got an error or a warning for: one
	// a limit is enough.
	refused sync.Map
	// address asks once whether base_url is right: it is wrong as far as is
	// known.
	address      sync.Once
	wrongAddress bool
}

// PlanPurchase counts what a plan buys, and reports whether the plan may ask
// the service more. It adds an error if the plans so far buy more than a limit
// allows: what this run plans, not what an object has bought in its life. Once
// the run has begun to create, update or delete something, plans refuse
// nothing. Each purchase is counted before it is sent then, whole or not at
// all, and not sent beyond a limit (Account.Reserve in purchases).
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
		if !p.CommandOf(req).MayDefer() { // else it is deferred, and bought by another plan
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

// spentThisMonth is what the purchase log has of this month, if a limit needs it.
func (p *Purchaser) spentThisMonth(limits []*Limit) *big.Rat {
	if !slices.ContainsFunc(limits, func(limit *Limit) bool { return limit.IsOfMonth }) {
		return new(big.Rat)
	}
	return p.log.SpentThisMonth(p.Clock.Now())
}

// check counts a purchase, and is an error once all so far are beyond a limit, or
// with what this month has cost before.
func (p *plannedPurchases) check(
	limits []*Limit,
	thisMonth *big.Rat,
	purchase PlannedPurchase,
	diags *diag.Diagnostics,
) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	// A replacement is planned as an update, and then as a create.
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

// refuseWrongAddress refuses a plan if nothing can be bought at base_url, as far
// as is known. The first plan of a run finds out, and adds the error for all
// plans. An apply's plan does not ask: its plan did.
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

// refuse adds the error or the warning for a reason, once.
func (p *plannedPurchases) refuse(reason string, diags *diag.Diagnostics, refusal diag.Diagnostic) {
	if _, known := p.refused.LoadOrStore(reason, true); !known {
		diags.Append(refusal)
	}
}

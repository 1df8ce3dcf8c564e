package framework

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// PlannedPurchase is what the plan of one object buys.
type PlannedPurchase struct {
	api.Purchase
	// Holder is the name of the object among Holders, or of the one that it
	// replaces. It is empty for a create: a provider is asked once to plan it.
	Holder string
	// Object names it in messages.
	Object string
}

// plannedPurchases hold the planned purchase of each object.
type plannedPurchases struct {
	mutex  sync.Mutex
	seen   []PlannedPurchase
	listed bool
}

// PlanPurchase counts what a plan buys. It adds an error if the plan buys more
// than a limit allows, as far as it has been made. Once an apply has begun, each
// request is counted before it is sent, and plans refuse nothing.
func (d *Data) PlanPurchase(ctx context.Context, req resource.ModifyPlanRequest, purchase PlannedPurchase, diags *diag.Diagnostics) {
	if !d.Known() || purchase.Count == 0 || !d.addressIsRight(ctx, req, purchase.Object, diags) {
		return
	}
	d.warnOfPurchaseLog(diags)
	limits, planned := d.Client.Limits(), &d.purchases
	if len(limits) == 0 || d.applied.Load() {
		return
	}
	planned.mutex.Lock()
	defer planned.mutex.Unlock()
	planned.add(purchase)
	for _, limit := range limits {
		if !limit.HasPrice(purchase.Kind) {
			diags.AddError("Missing Price", fmt.Sprintf("The limit %[1]s is set, and prices has no %[2]s, so nobody can tell whether the limit holds. Without it this is not bought: the %[3]s.\n\n"+
				"Set prices = { %[2]s = … } in the provider's configuration, or MEDIAGEN_PRICES to {\"%[2]s\": …}; or remove %[1]s.", limit.Attribute, purchase.Kind, purchase.Object))
		} else if sum := planned.sum(limit); !limit.Allows(sum) {
			diags.AddError("Purchase Limit Exceeded", planned.refusal(purchase, limit, sum))
		}
	}
}

// add counts a purchase, in place of what the same object had planned before: a
// replacement is planned as an update, and then as a create.
func (p *plannedPurchases) add(purchase PlannedPurchase) {
	p.seen = slices.DeleteFunc(p.seen, func(before PlannedPurchase) bool {
		return before.Holder != "" && before.Holder == purchase.Holder
	})
	p.seen = append(p.seen, purchase)
}

// sum is what all purchases count.
func (p *plannedPurchases) sum(limit *api.Limit) *big.Rat {
	sum := new(big.Rat)
	for _, seen := range p.seen {
		sum.Add(sum, limit.Cost(seen.Purchase))
	}
	return sum
}

// refusal lists all purchases once; later objects only name themselves.
func (p *plannedPurchases) refusal(purchase PlannedPurchase, limit *api.Limit, sum *big.Rat) string {
	text := fmt.Sprintf("The plan buys at least %s so far, counted in %s, and %s allows %s in one plan or apply of this provider configuration.\n\n",
		api.Decimal(sum), limit.Unit, limit.Attribute, api.Decimal(limit.Most))
	const consequence = "A plan buys nothing, and an apply does not send this purchase."
	line := func(purchase PlannedPurchase) string {
		return fmt.Sprintf("%s by the %s", api.Decimal(limit.Cost(purchase.Purchase)), purchase.Object)
	}
	if p.listed {
		return text + fmt.Sprintf("This one: %s\n\n%s", line(purchase), consequence)
	}
	p.listed = true
	var lines []string
	for _, seen := range p.seen {
		lines = append(lines, "- "+line(seen))
	}
	return text + Several(lines, "\n") + "\n\n" + consequence + fmt.Sprintf(" Raise %s (MEDIAGEN_%s) or remove it, or buy less at a time with -target. ", limit.Attribute, strings.ToUpper(limit.Attribute)) +
		"A destroy plans the configuration first: add -refresh=false to destroy without that, or remove the limit for that run. " +
		"In a test file of Terraform 1.16 with a provider block, what is created counts twice: in the plan of its run and in the apply."
}

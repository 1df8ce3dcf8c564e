package framework

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// PlannedPurchase is what the plan of one object buys.
type PlannedPurchase struct {
	api.Purchase
	// Type, and Config, its configuration, identify the object, since no plan
	// knows the address.
	Type   string
	Config tftypes.Value
	// Object names it in messages.
	Object string
}

// plannedPurchases hold the largest planned purchase of each object. Objects
// are distinguished by configuration, since one may be planned several times,
// as for a replacement, or by the runs of a test file.
type plannedPurchases struct {
	mutex  sync.Mutex
	seen   []PlannedPurchase
	listed bool
}

// PlanPurchase counts what a plan buys. It adds an error if the plan buys more
// than a limit allows, as far as it has been made.
func (d *Data) PlanPurchase(purchase PlannedPurchase, diags *diag.Diagnostics) {
	if !d.Known() || purchase.Count == 0 {
		return
	}
	d.warnOfPurchaseLog(diags)
	limits, planned := d.Client.Limits(), &d.purchases
	if len(limits) == 0 {
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
			diags.AddError("Purchase Limit Exceeded", planned.refusal(purchase, limit, sum, d.Client))
		}
	}
}

// add counts a purchase.
func (p *plannedPurchases) add(purchase PlannedPurchase) {
	i := slices.IndexFunc(p.seen, func(before PlannedPurchase) bool {
		return before.Type == purchase.Type && couldBe(before.Config, purchase.Config)
	})
	if i < 0 {
		p.seen = append(p.seen, purchase)
		return
	}
	before := &p.seen[i]
	if !before.Config.IsFullyKnown() {
		before.Config = purchase.Config
	}
	if purchase.Count > before.Count {
		before.Object, before.Count = purchase.Object, purchase.Count
	}
}

// sum is what all purchases count.
func (p *plannedPurchases) sum(limit *api.Limit) *big.Rat {
	sum := new(big.Rat)
	for _, seen := range p.seen {
		sum.Add(sum, limit.Cost(seen.Purchase))
	}
	return sum
}

// refusal lists all purchases once; later objects only name themselves. An apply
// plans again, after it may have bought something.
func (p *plannedPurchases) refusal(purchase PlannedPurchase, limit *api.Limit, sum *big.Rat, client *api.Client) string {
	text := fmt.Sprintf("The plan buys at least %s so far, counted in %s, and %s allows %s in one plan or apply of this provider configuration.\n\n",
		api.Decimal(sum), limit.Unit, limit.Attribute, api.Decimal(limit.Most))
	consequence := "A plan buys nothing, and an apply does not send this purchase."
	if bought := client.Bought(limit); bought.Sign() > 0 {
		consequence = fmt.Sprintf("This run, which began at %s, has or may have bought %s; this purchase was not sent, and applying again, if need be with a higher limit, goes on with it.",
			client.Began(), api.Decimal(bought))
	}
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
		"A destroy plans the configuration first: add -refresh=false to destroy without that, or remove the limit for that run."
}

// couldBe reports whether the known parts of two values are equal.
func couldBe(one, other tftypes.Value) bool {
	if !one.IsKnown() || !other.IsKnown() {
		return true
	}
	if one.IsNull() || other.IsNull() {
		return one.IsNull() && other.IsNull()
	}
	var fields, otherFields map[string]tftypes.Value
	if one.As(&fields) == nil && other.As(&otherFields) == nil {
		for name, field := range fields {
			if otherField, found := otherFields[name]; !found || !couldBe(field, otherField) {
				return false
			}
		}
		return len(fields) == len(otherFields)
	}
	var items, otherItems []tftypes.Value
	if one.As(&items) == nil && other.As(&otherItems) == nil {
		for i := range min(len(items), len(otherItems)) {
			if !couldBe(items[i], otherItems[i]) {
				return false
			}
		}
		return len(items) == len(otherItems)
	}
	return one.Equal(other)
}

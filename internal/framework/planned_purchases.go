package framework

import (
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// PlannedPurchase is what the plan of one object buys.
type PlannedPurchase struct {
	// Type is the resource type. Config, its configuration, identifies the
	// object, since no plan knows the address.
	Type   string
	Config tftypes.Value
	// Object names it in messages.
	Object string
	// Count is the number of prompts or trainings.
	Count int64
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
// than max_purchases allows, as far as it has been made.
func (d *Data) PlanPurchase(purchase PlannedPurchase, diags *diag.Diagnostics) {
	if !d.Known() || purchase.Count == 0 {
		return
	}
	d.warnOfPurchaseLog(diags)
	limit := d.Client.MaxPurchases()
	if limit == nil {
		return
	}
	planned := &d.purchases
	planned.mutex.Lock()
	defer planned.mutex.Unlock()
	if sum := planned.add(purchase); sum > *limit {
		diags.AddError("Purchase Limit Exceeded", planned.refusal(purchase, sum, *limit, d.Client))
	}
}

// add counts a purchase, and returns the sum of all.
func (p *plannedPurchases) add(purchase PlannedPurchase) (sum int64) {
	known := false
	for i := range p.seen {
		before := &p.seen[i]
		if !known && before.Type == purchase.Type && couldBe(before.Config, purchase.Config) {
			known = true
			if !before.Config.IsFullyKnown() {
				before.Config = purchase.Config
			}
			if purchase.Count > before.Count {
				before.Object, before.Count = purchase.Object, purchase.Count
			}
		}
		sum += before.Count
	}
	if !known {
		p.seen = append(p.seen, purchase)
		sum += purchase.Count
	}
	return sum
}

// refusal lists all purchases once; later objects only name themselves. An apply
// plans again, after it may have bought something.
func (p *plannedPurchases) refusal(purchase PlannedPurchase, sum, limit int64, client *api.Client) string {
	text := fmt.Sprintf("The plan buys at least %d so far, counted in prompts and trainings, and max_purchases allows %d in one plan or apply of this provider configuration.\n\n", sum, limit)
	consequence := "A plan buys nothing, and an apply does not send this purchase."
	if bought := client.Purchased(); bought > 0 {
		consequence = fmt.Sprintf("This run, which began at %s, has or may have bought %d; this purchase was not sent, and applying again, if need be with a higher limit, goes on with it.", client.Began(), bought)
	}
	if p.listed {
		return text + fmt.Sprintf("This one: %d by the %s\n\n%s", purchase.Count, purchase.Object, consequence)
	}
	p.listed = true
	var lines []string
	for _, seen := range p.seen {
		lines = append(lines, fmt.Sprintf("- %d by the %s", seen.Count, seen.Object))
	}
	return text + Several(lines, "\n") + "\n\n" + consequence + " Raise max_purchases (MEDIAGEN_MAX_PURCHASES) or remove it, or buy less at a time with -target. " +
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

package purchases

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The plan decides what is bought, from the states that it was given, and notes
// the decision in the purchase log. The apply obeys. An apply sees no unchanged
// object: an apply that decided by itself once deleted the media of a renamed
// group and then refused to buy the new group.

// Describe describes the purchases that the log has of an order.
type Describe func(found []Bought) GuardedOrder

// Wanted is the order of a planned purchase.
type Wanted struct {
	Order    *Entry
	Describe Describe
	// MayAsk is true if the plan may ask the service whether bought objects still
	// exist.
	MayAsk bool
}

// WarnOfGuarded warns at plan if a planned purchase was bought before, and the
// earlier purchase is in no state or in the state of another object. It returns
// the keys that are in no state. It says nothing in an apply's plan, because
// the purchase itself decides there.
func (p *Purchaser) WarnOfGuarded(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	want Wanted,
	diags *diag.Diagnostics,
) (guarded []string) {
	if !p.Known() || p.CommandOf(req).PlansInApply() {
		return nil
	}
	log := p.log
	object := cmp.Or(objectName(ctx, req.Private), rand.Text())
	found := log.Find(want.Order, object)
	shown := map[string]bool{}
	if want.MayAsk {
		var gone bool
		gone, shown = p.endGone(ctx, found.Guarded)
		if gone {
			found = log.Find(want.Order, object)
		}
	}
	log.Want(found, shown)
	if len(found.Guarded) > 0 {
		diags.Append(want.Describe(found.Guarded).Warning())
	}
	if len(found.Equal) > 0 {
		diags.Append(want.Describe(found.Equal).EqualWarning())
	}
	for _, bought := range found.Guarded {
		guarded = append(guarded, bought.Keys...)
	}
	return guarded
}

// WarnOfUnclaimed warns at plan if a killed run has bought an object's order
// once more to replace the object. Nothing else shows this purchase, because
// the plan has no change. The service is asked about it, since the warning must
// end once somebody has deleted the media at the service.
func (p *Purchaser) WarnOfUnclaimed(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	order func() *Entry,
	describe Describe,
	diags *diag.Diagnostics,
) {
	if !p.Known() || p.CommandOf(req).PlansInApply() {
		return
	}
	log := p.log
	object := objectName(ctx, req.Private)
	told, untold := log.Unclaimed(order, object)
	gone, shown := p.endGone(ctx, told)
	if gone {
		told, untold = log.Unclaimed(order, object)
	}
	log.Want(Found{Guarded: slices.Concat(told, untold)}, shown)
	if len(told) > 0 {
		diags.Append(describe(told).UnclaimedWarning())
	}
}

// RefuseGuarded adds an error if an apply is about to buy something that
// another run has bought. It comes before the reads that a purchase needs. Buy
// asks again when it sends the order.
func (p *Purchaser) RefuseGuarded(
	ctx context.Context,
	want *Entry,
	describe Describe,
	diags *diag.Diagnostics,
) (refused bool) {
	if !p.Known() {
		return false
	}
	log := p.log
	found := log.Refuse(ctx, want)
	if gone, _ := p.endGone(ctx, found); gone {
		found = log.Refuse(ctx, want)
	}
	if len(found) == 0 {
		return false
	}
	diags.Append(describe(found).Error())
	return true
}

// RefuseDeletion adds an error if an apply is about to delete an object
// although it has just refused to buy an equal object. The plan may have meant
// the equal object to take the place of this object.
func (p *Purchaser) RefuseDeletion(
	ctx context.Context,
	private framework.PrivateReader,
	describe Describe,
	diags *diag.Diagnostics,
) (refused bool) {
	if !p.Known() {
		return false
	}
	found := p.log.RefusedElsewhere(objectName(ctx, private))
	if len(found) == 0 {
		return false
	}
	diags.Append(describe(found).NotDeleted())
	return true
}

// endGone asks the service for bought objects, and notes those that are proven
// gone. They cannot be imported any more, and are bought again. shown are the
// objects that the service shows.
func (p *Purchaser) endGone(ctx context.Context, found []Bought) (anyGone bool, shown map[string]bool) {
	gone, shown := p.probe(ctx, found)
	if len(gone) > 0 {
		p.log.Gone(Holding{Generations: gone})
	}
	return len(gone) > 0, shown
}

// GuardedOrder describes an order of an object that the purchase log has
// already.
type GuardedOrder struct {
	Object string
	Found  []Bought
	// Import is the id for an import of the purchase, as an expression. It is
	// empty if the purchase cannot be imported.
	Import string
	// IsInState is true if the state has the object, so that an import must
	// replace it. Leaves are the ids that the replacement leaves at the service.
	IsInState bool
	Leaves    []string
	Again     string // the change by which a person buys it again
	Summary   func(what string) string
}

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

// The plan decides, by what the states that it was given have, and notes that in
// the purchase log; the apply obeys. An apply that decided by itself, without
// any unchanged object, has deleted the media of a renamed group and then
// refused to buy the new one.

// Describe words what the purchase log has of what is wanted.
type Describe func(found []Bought) GuardedOrder

// Wanted is what a plan would buy of an object, as the purchase log knows it.
type Wanted struct {
	Order    *Entry
	Describe Describe
	// MayAsk says that the plan may ask the service whether what was bought is
	// still there.
	MayAsk bool
}

// WarnOfGuarded says at plan what of a planned purchase was bought before, and
// is in no state, or in that of another object. It returns the keys of what is
// in none. An apply that plans again says nothing: its purchase decides.
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

// WarnOfUnclaimed says at plan that a killed run has bought once more what an
// object has: it would have replaced the object. Nothing else shows that: the
// plan has no change. It asks the service for that, since the warning ends once
// somebody has deleted it there.
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

// RefuseGuarded reports, with an error, whether an apply must not buy what it is
// about to, since another run has. It is asked before the reads that a purchase
// needs: Buy asks again, when it sends the order.
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

// RefuseDeletion reports, with an error, whether an apply must not delete what an
// object has: it has just refused to buy the same for another, which the plan may
// have meant to take the place of this one.
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

// endGone asks the service for what was bought, and notes what is proven gone:
// nobody can import that, and it is bought again. It returns what is shown.
func (p *Purchaser) endGone(ctx context.Context, found []Bought) (anyGone bool, shown map[string]bool) {
	gone, shown := p.probe(ctx, found)
	if len(gone) > 0 {
		p.log.Gone(Holding{Generations: gone})
	}
	return len(gone) > 0, shown
}

// GuardedOrder is what the purchase log has of what an object wants.
type GuardedOrder struct {
	Object string
	Found  []Bought
	// Import is the id of the import that has what was bought, as an expression;
	// empty if it cannot be imported.
	Import string
	// IsInState says that the object is in the state, so that an import has to
	// replace it, and Leaves are the ids that this leaves at the service.
	IsInState bool
	Leaves    []string
	Again     string // what a person changes to buy it again
	Summary   func(what string) string
}

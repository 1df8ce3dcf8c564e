package run

import (
	"cmp"
	"context"
	"crypto/rand"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// The plan decides, by what the states that it was given have, and notes that in
// the purchase log; the apply obeys. An apply that decided by itself, without
// any unchanged object, has deleted the media of a renamed group and then
// refused to buy the new one.

// Describe words what the purchase log has of what is wanted.
type Describe func(found []purchases.Bought) Guarded

// Wanted is what a plan would buy of an object, as the purchase log knows it.
type Wanted struct {
	Order    *purchases.Entry
	Describe Describe
	// MayAsk says that the plan may ask the service whether what was bought is
	// still there.
	MayAsk bool
}

// WarnOfGuarded says at plan what of a planned purchase was bought before, and
// is in no state, or in that of another object. It returns the keys of what is
// in none. An apply that plans again says nothing: its purchase decides.
func (d *ProviderData) WarnOfGuarded(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	want Wanted,
	diags *diag.Diagnostics,
) (guarded []string) {
	if !d.Known() || d.CommandOf(req).PlansInApply() {
		return nil
	}
	log := d.Client.PurchaseLog()
	object := cmp.Or(objectName(ctx, req.Private), rand.Text())
	found := log.Find(want.Order, object)
	shown := map[string]bool{}
	if want.MayAsk {
		var gone bool
		gone, shown = d.endGone(ctx, found.Guarded)
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
func (d *ProviderData) WarnOfUnclaimed(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	order func() *purchases.Entry,
	describe Describe,
	diags *diag.Diagnostics,
) {
	if !d.Known() || d.CommandOf(req).PlansInApply() {
		return
	}
	log := d.Client.PurchaseLog()
	object := objectName(ctx, req.Private)
	told, untold := log.Unclaimed(order, object)
	gone, shown := d.endGone(ctx, told)
	if gone {
		told, untold = log.Unclaimed(order, object)
	}
	log.Want(purchases.Found{Guarded: slices.Concat(told, untold)}, shown)
	if len(told) > 0 {
		diags.Append(describe(told).UnclaimedWarning())
	}
}

// RefuseGuarded reports, with an error, whether an apply must not buy what it is
// about to, since another run has. It is asked before the reads that a purchase
// needs: Buy asks again, when it sends the order.
func (d *ProviderData) RefuseGuarded(
	ctx context.Context,
	want *purchases.Entry,
	describe Describe,
	diags *diag.Diagnostics,
) (refused bool) {
	if !d.Known() {
		return false
	}
	log := d.Client.PurchaseLog()
	found := log.Refuse(ctx, want)
	if gone, _ := d.endGone(ctx, found); gone {
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
func (d *ProviderData) RefuseDeletion(
	ctx context.Context,
	private framework.PrivateReader,
	describe Describe,
	diags *diag.Diagnostics,
) (refused bool) {
	if !d.Known() {
		return false
	}
	found := d.Client.PurchaseLog().RefusedElsewhere(objectName(ctx, private))
	if len(found) == 0 {
		return false
	}
	diags.Append(describe(found).NotDeleted())
	return true
}

// endGone asks the service for what was bought, and notes what is proven gone:
// nobody can import that, and it is bought again. It returns what is shown.
func (d *ProviderData) endGone(ctx context.Context, found []purchases.Bought) (anyGone bool, shown map[string]bool) {
	gone, shown := d.Client.Generations.Probe(ctx, found)
	if len(gone) > 0 {
		d.Client.PurchaseLog().Gone(purchases.Holding{Generations: gone})
	}
	return len(gone) > 0, shown
}

// NoteListed notes what the own list of a group has shown to a refresh of this
// run: its plan may buy what is there.
func (d *ProviderData) NoteListed(group *api.Group) {
	if group != nil {
		d.listed.Store(group.ID, group.Generations)
	}
}

// Listed returns the generations that the list of a group has shown.
func (d *ProviderData) Listed(groupID string) []*api.Generation {
	listed, _ := d.listed.Load(groupID)
	generations, _ := listed.([]*api.Generation)
	return generations
}

// Guarded is what the purchase log has of what an object wants.
type Guarded struct {
	Object string
	Found  []purchases.Bought
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

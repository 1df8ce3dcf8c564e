package generation

import (
	"context"
	"math"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// replaceUnlessImported: see isImportedCharacter.
func replaceUnlessImported(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !isImportedCharacter(ctx, req.Private, req.StateValue)
}

// isImportedCharacter reports whether the character is what an import has read, and
// another is an error, or null because it could not, and another is taken over.
func isImportedCharacter(ctx context.Context, private framework.PrivateReader, stored types.String) bool {
	state := newPrivateState()
	_ = framework.LoadPrivateState(ctx, private, &state)
	return framework.Imported(ctx, private) && (stored.IsNull() || stored.ValueString() == state.Character)
}

// ModifyPlan shows exactly what will be bought: the generations that are unknown
// as a whole. Everything else keeps its known value, attribute by attribute.
func (r *groupResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	if req.Plan.Raw.IsNull() {
		if prior := r.loadPrior(ctx, req, resp, true); !diags.HasError() {
			prior.leave(ctx, r.Data, resp.Private, diags)
			prior.warnOfDestroy("Destroying the generation group %q", diags)
		}
		return
	}
	want := load(ctx, req.Plan, nil, diags)
	if diags.HasError() {
		return
	}
	if want.model.PromptMap.IsUnknown() && req.ClientCapabilities.DeferralAllowed {
		r.leaveToLater(ctx, req, resp)
		return
	}
	if req.State.Raw.IsNull() {
		// Of an object that is replaced, for whatever reason, the core has kept
		// the private state.
		replaced := newGroup()
		diags.Append(framework.LoadPrivateState(ctx, resp.Private, &replaced.private)...)
		replaced.leave(ctx, r.Data, resp.Private, diags)
		r.warnOfTaint(&want, diags)
		none := newGroup()
		planUpdate(&none, &want, false, diags)
		r.planPurchase(ctx, &want, req, resp)
		return
	}
	var former types.String
	diags.Append(req.State.GetAttribute(ctx, path.Root("character_id"), &former)...)
	imported := isImportedCharacter(ctx, req.Private, former)
	replaces := !want.model.CharacterID.Equal(former) && !imported
	prior := r.loadPrior(ctx, req, resp, replaces)
	if imported {
		framework.RefuseOtherCharacter(ctx, req.Private, prior.model.CharacterID, want.model.CharacterID, prior.name(), diags)
	}
	if diags.HasError() {
		return
	}
	if replaces {
		prior.refuseLoss(ctx, r.Data, resp.Private, nil, diags)
		warnOfReplacement(&prior, diags)
		return
	}
	deleted := planUpdate(&prior, &want, framework.Imported(ctx, req.Private), diags)
	if prior.refuseLoss(ctx, r.Data, resp.Private, deleted, diags); !diags.HasError() {
		r.planPurchase(ctx, &want, req, resp)
	}
}

// leaveToLater defers the group: what it buys is not known yet. It still holds what it
// has, and says so to what the rest of the plan deletes.
func (r *groupResource) leaveToLater(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonResourceConfigUnknown}
	if req.State.Raw.IsNull() {
		return
	}
	if prior := r.loadPrior(ctx, req, resp, false); !resp.Diagnostics.HasError() {
		prior.refuseLoss(ctx, r.Data, resp.Private, nil, &resp.Diagnostics)
	}
}

// loadPrior loads the state, and marks for the apply of an end what another object
// of the run holds too, and whether the plan tells of it.
func (r *groupResource) loadPrior(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse, ends bool) group {
	prior := load(ctx, req.State, req.Private, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		r.Data.Unplanned.Delete(framework.HolderName(ctx, req.Private, nil, &resp.Diagnostics))
		shared := prior.private.SharedIDs
		prior.hold(ctx, r.Data, resp.Private, &resp.Diagnostics)
		prior.private.Keeps, prior.private.Told = prior.keeps(), ends
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, prior.private)...)
		if !ends {
			prior.private.SharedIDs = shared // which is all that the apply of an update is sure to know
		}
	}
	return prior
}

// planUpdate replaces what the framework planned for the computed attributes,
// all unknown after any change, with what will really change. It returns the
// generations that the update may delete.
func planUpdate(prior, want *group, imported bool, diags *diag.Diagnostics) (deleted []string) {
	want.keepReceipts(prior)
	if want.model.PromptMap.IsUnknown() {
		want.model.GenerationMap, want.model.ResultURLMap = types.MapUnknown(generationElements.elementType()), types.MapUnknown(addressesType)
		want.planPurchase()
		prior.warnOfUnknownPrompts(want.keeps(), diags)
		if want.keeps() {
			return nil
		}
		return prior.ownIDs()
	}
	attempts := want.model.MaxAttempts.ValueInt64()
	if want.model.MaxAttempts.IsUnknown() {
		// Announce too much rather than buy something unannounced.
		attempts = math.MaxInt64
	}
	diff := compare(prior, want.prompts, attempts, imported)
	diff.left = want.carryOver(prior, diff)
	want.count()
	want.planOutcomes(diff)
	want.model.GenerationMap, want.model.ResultURLMap = generationElements.encode(want.generations), want.addressMap()
	return warnOfUpdate(prior, want, diff, diags)
}

// planOutcomes marks as unknown what the update will find out.
func (g *group) planOutcomes(diff difference) {
	if awaited := g.awaited(); len(awaited) > 0 && (g.model.WaitForCompletion.ValueBool() || g.model.WaitForCompletion.IsUnknown()) {
		for _, key := range awaited {
			g.set(key, toBeAwaited(g.generations[key]))
		}
		g.planEnd()
	}
	if len(g.deletable()) > 0 {
		g.model.Complete = types.BoolUnknown()
	}
	uncertain := diff.buy
	if slices.ContainsFunc(diff.buy, func(key string) bool { return !g.prompts[key].known() }) {
		// It may turn out to be the generation that another key seems to take
		// over, and an apply must not break the plan's promise.
		uncertain = slices.Concat(diff.buy, diff.renamed())
	}
	for _, key := range uncertain {
		g.set(key, toBeBought())
	}
	if len(diff.buy) > 0 {
		g.planPurchase()
	}
}

// planEnd: the wait will tell how many succeeded.
func (g *group) planEnd() {
	g.model.Complete = types.BoolUnknown()
	g.model.SucceededCount, g.model.FailedCount = types.Int64Unknown(), types.Int64Unknown()
	g.model.PendingCount, g.model.UnconfirmedCount = types.Int64Unknown(), types.Int64Unknown()
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringUnknown()
	}
}

// planPurchase: a batch will be submitted. A group without an id cannot be
// added to, so a new one is created.
func (g *group) planPurchase() {
	g.planEnd()
	g.model.CreditsDeducted, g.model.RemainingBalance = types.Float64Unknown(), types.Float64Unknown()
	if !g.hasID() {
		g.model.ID = types.StringUnknown()
	}
}

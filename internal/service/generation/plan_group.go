package generation

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// ModifyPlan shows exactly what will be bought: the generations that are unknown
// as a whole. Everything else keeps its known value, attribute by attribute.
func (r *groupResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		r.planDestroy(ctx, req, resp)
		return
	}
	want := load(ctx, req.Plan, nil, &resp.Diagnostics)
	switch {
	case resp.Diagnostics.HasError():
	case want.model.PromptMap.IsUnknown() && req.ClientCapabilities.DeferralAllowed:
		r.leaveToLater(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, &want, req, resp)
	default:
		r.planUpdate(ctx, &want, req, resp)
	}
}

func (r *groupResource) planCreate(ctx context.Context, want *group, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
	// Of an object that is replaced, the core has kept the private state.
	replaced, none := newGroup(), newGroup()
	replaced.recall(ctx, resp.Private, diags)
	replaced.leave(ctx, r.Data, resp.Private, diags)
	want.warnOfTaint(r.Data, diags)
	want.planFrom(&none, false, diags)
	r.planPurchase(ctx, &none, want, req, resp)
}

// planUpdate plans what becomes of a group, or that another character replaces it.
func (r *groupResource) planUpdate(ctx context.Context, want *group, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	diags := &resp.Diagnostics
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
		warnOfReplacement(&prior, want, diags)
		return
	}
	deleted := want.planFrom(&prior, framework.Imported(ctx, req.Private), diags)
	if prior.refuseLoss(ctx, r.Data, resp.Private, deleted, diags); !diags.HasError() {
		r.planPurchase(ctx, &prior, want, req, resp)
	}
}

func (r *groupResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if prior := r.loadPrior(ctx, req, resp, true); !resp.Diagnostics.HasError() {
		prior.leave(ctx, r.Data, resp.Private, &resp.Diagnostics)
		prior.warnOfDestroy(fmt.Sprintf("Destroying the generation group %q", prior.model.ID.ValueString()), &resp.Diagnostics)
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
		r.Data.Groups.Unplanned.Delete(framework.HolderName(ctx, req.Private, nil, &resp.Diagnostics))
		told := prior
		told.hold(ctx, r.Data, resp.Private, &resp.Diagnostics)
		told.private.Keeps, told.private.Told = prior.keeps(), ends
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, told.memory())...)
		if prior.private = told.private; ends {
			prior.SharedIDs = told.SharedIDs // else the apply is sure to know only what the state says
		}
	}
	return prior
}

// planFrom plans of the computed attributes, all unknown after any change, what will
// really change. It returns the generations that the update may delete.
func (g *group) planFrom(prior *group, imported bool, diags *diag.Diagnostics) (deleted []string) {
	if g.model.PromptMap.IsUnknown() {
		g.keepReceipts(prior)
		g.model.GenerationMap, g.model.ResultURLMap = types.MapUnknown(generationElements.elementType()), types.MapUnknown(addressesType)
		g.planBatch()
		prior.warnOfUnknownPrompts(g.keeps(), diags)
		if g.keeps() {
			return nil
		}
		return prior.OwnIDs()
	}
	attempts := g.model.MaxAttempts.ValueInt64()
	if g.model.MaxAttempts.IsUnknown() {
		attempts = math.MaxInt64 // rather announce too much
	}
	diff := g.carryOver(prior, attempts, imported)
	g.count()
	g.planOutcomes(diff)
	g.model.GenerationMap, g.model.ResultURLMap = generationElements.encode(g.Generations), g.addressMap()
	return warnOfUpdate(prior, g, diff, diags)
}

// planOutcomes marks as unknown what the update will find out.
func (g *group) planOutcomes(diff prompts.Difference) {
	waits := g.model.WaitForCompletion.ValueBool() || g.model.WaitForCompletion.IsUnknown()
	if waits && g.PlanAwaited() {
		g.planEnd()
	}
	if len(g.Deletable()) > 0 {
		g.model.Complete = types.BoolUnknown()
	}
	if g.PlanBought(diff); len(diff.Buy) > 0 {
		g.planBatch()
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

// planBatch: a batch will be submitted. A group without an id cannot be
// added to, so a new one is created.
func (g *group) planBatch() {
	g.planEnd()
	g.model.CreditsDeducted, g.model.RemainingBalance = types.Float64Unknown(), types.Float64Unknown()
	if !g.hasID() {
		g.model.ID = types.StringUnknown()
	}
}

// planPurchase shows what the plan buys, counts it for the limits on purchases, and says
// what stands against it. An unknown map of prompts counts as one.
func (r *groupResource) planPurchase(ctx context.Context, prior, want *group, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	keys, diags := want.Announced(), &resp.Diagnostics
	count, names := int64(len(keys)), quoted(keys)
	if want.model.PromptMap.IsUnknown() {
		count, names = 1, "prompts that are not known yet"
	}
	isCountable := !want.model.PromptMap.IsUnknown() && !want.model.MaxAttempts.IsUnknown() && !want.AnyUnknown(keys)
	switch isCreate := req.State.Raw.IsNull(); {
	case isCreate && framework.IsReplacement(ctx, req.Private), !isCountable:
		want.model.Tally = framework.UnknownTally()
	case count > 0:
		want.model.Tally = r.tally(prior, len(keys))
	}
	// First: if it finds something, the address is right, and nothing more is read for that.
	want.planCapabilities(ctx, r.Data, keys, diags)
	r.Data.PlanPurchase(ctx, req, framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindGeneration, Count: count}, Holder: framework.HolderName(ctx, resp.Private, nil, diags),
		Object: want.name() + ": " + names,
	}, diags)
	want.warnOfKilled(ctx, r.Data, keys, diags)
	if !diags.HasError() {
		diags.Append(resp.Plan.Set(ctx, want.model)...)
	}
}

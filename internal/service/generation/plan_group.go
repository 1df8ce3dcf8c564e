package generation

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// ModifyPlan shows exactly what will be bought: the generations that are
// unknown as a whole. Everything else keeps its known value, attribute by
// attribute.
func (r *groupResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		prior := r.loadPrior(ctx, req, resp, true)
		if resp.Diagnostics.HasError() {
			return
		}
		prior.leave(ctx, r.Data, resp.Private, &resp.Diagnostics)
		ending := prior.ending(fmt.Sprintf("Destroying the generation group %q", prior.model.ID.ValueString()))
		prior.warn(resp.Diagnostics.AddWarning, ending, prior.lost(prior.HeldKeys(), "forgets"))
		return
	}
	want := load(ctx, req.Plan, nil, &resp.Diagnostics)
	switch {
	case resp.Diagnostics.HasError():
	case want.model.PromptMap.IsUnknown() && req.ClientCapabilities.DeferralAllowed:
		resp.Deferred = &resource.Deferred{Reason: resource.DeferredReasonResourceConfigUnknown}
		if req.State.Raw.IsNull() {
			return
		}
		// It still holds what it has, and says so to what the rest of the plan
		// deletes.
		prior := r.loadPrior(ctx, req, resp, false)
		if !resp.Diagnostics.HasError() {
			prior.refuseLoss(ctx, r.Data, resp.Private, nil, &resp.Diagnostics)
		}
	case req.State.Raw.IsNull():
		r.planCreate(ctx, &want, req, resp)
	default:
		r.planUpdate(ctx, &want, req, resp)
	}
}

// planCreate plans a new group, or the successor of one that is replaced. Of
// the latter the CLI passes on the private state alone.
func (r *groupResource) planCreate(
	ctx context.Context,
	want *group,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	replaced := newGroup()
	none := newGroup() // of what is replaced, the core has kept the private state
	replaced.recall(ctx, resp.Private, diags)
	replaced.leave(ctx, r.Data, resp.Private, diags)
	want.planFrom(&none, false, diags)
	r.planPurchase(ctx, &none, want, req, resp)
}

// planUpdate plans what an update buys, deletes and takes over, or a
// replacement by a group of another character.
func (r *groupResource) planUpdate(
	ctx context.Context,
	want *group,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	var former types.String
	diags.Append(req.State.GetAttribute(ctx, path.Root("character_id"), &former)...)
	imported := isImportedCharacter(ctx, req.Private, former)
	replaces := !want.model.CharacterID.Equal(former) && !imported
	prior := r.loadPrior(ctx, req, resp, replaces)
	if imported {
		framework.RefuseOtherCharacter(
			ctx,
			req.Private,
			prior.model.CharacterID,
			want.model.CharacterID,
			prior.name(),
			diags,
		)
	}
	if diags.HasError() {
		return
	}
	if replaces {
		prior.refuseLoss(ctx, r.Data, resp.Private, nil, diags)
		again := notice{
			when: true,
			text: fmt.Sprintf(
				"Another character replaces the generation group %q. Every prompt is bought again: %s.",
				prior.model.ID.ValueString(),
				want.asked(),
			),
		}
		prior.warn(
			onAttribute("character_id", diags),
			again,
			prior.ending("This"),
			prior.lost(prior.HeldKeys(), "forgets"),
		)
		return
	}
	isImported := framework.Imported(ctx, req.Private)
	deleted := want.planFrom(&prior, isImported, diags)
	if isImported {
		r.Data.Stored(ctx, req.Private, purchases.Holding{Import: want.imports(&prior)})
	}
	prior.refuseLoss(ctx, r.Data, resp.Private, deleted, diags)
	if !diags.HasError() {
		r.planPurchase(ctx, &prior, want, req, resp)
	}
}

// loadPrior also marks, for the apply of an end, what others hold too, and
// whether deletion_policy keeps the media.
func (r *groupResource) loadPrior(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
	ends bool,
) group {
	prior := load(ctx, req.State, req.Private, &resp.Diagnostics)
	if !resp.Diagnostics.HasError() {
		r.Data.Stored(ctx, req.Private, prior.holding())
		marked := prior
		marked.hold(ctx, r.Data, resp.Private, &resp.Diagnostics)
		marked.private.Keeps = prior.keeps()
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, marked.memory())...)
		prior.private = marked.private
		if ends {
			prior.SharedIDs = marked.SharedIDs // else the apply is sure to know only what the state says
		}
	}
	return prior
}

// planFrom plans of the computed attributes, all unknown after any change, what
// will really change, and returns the generations that the update may delete.
func (g *group) planFrom(prior *group, imported bool, diags *diag.Diagnostics) (deleted []string) {
	if g.model.PromptMap.IsUnknown() {
		g.keepReceipts(prior)
		g.model.GenerationMap = types.MapUnknown(generationElements.elementType())
		g.model.ResultURLMap = types.MapUnknown(addressesType)
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
	waits := g.model.WaitForCompletion.ValueBool() || g.model.WaitForCompletion.IsUnknown()
	if waits && g.PlanAwaited() {
		g.planEnd()
	}
	if len(g.Deletable()) > 0 {
		g.model.Complete = types.BoolUnknown()
	}
	g.PlanBought(diff)
	if len(diff.Buy) > 0 {
		g.planBatch()
	}
	g.keepPrompts(prior, diff.Untouched())
	g.model.GenerationMap = generationElements.encode(g.Generations)
	g.model.ResultURLMap = g.addressMap()
	return warnOfUpdate(prior, g, diff, diags)
}

// keepPrompts plans prompts as they are stored, where what is configured is the
// same. It leaves all others alone: to write one of them that is known in part
// makes it unknown as a whole.
func (g *group) keepPrompts(prior *group, keys []string) {
	elements := g.model.PromptMap.Elements() // a copy
	for _, key := range keys {
		kept := g.Prompts[key].Kept(prior.Prompts[key])
		if kept != g.Prompts[key] {
			g.Prompts[key] = kept
			elements[key] = promptElements.encodeOne(kept)
		}
	}
	g.model.PromptMap = types.MapValueMust(promptElements.elementType(), elements)
}

// planEnd: the wait will tell how many succeeded.
func (g *group) planEnd() {
	g.model.Complete = types.BoolUnknown()
	g.model.SucceededCount = types.Int64Unknown()
	g.model.FailedCount = types.Int64Unknown()
	g.model.PendingCount = types.Int64Unknown()
	g.model.UnconfirmedCount = types.Int64Unknown()
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringUnknown()
	}
}

// planBatch: a batch will be submitted, which makes a group if there is none
// with an id.
func (g *group) planBatch() {
	g.planEnd()
	g.model.CreditsDeducted = types.Float64Unknown()
	g.model.RemainingBalance = types.Float64Unknown()
	if !g.hasID() {
		g.model.ID = types.StringUnknown()
	}
}

// planPurchase counts what the plan buys. An unknown map of prompts counts as
// one.
func (r *groupResource) planPurchase(
	ctx context.Context,
	prior, want *group,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	keys := want.Announced()
	diags := &resp.Diagnostics
	purchase := purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(keys))}
	names := quoted(keys)
	if want.model.PromptMap.IsUnknown() {
		purchase.Count = 1
		names = "prompts that are not known yet"
	}
	isCountable := !want.model.PromptMap.IsUnknown() && !want.model.MaxAttempts.IsUnknown() && !want.AnyUnknown(keys)
	switch isCreate := req.State.Raw.IsNull(); {
	case isCreate && framework.IsReplacement(ctx, req.Private), !isCountable:
		want.model.Tally = framework.UnknownTally()
	case purchase.Count > 0:
		want.model.Tally = r.Data.Tally(prior.model.Tally, purchase)
	}
	// First: if it finds something, the address is right, and nothing more is
	// read for that.
	want.planCapabilities(ctx, r.Data, keys, diags)
	r.Data.PlanPurchase(ctx, req, framework.PlannedPurchase{
		Purchase: purchase,
		Holder:   framework.HolderName(ctx, resp.Private, nil, diags),
		Object:   want.name() + ": " + names,
	}, diags)
	want.warnOfGuarded(r.Data, keys, diags)
	if !diags.HasError() {
		diags.Append(resp.Plan.Set(ctx, want.model)...)
	}
}

// leave records that the plan destroys the object: what it holds alone, and the
// whole group if that is its own. What another has begun to hold by now stays.
func (g *group) leave(
	ctx context.Context,
	data *framework.ProviderData,
	private framework.PrivateData,
	diags *diag.Diagnostics,
) {
	name := framework.HolderName(ctx, private, nil, diags)
	if name == "" || g.private.Keeps {
		return
	}
	if g.isAlone() {
		g.private.Shared = len(data.Groups.Leave(name, func(string) bool { return true })) > 0
	}
	shared := data.Generations.Leave(name, func(id string) bool { return !g.IsShared(id) })
	g.SharedIDs = append(g.SharedIDs, shared...)
	diags.Append(framework.StorePrivateState(ctx, private, g.memory())...)
}

// refuseLoss refuses a plan that deletes with another object what this one
// holds, or with this one what another holds: whichever comes second knows it.
// An apply plans the update again, and is sure to know only what the state
// says.
func (g *group) refuseLoss(
	ctx context.Context,
	data *framework.ProviderData,
	private framework.PrivateReader,
	deleted []string,
	diags *diag.Diagnostics,
) {
	id := g.model.ID.ValueString()
	name := framework.HolderName(ctx, private, nil, diags)
	var lost []string
	for _, id := range g.AllIDs() {
		if data.Generations.Leaves(id, name) {
			lost = append(lost, id)
		}
	}
	lost = append(lost, data.Generations.Leave(name, func(id string) bool { return slices.Contains(deleted, id) })...)
	what := "the generations " + quoted(lost)
	if data.Groups.Leaves(id, name) {
		what = fmt.Sprintf(
			"the whole generation group %q, with %s of this resource",
			id,
			framework.Plural(len(g.AllIDs()), "generation", "generations"),
		)
	} else if len(lost) == 0 {
		return
	}
	diags.Append(mediaOfAnother(what))
}

package dataset

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// ModifyPlan counts the purchase of a create. It keeps everything known if only the
// notation changes, or if an imported regeneration takes over what the dataset does not
// contain: nothing is sent then.
func (r *regenerationResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	var plan, state regenerationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if req.State.Raw.IsNull() {
		r.Data.PlanCreate(ctx, req, resp, framework.PlannedPurchase{Purchase: oneImage, Object: "regeneration of " + plan.object()})
		return
	}
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	framework.RefuseOtherCharacter(ctx, req.Private, state.CharacterID, plan.CharacterID, "regeneration of "+state.object(), &resp.Diagnostics)
	sameTriggers := framework.SameTriggers(plan.Triggers, state.Triggers)
	if resp.Diagnostics.HasError() || !plan.CharacterID.Equal(state.CharacterID) || !plan.ImageID.Equal(state.ImageID) ||
		isOtherPrompt(state.Prompt, plan.Prompt, framework.Imported(ctx, req.Private)) ||
		!sameTriggers && !framework.TakesOver(ctx, req.Private, state.Triggers) {
		return
	}
	if !plan.Prompt.Equal(state.Prompt) || !sameTriggers {
		what := "triggers, and how the prompt is written,"
		resp.Diagnostics.Append(framework.TakenOverAfterImport(what, "regeneration of "+state.object(), "generated", "generate with them"))
	}
	state.Prompt, state.Triggers = plan.Prompt, plan.Triggers
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &state)...)
}

func promptUnlessImported(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = isOtherPrompt(req.StateValue, req.PlanValue, framework.Imported(ctx, req.Private))
}

// isOtherPrompt reports whether the configured prompt is not the stored one. An imported
// image has that of the dataset; if that is null, there is nothing to compare.
func isOtherPrompt(before, wanted types.String, imported bool) bool {
	if imported {
		return !before.IsNull() && !prompts.Echoes(wanted.ValueString(), before.ValueString())
	}
	return !wanted.Equal(before)
}

package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ModifyPlan says what is final.
func (r *approvalResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan, state approvalModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	}
	if req.Plan.Raw.IsNull() {
		if state.Approve.ValueBool() {
			resp.Diagnostics.Append(state.forgotten(false))
		}
		return
	}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	isFinal := state.Approve.ValueBool() && plan.CharacterID.Equal(state.CharacterID)
	switch {
	case isFinal && !plan.Approve.IsUnknown() && !plan.Approve.ValueBool():
		resp.Diagnostics.AddAttributeError(path.Root("approve"), "Approval of a Dataset Is Final", fmt.Sprintf(
			"The %s was approved as a whole, and nothing takes that back. Set approve = true, or remove the resource: its destroy leaves the dataset approved.", state.object()))
	case !isFinal && (plan.Approve.IsUnknown() || plan.Approve.ValueBool()):
		if r.Data.Known() && !plan.CharacterID.IsUnknown() { // the character's body LoRA may be trained then
			r.Data.Characters.Makes(plan.character(), framework.Images)
		}
		resp.Diagnostics.AddWarning("Approval of a Dataset Is Final", fmt.Sprintf(
			"The apply approves the %s as a whole, after its images, if approve is true. Nothing takes that back: a destroy does not, and the images may not change any more.", plan.object()))
	}
}

package inference

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// ModifyPlan keeps the reply if no input changes, and replaces it otherwise. An unknown id means
// that the apply sends a request.
func (s *snapshot[I, R]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if !req.State.Raw.IsNull() {
		s.Data.Stored(ctx, req.Private, purchases.Holding{})
	}
	if req.Plan.Raw.IsNull() {
		return
	}
	if !req.State.Raw.IsNull() {
		changed := changedInputs(ctx, req, &resp.Diagnostics)
		if len(changed) == 0 {
			// A change of notation has made all outputs unknown; Terraform wants triggers as written.
			var triggers types.Map
			resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("triggers"), &triggers)...)
			resp.Plan.Raw = req.State.Raw
			resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("triggers"), triggers)...)
			return
		}
		resp.RequiresReplace = append(resp.RequiresReplace, changed...)
	} else if s.purchase != "" {
		s.Data.PlanCreate(ctx, req, resp, framework.PlannedPurchase{Purchase: s.one(), Object: "mediagen_" + s.Name})
		s.warnOfGuarded(ctx, req, &resp.Diagnostics)
	}
}

func changedInputs(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) (changed path.Paths) {
	var stored, planned types.Object
	diags.Append(req.State.Get(ctx, &stored)...)
	diags.Append(req.Plan.Get(ctx, &planned)...)
	before, after := stored.Attributes(), planned.Attributes()
	for name, attribute := range req.Plan.Schema.GetAttributes() {
		if !attribute.IsComputed() && !sameInput(ctx, before[name], after[name]) {
			changed = append(changed, path.Root(name))
		}
	}
	return changed
}

// sameInput: the only map is triggers, and the only list that can be written in two ways is tools.
func sameInput(ctx context.Context, before, after attr.Value) bool {
	switch before := before.(type) {
	case types.Map:
		after, isMap := after.(types.Map)
		return isMap && framework.SameTriggers(before, after)
	case types.List:
		after, isList := after.(types.List)
		return isList && (before.Equal(after) || sameTools(ctx, before, after))
	}
	return before.Equal(after)
}

// sameTools reports whether two lists of tools differ only in the white space, or in the order of
// keys, of parameters. Other lists, or with unknown values, are never the same.
func sameTools(ctx context.Context, before, after types.List) bool {
	var stored, planned []toolModel
	if before.IsNull() != after.IsNull() ||
		before.ElementsAs(ctx, &stored, false).HasError() || after.ElementsAs(ctx, &planned, false).HasError() {
		return false
	}
	return slices.EqualFunc(stored, planned, func(before, after toolModel) bool {
		same := before.Parameters.Equal(after.Parameters)
		if !same {
			stored, planned := jsontypes.NewNormalizedValue(before.Parameters.ValueString()), jsontypes.NewNormalizedValue(after.Parameters.ValueString())
			same, _ = stored.StringSemanticEquals(ctx, planned) // an error for null
		}
		return same && before.Name.Equal(after.Name) && before.Description.Equal(after.Description)
	})
}

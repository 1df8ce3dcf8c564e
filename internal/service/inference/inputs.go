package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/float64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// replaceOnChange makes a change of any input replace the resource, and adds
// that to its description.
func replaceOnChange(attributes map[string]schema.Attribute) {
	const asksAgain = " A change asks the service again."
	for name, attribute := range attributes {
		if attribute.IsComputed() {
			continue
		}
		switch input := attribute.(type) {
		case schema.StringAttribute:
			input.PlanModifiers = append(input.PlanModifiers, stringplanmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.BoolAttribute:
			input.PlanModifiers = append(input.PlanModifiers, boolplanmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.Int64Attribute:
			input.PlanModifiers = append(input.PlanModifiers, int64planmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.Float64Attribute:
			input.PlanModifiers = append(input.PlanModifiers, float64planmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.MapAttribute:
			input.PlanModifiers = append(input.PlanModifiers, framework.ReplaceOnTriggers("Other triggers ask the service again."))
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.SetAttribute:
			input.PlanModifiers = append(input.PlanModifiers, setplanmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.ListAttribute:
			input.PlanModifiers = append(input.PlanModifiers, listplanmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		case schema.ListNestedAttribute:
			input.PlanModifiers = append(input.PlanModifiers, listplanmodifier.RequiresReplace())
			input.MarkdownDescription += asksAgain
			attributes[name] = input
		default:
			panic("an input of a kind that is not replaced on a change: " + name)
		}
	}
}

// sameInputs reports whether the plan's inputs are those of the stored reply.
func sameInputs(ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics) bool {
	for name, attribute := range req.Plan.Schema.GetAttributes() {
		if attribute.IsComputed() {
			continue
		}
		var before, after attr.Value
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), &before)...)
		diags.Append(req.Plan.GetAttribute(ctx, path.Root(name), &after)...)
		if diags.HasError() || !sameInput(before, after) {
			return false
		}
	}
	return true
}

// sameInput: the only map among the inputs is triggers.
func sameInput(before, after attr.Value) bool {
	was, wasMap := before.(types.Map)
	is, isMap := after.(types.Map)
	return wasMap && isMap && framework.SameTriggers(was, is) || after.Equal(before)
}

// keepEqualParameters keeps the parameters of tools if only their notation
// differs. It must precede the replacement.
type keepEqualParameters struct{}

var _ planmodifier.List = keepEqualParameters{}

func (keepEqualParameters) Description(context.Context) string {
	return "White space and the order of keys in parameters are no change."
}

func (m keepEqualParameters) MarkdownDescription(ctx context.Context) string {
	return m.Description(ctx)
}

func (keepEqualParameters) PlanModifyList(ctx context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if req.PlanValue.IsNull() || req.PlanValue.IsUnknown() {
		return
	}
	before, after := req.StateValue.Elements(), req.PlanValue.Elements()
	for i := range min(len(before), len(after)) {
		after[i] = keptTool(ctx, before[i], after[i], &resp.Diagnostics)
	}
	kept, diags := types.ListValue(req.PlanValue.ElementType(ctx), after)
	resp.Diagnostics.Append(diags...)
	if !resp.Diagnostics.HasError() {
		resp.PlanValue = kept
	}
}

func keptTool(ctx context.Context, before, after attr.Value, diags *diag.Diagnostics) attr.Value {
	prior, isPrior := before.(types.Object)
	planned, isPlanned := after.(types.Object)
	if !isPrior || !isPlanned || planned.IsNull() || planned.IsUnknown() {
		return after
	}
	fields := planned.Attributes()
	stored, isStored := prior.Attributes()["parameters"].(types.String)
	wanted, isWanted := fields["parameters"].(types.String)
	if !isStored || !isWanted || stored.IsNull() || wanted.IsNull() || wanted.IsUnknown() {
		return after
	}
	same, problems := jsontypes.NewNormalizedValue(stored.ValueString()).StringSemanticEquals(ctx, jsontypes.NewNormalizedValue(wanted.ValueString()))
	if diags.Append(problems...); !same {
		return after
	}
	fields["parameters"] = stored
	kept, problems := types.ObjectValue(planned.AttributeTypes(ctx), fields)
	diags.Append(problems...)
	return kept
}

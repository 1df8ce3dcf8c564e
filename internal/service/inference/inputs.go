package inference

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// requiredText is an input that must be set, a plain text.
func requiredText(description string, rules ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Required: true, MarkdownDescription: description, Validators: append([]validator.String{framework.Text()}, rules...),
	}
}

// optionalText is the same, if it is set.
func optionalText(description string, rules ...validator.String) schema.StringAttribute {
	text := requiredText(description, rules...)
	text.Required, text.Optional = false, true
	return text
}

// changedInputs returns the inputs of a plan that are not those of the stored
// reply.
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

// sameInput: the only map among the inputs is triggers, and the only list that two
// notations can mean the same in is tools.
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

// sameTools reports whether two lists differ only in the white space, or in the
// order of keys, of parameters. Other lists, and those with something unknown, are
// no lists of tools.
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

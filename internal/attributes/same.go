package attributes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Differences without meaning: what is the same stays as it is stored.

// keepSame keeps the stored value where the planned one means the same.
type keepSame struct{}

// KeepSame plans of a text, or of a list or map of texts, what is stored, if
// that is the same.
func KeepSame() interface {
	planmodifier.String
	planmodifier.List
	planmodifier.Map
} {
	return keepSame{}
}

// Description implements planmodifier.Describer.
func (keepSame) Description(context.Context) string { return "keeps a text that is the same" }

// MarkdownDescription implements planmodifier.Describer.
func (k keepSame) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyString implements planmodifier.String.
func (keepSame) PlanModifyString(_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse) {
	if IsSameText(req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyList implements planmodifier.List.
func (keepSame) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	bothKnown := areKnown(req.StateValue, req.PlanValue)
	if bothKnown && slices.EqualFunc(req.StateValue.Elements(), req.PlanValue.Elements(), isSameElement) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyMap implements planmodifier.Map.
func (keepSame) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	stored := req.StateValue.Elements()
	planned := req.PlanValue.Elements()
	if !areKnown(req.StateValue, req.PlanValue) || len(stored) != len(planned) {
		return
	}
	for key, element := range planned {
		if stored[key] == nil || !isSameElement(stored[key], element) {
			return
		}
	}
	resp.PlanValue = req.StateValue
}

func areKnown(values ...attr.Value) bool {
	return !slices.ContainsFunc(values, func(value attr.Value) bool { return value.IsNull() || value.IsUnknown() })
}

func isSameElement(stored, planned attr.Value) bool {
	before, isText := stored.(types.String)
	after, isAlsoText := planned.(types.String)
	return stored.Equal(planned) || isText && isAlsoText && IsSameText(before, after)
}

// IsSameText reports whether two values are known, and are the same text.
func IsSameText(a, b types.String) bool {
	return areKnown(a, b) && same.Text(a.ValueString(), b.ValueString())
}

// SameText returns the stored text if the service's differs only in trimmed
// blanks, or null for empty, else the service's: to normalise texts must not
// cause a change in every plan.
func SameText(stored types.String, served *string) types.String {
	text := types.StringPointerValue(served)
	trimmed := strings.TrimSpace(stored.ValueString())
	shown := strings.TrimSpace(text.ValueString())
	if stored.IsNull() || stored.IsUnknown() || !same.Text(trimmed, shown) { // variant: texts-trimmed
		return text
	}
	return stored
}

// SameMoment returns the stored moment if the service's is the same in another
// notation, else the service's.
func SameMoment(stored types.String, served *string) types.String {
	moment := types.StringPointerValue(served)
	if areKnown(stored, moment) && same.Moment(stored.ValueString(), moment.ValueString()) {
		return stored
	}
	return moment
}

// WarnOfRespelled warns if an input is bought again for no more than white
// space or case.
func WarnOfRespelled(at path.Path, stored, planned attr.Value, diags *diag.Diagnostics) {
	if isRespelled(stored, planned) {
		diags.Append(Respelled(at))
	}
}

// isRespelled reports whether two values differ in white space or case alone:
// that is bought, but named.
func isRespelled(stored, planned attr.Value) bool {
	if !areKnown(stored, planned) {
		return false
	}
	switch before := stored.(type) {
	case types.String:
		after, isText := planned.(types.String)
		return isText && same.Words(before.ValueString(), after.ValueString())
	case types.List:
		after, isList := planned.(types.List)
		return isList && slices.EqualFunc(before.Elements(), after.Elements(), isRespelled)
	}
	return false
}

// Respelled warns that an input is bought again for no more than white space or
// case.
func Respelled(at path.Path) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, "Only White Space or Case Has Changed", fmt.Sprintf(
		"Of %s only white space, or upper and lower case, has changed in the configuration. That may matter, so that "+
			"the plan buys again. If nothing else has changed, put it back to buy nothing.", at))
}

// Requeried warns that an input is bought again for no more than the query of
// an address.
func Requeried(at path.Path) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, "Only the Query of an Address Has Changed", fmt.Sprintf(
		"Of %s only the query of an address has changed in the configuration, and more of it than a signature. It "+
			"may name another file, so that the plan buys again. If nothing else has changed, put it back to buy "+
			"nothing.", at))
}

package framework

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// Two values may differ in notation alone. A value that means the same as the
// stored value buys nothing, and keeps its stored form. IsSame decides both.

// IsSame reports whether two values of an attribute mean the same in any
// notation. Purchases and displayed values both use it. Null and an empty
// collection mean the same.
func IsSame(a, b attr.Value) bool {
	if a.IsUnknown() || b.IsUnknown() {
		return a.Equal(b)
	}
	if isNone(a) || isNone(b) {
		return isNone(a) && isNone(b)
	}
	switch a := a.(type) {
	case types.String:
		other, isText := b.(types.String)
		return isText && same.Text(a.ValueString(), other.ValueString())
	case types.List:
		other, isList := b.(types.List)
		return isList && slices.EqualFunc(a.Elements(), other.Elements(), IsSame)
	case types.Map:
		other, isMap := b.(types.Map)
		return isMap && maps.EqualFunc(a.Elements(), other.Elements(), IsSame)
	}
	return a.Equal(b)
}

// isNone reports whether a value is null, or a collection without elements.
func isNone(value attr.Value) bool {
	if value.IsNull() || value.IsUnknown() {
		return value.IsNull()
	}
	collection, is := value.(interface{ Elements() []attr.Value })
	byKey, isMap := value.(types.Map)
	return is && len(collection.Elements()) == 0 || isMap && len(byKey.Elements()) == 0
}

// isSameTitle is IsSame for a text that counts as missing if it is blank.
func isSameTitle(a, b attr.Value) bool {
	isBlank := func(value attr.Value) bool {
		text, _ := value.(types.String)
		return !value.IsUnknown() && strings.TrimSpace(text.ValueString()) == ""
	}
	return IsSame(a, b) || isBlank(a) && isBlank(b)
}

// isSameDuration is IsSame for durations: an hour is sixty minutes.
func isSameDuration(a, b attr.Value) bool {
	before, _ := a.(types.String)
	after, _ := b.(types.String)
	duration, err := ParseDuration(before.ValueString())
	other, otherErr := ParseDuration(after.ValueString())
	return IsSame(a, b) || err == nil && otherErr == nil && duration == other
}

// keepSame keeps the stored value if the planned value means the same.
type keepSame struct {
	isSame func(stored, planned attr.Value) bool
}

// modifier plans values of the types that keepSame supports.
type modifier interface {
	planmodifier.Bool
	planmodifier.String
	planmodifier.List
	planmodifier.Map
	planmodifier.Object
}

// KeepSame plans the stored value if the planned value means the same.
func KeepSame() modifier { return keepSame{IsSame} }

// KeepSameTitle is KeepSame for a text that counts as missing if it is blank.
func KeepSameTitle() modifier { return keepSame{isSameTitle} }

// keepSameDuration is KeepSame for durations.
func keepSameDuration() modifier { return keepSame{isSameDuration} }

// Description implements planmodifier.Describer.
func (keepSame) Description(context.Context) string { return "keeps a value that is the same" }

// MarkdownDescription implements planmodifier.Describer.
func (k keepSame) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// PlanModifyBool implements planmodifier.Bool.
func (k keepSame) PlanModifyBool(_ context.Context, req planmodifier.BoolRequest, resp *planmodifier.BoolResponse) {
	if k.keeps(req.State, req.ConfigValue, req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyString implements planmodifier.String.
func (k keepSame) PlanModifyString(
	_ context.Context, req planmodifier.StringRequest, resp *planmodifier.StringResponse,
) {
	if k.keeps(req.State, req.ConfigValue, req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyList implements planmodifier.List.
func (k keepSame) PlanModifyList(_ context.Context, req planmodifier.ListRequest, resp *planmodifier.ListResponse) {
	if k.keeps(req.State, req.ConfigValue, req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyMap implements planmodifier.Map.
func (k keepSame) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	if k.keeps(req.State, req.ConfigValue, req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// PlanModifyObject implements planmodifier.Object.
func (k keepSame) PlanModifyObject(
	_ context.Context, req planmodifier.ObjectRequest, resp *planmodifier.ObjectResponse,
) {
	if k.keeps(req.State, req.ConfigValue, req.StateValue, req.PlanValue) {
		resp.PlanValue = req.StateValue
	}
}

// keeps reports whether a plan shows the stored value. CLIs refuse a plan with
// null in place of a configured value, so the state holds the schema's default
// for a missing value. An import or an older release may have stored null; null
// stays until somebody configures a value.
func (k keepSame) keeps(state tfsdk.State, config, stored, planned attr.Value) bool {
	if state.Raw.IsNull() || planned.IsUnknown() {
		return false
	}
	if stored.IsNull() {
		return config.IsNull()
	}
	return k.isSame(stored, planned)
}

func areKnown(values ...attr.Value) bool {
	return !slices.ContainsFunc(values, func(value attr.Value) bool { return value.IsNull() || value.IsUnknown() })
}

// IsSameText reports whether two values are known, and mean the same text.
func IsSameText(a, b types.String) bool { return areKnown(a, b) && IsSame(a, b) }

// SameText returns the stored text if the service's text differs only in
// trimmed blanks, or is null for an empty text. Otherwise it returns the
// service's text. Normalised texts must not cause a change in every plan.
func SameText(stored types.String, served *string) types.String {
	text := types.StringPointerValue(served)
	trimmed := strings.TrimSpace(stored.ValueString())
	shown := strings.TrimSpace(text.ValueString())
	if stored.IsNull() || stored.IsUnknown() || !same.Text(trimmed, shown) { // variant: texts-trimmed
		return text
	}
	return stored
}

// SameMoment returns the stored moment if the service's moment differs only in
// its notation. Otherwise it returns the service's moment.
func SameMoment(stored types.String, served *string) types.String {
	moment := types.StringPointerValue(served)
	if areKnown(stored, moment) && same.Moment(stored.ValueString(), moment.ValueString()) {
		return stored
	}
	return moment
}

// WarnOfRespelled warns if an input is bought again only because white space or
// case has changed.
func WarnOfRespelled(at path.Path, stored, planned attr.Value, diags *diag.Diagnostics) {
	if isRespelled(stored, planned) {
		diags.Append(Respelled(at))
	}
}

// isRespelled reports whether two values differ only in white space or case.
// Such a difference is bought, with a warning.
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

// Respelled warns that an input is bought again only because white space or
// case has changed.
func Respelled(at path.Path) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, "Only White Space or Case Has Changed", fmt.Sprintf(
		"Of %s only white space, or upper and lower case, has changed in the configuration. That may matter, so that "+
			"the plan buys again. If nothing else has changed, put it back to buy nothing.", at))
}

// Requeried warns that an input is bought again only because the query of an
// address has changed.
func Requeried(at path.Path) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(at, "Only the Query of an Address Has Changed", fmt.Sprintf(
		"Of %s only the query of an address has changed in the configuration, and more of it than a signature. It "+
			"may name another file, so that the plan buys again. If nothing else has changed, put it back to buy "+
			"nothing.", at))
}

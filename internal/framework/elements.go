package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// noNulls rejects null elements, by their own paths as far as they have one.
type noNulls struct{}

// NoNulls rejects null elements of a list.
func NoNulls() validator.List { return noNulls{} }

// NoNullsInSet rejects null elements of a set.
func NoNullsInSet() validator.Set { return noNulls{} }

func (noNulls) Description(context.Context) string { return "must not have null elements" }

func (v noNulls) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (noNulls) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			resp.Diagnostics.Append(InvalidValue(req.Path.AtListIndex(i), "is null"))
		}
	}
}

func (noNulls) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			resp.Diagnostics.Append(InvalidValue(req.Path, "has a null element"))
		}
	}
}

// NotEmpty rejects lists, maps and sets without elements.
type NotEmpty struct{}

// Description implements validator.Describer.
func (NotEmpty) Description(context.Context) string { return "must not be empty" }

// MarkdownDescription implements validator.Describer.
func (v NotEmpty) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateList implements validator.List.
func (NotEmpty) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

// ValidateMap implements validator.Map.
func (NotEmpty) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

// ValidateSet implements validator.Set.
func (NotEmpty) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

func checkNotEmpty(at path.Path, value attr.Value, count int, diags *diag.Diagnostics) {
	if count == 0 && !value.IsNull() && !value.IsUnknown() {
		diags.Append(InvalidValue(at, "is empty, and must have at least one element"))
	}
}

package framework

import (
	"context"

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

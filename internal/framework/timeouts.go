package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// Timeouts is the attribute timeouts. It rejects timeouts of zero or less, which
// would end before anything is read.
func Timeouts(ctx context.Context, opts timeouts.Opts) schema.Attribute {
	attribute, ok := timeouts.Attributes(ctx, opts).(schema.SingleNestedAttribute)
	if !ok {
		return attribute
	}
	for name, each := range attribute.Attributes {
		if text, ok := each.(schema.StringAttribute); ok {
			text.Validators = []validator.String{Duration()}
			attribute.Attributes[name] = text
		}
	}
	return attribute
}

package framework

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
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

// Timeout is the timeout of an operation, as in "create", or its default. The
// library's own methods log each default at INFO, among the progress.
func Timeout(value timeouts.Value, operation string, standard time.Duration) time.Duration {
	text, _ := value.Attributes()[operation].(types.String)
	return DurationOr(text, standard)
}

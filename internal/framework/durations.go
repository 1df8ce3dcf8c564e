package framework

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/objectdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Duration rejects anything but a positive duration.
func Duration() StringRule {
	return StringRule{
		Summary: "Invalid Duration",
		Must:    "must be a duration above zero",
		Check: func(value string) error {
			_, err := ParseDuration(value)
			return err
		},
	}
}

// ParseDuration parses a positive duration, such as 30m. Its error has the form
// of a StringRule's error.
func ParseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration <= 0 {
		return 0, fmt.Errorf("is %q, and must be a duration above zero, as in 90s or 1h30m", text)
	}
	return duration, nil
}

// DurationOr returns a duration that has passed validation, or the default if
// it is not set.
func DurationOr(value types.String, standard time.Duration) time.Duration {
	if duration, err := ParseDuration(value.ValueString()); err == nil {
		return duration
	}
	return standard
}

// Timeouts are the limited operations of a resource, such as "create", with
// their defaults.
type Timeouts map[string]time.Duration

// Attribute is the attribute timeouts. It rejects a timeout of zero or less,
// because such a timeout would end before anything is read.
func (t Timeouts) Attribute() schema.Attribute {
	attributes := map[string]schema.Attribute{}
	attributeTypes := map[string]attr.Type{}
	defaults := map[string]attr.Value{}
	for operation, limit := range t {
		standard := wait.ShortDuration(limit)
		attributeTypes[operation] = types.StringType
		defaults[operation] = types.StringValue(standard)
		attributes[operation] = schema.StringAttribute{
			Optional:            true,
			Computed:            true,
			Default:             stringdefault.StaticString(standard),
			Validators:          []validator.String{Duration()},
			PlanModifiers:       []planmodifier.String{keepSameDuration()},
			MarkdownDescription: "How long `" + operation + "` may take. Defaults to `" + standard + "`.",
		}
	}
	description := "How long operations may take, as in `90m`. A wait that runs out of time is a warning: what was " +
		"bought goes on at the service, and the next apply resumes the wait."
	if _, deletes := t["delete"]; deletes {
		description += " A `delete` that runs out of time is an error; run the destroy again. Before " +
			"that, a deletion that the service puts off (409, 423, 425) is repeated."
	}
	return schema.SingleNestedAttribute{
		Optional:            true,
		Computed:            true,
		Default:             objectdefault.StaticValue(types.ObjectValueMust(attributeTypes, defaults)),
		PlanModifiers:       []planmodifier.Object{KeepSame()},
		MarkdownDescription: description,
		Attributes:          attributes,
		Validators:          []validator.Object{NotEmpty{}},
		CustomType:          timeouts.Type{ObjectType: types.ObjectType{AttrTypes: attributeTypes}},
	}
}

// Limit limits an operation. It does not use the library's own methods, because
// they log each default at INFO, the level of progress.
func (t Timeouts) Limit(ctx context.Context, clock wait.Clock, value timeouts.Value, operation string) context.Context {
	text, _ := value.Attributes()[operation].(types.String)
	return wait.WithTimeout(ctx, clock, DurationOr(text, t[operation]), "timeouts."+operation)
}

// NoTimeouts are the timeouts of a listed resource.
func NoTimeouts() timeouts.Value {
	return timeouts.Value{
		Object: types.ObjectNull(
			map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType},
		),
	}
}

// ActionTimeout is the attribute timeout of an action.
func ActionTimeout(description string) actionschema.StringAttribute {
	return actionschema.StringAttribute{
		Optional:            true,
		MarkdownDescription: description,
		Validators:          []validator.String{Duration()},
	}
}

package framework

import (
	"context"

	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The values of deletion_policy.
const (
	PolicyDelete = "delete"
	PolicyKeep   = "keep"
)

// OwnerID is the id of the object to which a resource permanently belongs, such
// as a character. A change replaces the resource.
func OwnerID(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Required:            true,
		MarkdownDescription: description,
		Validators:          []validator.String{ID()},
		PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
	}
}

// Triggers is the attribute triggers; change describes the effect of a change.
// A change replaces the object, but an imported object takes over its first
// triggers.
func Triggers(change string) schema.MapAttribute {
	replaces := mapplanmodifier.RequiresReplaceIf(
		func(ctx context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse) {
			resp.RequiresReplace = !IsSame(req.StateValue, req.PlanValue) &&
				!TakesOver(ctx, req.Private, req.StateValue)
		},
		change,
		change,
	)
	return TextsOrNone(
		"Arbitrary values of your own. "+change+" After an import, the first values buy nothing.",
		replaces,
	)
}

// TextsOrNone is a map of texts that is empty by default.
func TextsOrNone(description string, modifiers ...planmodifier.Map) schema.MapAttribute {
	return schema.MapAttribute{
		Optional:            true,
		Computed:            true,
		ElementType:         types.StringType,
		Default:             mapdefault.StaticValue(types.MapValueMust(types.StringType, nil)),
		PlanModifiers:       append([]planmodifier.Map{KeepSame()}, modifiers...),
		MarkdownDescription: description,
	}
}

// TextsByKey returns the known texts of a map; nil if there are none.
func TextsByKey(known types.Map) (texts map[string]string) {
	for key, value := range known.Elements() {
		if texts == nil {
			texts = map[string]string{}
		}
		text, _ := value.(types.String)
		texts[key] = text.ValueString()
	}
	return texts
}

// WaitForCompletion is the attribute wait_for_completion; what names the
// awaited work, as in "the training".
func WaitForCompletion(what string) schema.BoolAttribute {
	return schema.BoolAttribute{
		Optional: true,
		Computed: true,
		Default:  booldefault.StaticBool(true),
		MarkdownDescription: "`true` (default) waits for the end of " + what + "; the next apply continues an " +
			"interrupted wait. `false` returns at once, and later runs pick up the result.",
	}
}

// ComputedText is a text that only the service knows.
func ComputedText(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

// ActionID is an id that an action requires.
func ActionID(description string) actionschema.StringAttribute {
	return actionschema.StringAttribute{
		Required:            true,
		MarkdownDescription: description,
		Validators:          []validator.String{ID()},
	}
}

// ListCharacter is the character whose objects are listed; what names these
// objects, as in "trainings".
func ListCharacter(what string) listschema.StringAttribute {
	return listschema.StringAttribute{
		Required:            true,
		MarkdownDescription: "Id of the character whose " + what + " are listed.",
		Validators:          []validator.String{ID()},
	}
}

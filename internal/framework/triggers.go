package framework

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// SameTriggers reports whether two values of triggers are equal; null equals
// empty.
func SameTriggers(a, b types.Map) bool {
	return a.Equal(b) || areNone(a) && areNone(b)
}

// TriggerTexts returns known triggers; nil if there are none.
func TriggerTexts(triggers types.Map) (texts map[string]string) {
	for key, value := range triggers.Elements() {
		if texts == nil {
			texts = map[string]string{}
		}
		text, _ := value.(types.String)
		texts[key] = text.ValueString()
	}
	return texts
}

func areNone(triggers types.Map) bool {
	return !triggers.IsUnknown() && len(triggers.Elements()) == 0
}

// replaceOnTriggers is the plan modifier of every triggers: a change replaces
// the object, except that an imported one takes its first triggers over.
func replaceOnTriggers(description string) planmodifier.Map {
	return mapplanmodifier.RequiresReplaceIf(func(ctx context.Context, req planmodifier.MapRequest, resp *mapplanmodifier.RequiresReplaceIfFuncResponse) {
		resp.RequiresReplace = !SameTriggers(req.StateValue, req.PlanValue) && !TakesOver(ctx, req.Private, req.StateValue)
	}, description, description)
}

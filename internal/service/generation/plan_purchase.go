package generation

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// mostNamed are the keys of a purchase that a message names.
const mostNamed = 5

// countPurchase notes, for max_purchases, the keys that the plan shows as bought.
// How many an unknown map of prompts will be is not known: at least one.
func (r *groupResource) countPurchase(want *group, keys []string, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	count, names := int64(len(keys)), quoted(keys[:min(len(keys), mostNamed)])
	if len(keys) > mostNamed {
		names += fmt.Sprintf(" and %d more", len(keys)-mostNamed)
	}
	if want.model.PromptMap.IsUnknown() {
		count, names = 1, "prompts that are not known yet"
	}
	r.Data.PlanPurchase(framework.PlannedPurchase{
		Type: "mediagen_generation_group", Config: req.Config.Raw, Count: count,
		Object: fmt.Sprintf("generation group %s of character %s: %s", named(want.model.Title), named(want.model.CharacterID), names),
	}, diags)
}

func named(value types.String) string {
	switch {
	case value.IsUnknown():
		return "(not known yet)"
	case value.IsNull():
		return "(none)"
	default:
		return fmt.Sprintf("%q", value.ValueString())
	}
}

// announced are the sorted keys that a plan shows as bought.
func (g *group) announced() []string {
	return slices.DeleteFunc(sortedKeys(g.generations), func(key string) bool { return !g.generations[key].ID.IsUnknown() })
}

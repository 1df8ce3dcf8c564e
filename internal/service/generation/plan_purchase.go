package generation

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// countPurchase counts, for the limits on purchases, the keys that the plan shows as
// bought. A replacement counts as a create, since the CLI finally plans it as
// one. An unknown map of prompts counts as one.
func (r *groupResource) countPurchase(want *group, keys []string, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	count, names := int64(len(keys)), quoted(keys)
	if want.model.PromptMap.IsUnknown() {
		count, names = 1, "prompts that are not known yet"
	}
	r.Data.PlanPurchase(framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindGeneration, Count: count}, Type: "generation_group", Config: req.Config.Raw,
		Object: want.describe() + ": " + names,
	}, diags)
}

// describe names a group that may have no id yet.
func (g *group) describe() string {
	text := "generation group"
	switch title := g.model.Title; {
	case title.IsUnknown():
		text += " of a title that is not known yet"
	case title.IsNull():
		text += " without a title"
	default:
		text += fmt.Sprintf(" %q", title.ValueString())
	}
	if character := g.model.CharacterID.ValueString(); character != "" {
		text += fmt.Sprintf(" of character %q", character)
	}
	return text
}

// announced returns the sorted keys that a plan shows as bought.
func (g *group) announced() []string {
	return slices.DeleteFunc(sortedKeys(g.generations), func(key string) bool { return !g.generations[key].ID.IsUnknown() })
}

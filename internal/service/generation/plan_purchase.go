package generation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// planPurchase shows what the plan buys, counts it for the limits on purchases, and says
// what stands against it. An unknown map of prompts counts as one.
func (r *groupResource) planPurchase(ctx context.Context, want *group, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	keys, diags := want.announced(), &resp.Diagnostics
	count, names := int64(len(keys)), quoted(keys)
	if want.model.PromptMap.IsUnknown() {
		count, names = 1, "prompts that are not known yet"
	}
	// First: if it finds something, the address is right, and nothing more is read for that.
	r.planCapabilities(ctx, want, keys, diags)
	r.Data.PlanPurchase(ctx, req, framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindGeneration, Count: count}, Holder: framework.HolderName(ctx, resp.Private, nil, diags),
		Object: want.name() + ": " + names,
	}, diags)
	r.warnOfKilled(ctx, want, keys, diags)
	if !diags.HasError() {
		diags.Append(resp.Plan.Set(ctx, want.model)...)
	}
}

// announced returns the sorted keys that a plan shows as bought.
func (g *group) announced() []string {
	return slices.DeleteFunc(sortedKeys(g.generations), func(key string) bool { return !g.generations[key].ID.IsUnknown() })
}

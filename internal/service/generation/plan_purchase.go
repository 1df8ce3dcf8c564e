package generation

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// planPurchase shows what the plan buys, counts it for the limits on purchases, and says
// what stands against it. An unknown map of prompts counts as one.
func (r *groupResource) planPurchase(ctx context.Context, prior, want *group, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	keys, diags := want.Announced(), &resp.Diagnostics
	count, names := int64(len(keys)), quoted(keys)
	if want.model.PromptMap.IsUnknown() {
		count, names = 1, "prompts that are not known yet"
	}
	switch isCreate := req.State.Raw.IsNull(); {
	case isCreate && framework.IsReplacement(ctx, req.Private), !want.isCountable(keys):
		want.model.Tally = framework.UnknownTally()
	case count > 0:
		want.model.Tally = r.tally(prior, len(keys))
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

// tally is that of a group which has bought more prompts than before.
func (r *groupResource) tally(before *group, prompts int) framework.Tally {
	return r.Data.Tally(before.model.Tally, api.Purchase{Kind: api.KindGeneration, Count: int64(prompts)})
}

// isCountable reports whether a plan can tell how many prompts it buys.
func (g *group) isCountable(keys []string) bool {
	return !g.model.PromptMap.IsUnknown() && !g.model.MaxAttempts.IsUnknown() && !g.AnyUnknown(keys)
}

package generation

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// load decodes a plan or a state, and the private state.
func load(ctx context.Context, from framework.Getter, private framework.PrivateReader, diags *diag.Diagnostics) group {
	g := newGroup()
	diags.Append(from.Get(ctx, &g.model)...)
	if diags.HasError() {
		return g
	}
	g.Prompts = promptElements.decode(g.model.PromptMap)
	generations, addresses := generationElements.decode(g.model.GenerationMap), g.model.ResultURLMap.Elements()
	for key, generation := range generations {
		generation.ResultURLs = textsOf(addresses[key])
		g.Set(key, generation)
	}
	g.recall(ctx, private, diags)
	return g
}

// store writes state, identity and private state.
func (g *group) store(ctx context.Context, data *framework.ProviderData,
	state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateData, diags *diag.Diagnostics,
) {
	g.hold(ctx, data, private, diags)
	g.nameless()
	if len(g.Unconfirmed()) == 0 {
		g.private.Unconfirmed, g.private.Pairs = framework.Unconfirmed{}, nil
	}
	for key, generation := range g.promised {
		g.Set(key, generation)
	}
	g.Open = slices.DeleteFunc(g.Open, func(id string) bool { return len(g.KeysOf(id)) == 0 })
	if len(g.KeysIn(g.HeldKeys(), prompts.PhaseNotYetSeen)) == 0 {
		g.private.Since = time.Time{}
	}
	encoded := g.encode()
	diags.Append(framework.Publish(ctx, state, identity, g.model, encoded)...)
	diags.Append(framework.StorePrivateState(ctx, private, g.memory())...)
}

// encode encodes the collections of the model, and returns the identity.
func (g *group) encode() identityModel {
	g.count()
	g.model.PromptMap = promptElements.encode(g.Prompts)
	g.model.GenerationMap, g.model.ResultURLMap = generationElements.encode(g.Generations), g.addressMap()
	return identityModel{ID: g.model.ID, Generations: stringList(encodePairs(g.IDs()))}
}

// addressMap returns result_urls. It has the keys of all prompts, even without a generation.
func (g *group) addressMap() types.Map {
	lists := map[string]attr.Value{}
	for key := range g.Prompts {
		lists[key] = addressList(g.Generations[key])
	}
	return types.MapValueMust(addressesType, lists)
}

// count updates the counts and complete.
func (g *group) count() {
	counts := g.Count()
	g.model.SucceededCount, g.model.FailedCount = types.Int64Value(counts.Succeeded), types.Int64Value(counts.Failed)
	g.model.PendingCount, g.model.UnconfirmedCount = types.Int64Value(counts.Pending), types.Int64Value(counts.Unconfirmed)
	g.model.Complete = types.BoolValue(counts.Pending+counts.Unconfirmed == 0)
}

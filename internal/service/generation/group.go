package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// group is the working copy of a group during an operation: the rules, with the
// values that they are about, and the model, whose nested collections are stale until
// it is stored.
type group struct {
	prompts.Group
	model   groupModel
	private privateState
	// promised are the generations that the update's plan shows unchanged. They
	// are stored unchanged; the next refresh reads what is new.
	promised map[string]prompts.Generation
}

func newGroup() group { return group{Group: prompts.New()} }

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

// recall decodes the private state, and hands the rules what is theirs.
func (g *group) recall(ctx context.Context, private framework.PrivateReader, diags *diag.Diagnostics) {
	g.private = g.memory() // with maps to decode into
	diags.Append(framework.LoadPrivateState(ctx, private, &g.private)...)
	g.Seen, g.Superseded, g.Open, g.SharedIDs = g.private.Seen, g.private.Superseded, g.private.Open, g.private.SharedIDs
}

// memory is the private state of the group as it is now.
func (g *group) memory() privateState {
	memory := g.private
	memory.Seen, memory.Superseded, memory.Open, memory.SharedIDs = g.Seen, g.Superseded, g.Open, g.SharedIDs
	return memory
}

// evidence is that of one generation.
func (g *group) evidence(id string) api.Evidence {
	return api.Evidence{Shown: g.Seen[id], By: g.private.By}
}

// store writes state, identity and private state.
func (g *group) store(
	ctx context.Context, data *framework.ProviderData, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateData, diags *diag.Diagnostics,
) {
	g.markShared(g.hold(ctx, data, private, diags))
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

// hasID reports whether the service has named the group.
func (g *group) hasID() bool {
	return g.model.ID.ValueString() != "" && !framework.IsUnconfirmedID(g.model.ID)
}

// nameless gives a group without an id one of ours.
func (g *group) nameless() {
	if g.model.ID.IsNull() || g.model.ID.IsUnknown() {
		g.model.ID = framework.UnconfirmedID()
	}
}

// name names the group in diagnostics, even if it has no id yet.
func (g *group) name() string {
	switch {
	case g.model.ID.ValueString() != "":
		return fmt.Sprintf("generation group %q", g.model.ID.ValueString())
	case g.model.CharacterID.IsNull():
		return "generation group without a character"
	}
	return "generation group of " + framework.NameOf(g.model.CharacterID)
}

// addressMap returns result_urls. It has every key of the prompts, even without
// a generation.
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
	g.model.Complete = types.BoolValue(counts.Complete())
}

func orEmpty[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

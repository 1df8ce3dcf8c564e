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

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// group is the working copy of a group during an operation. Its nested
// collections are decoded; those of the model are stale until it is stored.
type group struct {
	model   groupModel
	prompts map[string]promptModel
	// generations are written only by set, setAll and remove.
	generations map[string]generationModel
	// holders maps a generation's id to the sorted keys that hold it.
	holders map[string][]string
	private privateState
	// promised are the generations that the update's plan shows unchanged. They
	// are stored unchanged; the next refresh reads what is new.
	promised map[string]generationModel
	// vanished holds the ids that a read of this operation has proven gone.
	vanished map[string]bool
}

func newGroup() group {
	return group{
		prompts: map[string]promptModel{}, generations: map[string]generationModel{}, holders: map[string][]string{},
		private: newPrivateState(), vanished: map[string]bool{},
	}
}

// load decodes a plan or a state, and the private state.
func load(ctx context.Context, from framework.Getter, private framework.PrivateReader, diags *diag.Diagnostics) group {
	g := newGroup()
	diags.Append(from.Get(ctx, &g.model)...)
	if diags.HasError() {
		return g
	}
	g.prompts = promptElements.decode(g.model.PromptMap)
	generations, addresses := generationElements.decode(g.model.GenerationMap), g.model.ResultURLMap.Elements()
	for key, generation := range generations {
		generation.ResultURLs = textsOf(addresses[key])
		g.set(key, generation)
	}
	diags.Append(framework.LoadPrivateState(ctx, private, &g.private)...)
	return g
}

// store writes state, identity and private state.
func (g *group) store(
	ctx context.Context, data *framework.Data, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateData, diags *diag.Diagnostics,
) {
	g.hold(ctx, data, private, diags)
	g.nameless()
	if len(g.unconfirmed()) == 0 {
		g.private.Unconfirmed, g.private.Pairs = framework.Unconfirmed{}, nil
	}
	for key, generation := range g.promised {
		g.set(key, generation)
	}
	g.private.Open = slices.DeleteFunc(g.private.Open, func(id string) bool { return len(g.keysOf(id)) == 0 })
	if len(g.keysIn(sortedKeys(g.generations), phaseNotYetSeen)) == 0 {
		g.private.Since = time.Time{}
	}
	encoded := g.encode()
	diags.Append(framework.Publish(ctx, state, identity, g.model, encoded)...)
	diags.Append(framework.StorePrivateState(ctx, private, g.private)...)
}

// encode encodes the collections of the model, and returns the identity.
func (g *group) encode() identityModel {
	g.count()
	g.model.PromptMap = promptElements.encode(g.prompts)
	g.model.GenerationMap, g.model.ResultURLMap = generationElements.encode(g.generations), g.addressMap()
	return identityModel{ID: g.model.ID, Generations: stringList(encodePairs(g.ids()))}
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

// set gives a key its generation.
func (g *group) set(key string, generation generationModel) {
	former, id := g.generations[key].ID.ValueString(), generation.ID.ValueString()
	g.generations[key] = generation
	if former == id {
		return
	}
	g.release(key, former)
	if id != "" {
		place, _ := slices.BinarySearch(g.holders[id], key)
		g.holders[id] = slices.Insert(slices.Clone(g.holders[id]), place, key)
	}
}

// setAll replaces the generations.
func (g *group) setAll(generations map[string]generationModel) {
	g.generations, g.holders = map[string]generationModel{}, map[string][]string{}
	for key, generation := range generations {
		g.set(key, generation)
	}
}

// remove removes a key's generation.
func (g *group) remove(key string) {
	g.release(key, g.generations[key].ID.ValueString())
	delete(g.generations, key)
}

func (g *group) release(key, id string) {
	// Never in place: the caller may be iterating over the holders.
	if g.holders[id] = without(g.holders[id], key); len(g.holders[id]) == 0 {
		delete(g.holders, id)
	}
}

// keysOf returns the sorted keys that hold a generation: equal prompts may
// share one.
func (g *group) keysOf(id string) []string { return g.holders[id] }

// keyOf returns one of the keys that hold a generation.
func (g *group) keyOf(id string) (key string, found bool) {
	if keys := g.keysOf(id); len(keys) > 0 {
		return keys[0], true
	}
	return "", false
}

// ids returns the ids of the generations that have one, by key.
func (g *group) ids() map[string]string {
	ids := map[string]string{}
	for key, generation := range g.generations {
		if id := generation.ID.ValueString(); id != "" {
			ids[key] = id
		}
	}
	return ids
}

// idsOf returns the ids of some keys, each once, in the order of the keys.
func (g *group) idsOf(keys []string) []string {
	var ids []string
	for _, key := range keys {
		if id := g.generations[key].ID.ValueString(); id != "" {
			ids = append(ids, id)
		}
	}
	return unique(ids)
}

// addressMap returns result_urls. It has every key of the prompts, even without
// a generation.
func (g *group) addressMap() types.Map {
	lists := map[string]attr.Value{}
	for key := range g.prompts {
		lists[key] = g.generations[key].addressList()
	}
	return types.MapValueMust(addressesType, lists)
}

// media counts the known results of generations.
func (g *group) media(ids []string) (count int) {
	for _, id := range ids {
		if key, held := g.keyOf(id); held {
			count += len(g.generations[key].ResultURLs)
		}
	}
	return count
}

func orEmpty[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

func without(texts []string, unwanted ...string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return slices.Contains(unwanted, text) })
}

// unique are the texts, each once, in their order.
func unique(texts []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(texts), func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
}

package generation

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// group is the working copy of a group while an operation runs. The nested
// collections are decoded, and those of the model are stale until it is stored.
type group struct {
	model       groupModel
	prompts     map[string]promptModel
	generations map[string]generationModel
	batches     []batchModel
	private     privateState
}

// privateState is what the provider must remember of a group and no attribute shows.
type privateState struct {
	// Seen are the ids that a status has shown once: only they can vanish.
	Seen map[string]bool `json:"seen,omitempty"`
	// By is who has seen, bought or deleted anything of the group last.
	By api.Identity `json:"by,omitzero"`
	// Superseded are the generations that a key had before, or that may be its
	// own: to be deleted once its present one has results, unless another key
	// needs them.
	Superseded map[string][]string `json:"superseded,omitempty"`
	// Unverified are the ids of which no status has confirmed yet whose prompt
	// they render.
	Unverified map[string]placement `json:"unverified,omitempty"`
	// Leftovers says that generations may outlive the group, so that its end is
	// not proof of theirs: a deletion left some behind, or the service put some
	// into another group.
	Leftovers bool `json:"leftovers,omitempty"`
	// Doubted says that the service did not find the group when a batch was to
	// be added: the next refresh looks at everything.
	Doubted bool `json:"doubted,omitempty"`
}

// placement says how sure a result's key is. Only results of one batch can
// have been mixed up.
type placement struct {
	Batch   string `json:"batch"`
	Certain bool   `json:"certain"`
}

const (
	privateStateKey = "notes"
	statusUnknown   = "unknown"
)

// getter is a plan or a state.
type getter interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// load decodes a plan or a state together with the private state.
func load(ctx context.Context, from getter, private framework.PrivateReader, diags *diag.Diagnostics) group {
	var g group
	diags.Append(from.Get(ctx, &g.model)...)
	if diags.HasError() {
		return g
	}
	g.prompts = elements(ctx, g.model.PromptMap, promptModel{Prompt: types.StringUnknown()}, diags)
	g.generations = elements(ctx, g.model.GenerationMap, toBeBought(), diags)
	if !g.model.BatchList.IsNull() && !g.model.BatchList.IsUnknown() {
		diags.Append(g.model.BatchList.ElementsAs(ctx, &g.batches, false)...)
	}
	if private != nil {
		diags.Append(framework.LoadPrivate(ctx, private, privateStateKey, &g.private)...)
	}
	g.private = g.private.ready()
	return g
}

func (p privateState) ready() privateState {
	if p.Seen == nil {
		p.Seen = map[string]bool{}
	}
	if p.Superseded == nil {
		p.Superseded = map[string][]string{}
	}
	if p.Unverified == nil {
		p.Unverified = map[string]placement{}
	}
	return p
}

// encode brings the model up to date with the working copy.
func (g *group) encode(ctx context.Context, diags *diag.Diagnostics) {
	g.count()
	g.model.PromptMap = mapValue(ctx, promptType, g.prompts, diags)
	g.model.GenerationMap = mapValue(ctx, generationType, g.generations, diags)
	if g.batches == nil {
		g.batches = []batchModel{}
	}
	g.model.BatchList = listValue(ctx, batchType, g.batches, diags)
}

// publish writes state, identity and private state.
func (g *group) publish(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateWriter, diags *diag.Diagnostics) {
	if g.model.ID.IsNull() || g.model.ID.IsUnknown() {
		g.model.ID = framework.UnknownID()
	}
	g.encode(ctx, diags)
	pairs := listValue(ctx, types.StringType, encodePairs(g.ids()), diags)
	diags.Append(framework.Publish(ctx, state, identity, g.model, identityModel{ID: g.model.ID, Generations: pairs})...)
	diags.Append(framework.StorePrivate(ctx, private, privateStateKey, g.private)...)
}

// ids are the generations that have an id, by key.
func (g *group) ids() map[string]string {
	ids := map[string]string{}
	for key, generation := range g.generations {
		if id := generation.ID.ValueString(); id != "" {
			ids[key] = id
		}
	}
	return ids
}

// hasID reports whether the service has named the group.
func (g *group) hasID() bool {
	return g.model.ID.ValueString() != "" && !framework.IsUnknownID(g.model.ID)
}

// count brings the counts and complete up to date.
func (g *group) count() {
	var succeeded, failed, pending, unknown int64
	for key := range g.prompts {
		generation, found := g.generations[key]
		switch {
		case !found, generation.isUnsubmitted(), generation.isRunning():
			pending++
		case generation.isUnknown():
			unknown++
		case generation.Succeeded.ValueBool():
			succeeded++
		default:
			failed++
		}
	}
	g.model.SucceededCount, g.model.FailedCount = types.Int64Value(succeeded), types.Int64Value(failed)
	g.model.PendingCount, g.model.UnknownCount = types.Int64Value(pending), types.Int64Value(unknown)
	g.model.Complete = types.BoolValue(pending == 0)
}

// isUnsubmitted: nothing of it is at the service, it is always planned.
func (m generationModel) isUnsubmitted() bool { return m.ID.IsNull() && m.Error.IsNull() }

// isRunning: it has been bought and has not ended.
func (m generationModel) isRunning() bool { return !m.ID.IsNull() && m.Succeeded.IsNull() }

// isUnknown: the reply was lost, so it may have been bought.
func (m generationModel) isUnknown() bool {
	return m.ID.IsNull() && !m.Error.IsNull() && m.Status.ValueString() == statusUnknown
}

// isRetryable: it failed, was rejected or is unknown.
func (m generationModel) isRetryable() bool {
	if m.ID.IsNull() {
		return !m.Error.IsNull()
	}
	return !m.Succeeded.IsNull() && !m.Succeeded.ValueBool()
}

// keysWhere are the sorted keys of the generations that satisfy a condition.
func (g *group) keysWhere(condition func(generationModel) bool) []string {
	return slices.DeleteFunc(sortedKeys(g.generations), func(key string) bool { return !condition(g.generations[key]) })
}

// addresses are those of all results.
func (g *group) addresses() []string {
	var all []string
	for _, generation := range g.generations {
		all = append(all, generation.addresses()...)
	}
	return all
}

// media counts the results that the group is known to have.
func (g *group) media() int {
	count := 0
	counted := map[string]bool{}
	for _, generation := range g.generations {
		if id := generation.ID.ValueString(); !counted[id] {
			counted[id] = true
			count += len(generation.ResultURLs.Elements())
		}
	}
	return count
}

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

// group is the working copy of a group while an operation runs.
type group struct {
	groupModel
	prompts     map[string]promptModel
	generations map[string]generationModel
	batches     []batchModel
	notes       notes
}

// notes are what the provider must remember of a group and no attribute shows.
type notes struct {
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
	notesKey      = "notes"
	statusUnknown = "unknown"
)

// getter is a plan or a state.
type getter interface {
	Get(ctx context.Context, target any) diag.Diagnostics
}

// load decodes a plan or a state together with the notes.
func load(ctx context.Context, from getter, private framework.PrivateReader, diags *diag.Diagnostics) group {
	var g group
	diags.Append(from.Get(ctx, &g.groupModel)...)
	if diags.HasError() {
		return g
	}
	g.prompts = elements(ctx, g.Prompts, promptModel{Prompt: types.StringUnknown()}, diags)
	g.generations = elements(ctx, g.Generations, toBeBought(), diags)
	if !g.Batches.IsNull() && !g.Batches.IsUnknown() {
		diags.Append(g.Batches.ElementsAs(ctx, &g.batches, false)...)
	}
	if private != nil {
		diags.Append(framework.LoadPrivate(ctx, private, notesKey, &g.notes)...)
	}
	g.notes = g.notes.ready()
	return g
}

func (n notes) ready() notes {
	if n.Seen == nil {
		n.Seen = map[string]bool{}
	}
	if n.Superseded == nil {
		n.Superseded = map[string][]string{}
	}
	if n.Unverified == nil {
		n.Unverified = map[string]placement{}
	}
	return n
}

// encode brings the model up to date with the working copy.
func (g *group) encode(ctx context.Context, diags *diag.Diagnostics) {
	g.count()
	g.Prompts = mapValue(ctx, promptType, g.prompts, diags)
	g.Generations = mapValue(ctx, generationType, g.generations, diags)
	if g.batches == nil {
		g.batches = []batchModel{}
	}
	g.Batches = listValue(ctx, batchType, g.batches, diags)
}

// publish writes state, identity and notes.
func (g *group) publish(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateWriter, diags *diag.Diagnostics) {
	if g.ID.IsNull() || g.ID.IsUnknown() {
		g.ID = framework.UnknownID()
	}
	g.encode(ctx, diags)
	pairs := listValue(ctx, types.StringType, encodePairs(g.ids()), diags)
	diags.Append(framework.Publish(ctx, state, identity, g.groupModel, identityModel{ID: g.ID, Generations: pairs})...)
	diags.Append(framework.StorePrivate(ctx, private, notesKey, g.notes)...)
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
	return g.ID.ValueString() != "" && !framework.IsUnknownID(g.ID)
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
	g.SucceededCount, g.FailedCount = types.Int64Value(succeeded), types.Int64Value(failed)
	g.PendingCount, g.UnknownCount = types.Int64Value(pending), types.Int64Value(unknown)
	g.Complete = types.BoolValue(pending == 0)
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

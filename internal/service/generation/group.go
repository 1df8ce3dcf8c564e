package generation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// group is what an operation knows of a group: its prompts and generations with
// their rules, its other attributes, and what private state remembers.
type group struct {
	prompts.Group
	values  groupValues
	private privateValues
	// unchanged are the generations that the plan keeps as they are. They are
	// stored so.
	unchanged map[string]prompts.Generation
	// unshown have had results which, in this operation, their statuses did not
	// show.
	unshown []string
}

func newGroup() *group { return &group{Group: prompts.New()} }

// privateState is what the provider must remember of a group and no attribute
// shows.
type privateState struct {
	privateValues
	// Those of prompts.Group. Only a generation that a status has shown, and
	// that Seen has, can be gone.
	Seen       map[string]bool     `json:"seen,omitempty"`
	Superseded map[string][]string `json:"superseded,omitempty"`
	Open       []string            `json:"open,omitempty"`
	SharedIDs  []string            `json:"shared_ids,omitempty"`
	// AtFullProgress are those whose results are final by the progress that was
	// shown beside them: no word says so.
	AtFullProgress []string `json:"at_full_progress,omitempty"`
}

// privateValues are what a prompts.Group does not have of private state.
type privateValues struct {
	// By is who last read or made a generation: that holds for all of them.
	By api.Caller `json:"by,omitzero"`
	// Since is when the first was made of those that no status has shown; zero
	// if there is none.
	Since time.Time `json:"since,omitzero"`
	// Leftovers: a deletion left generations behind, whose end the group's does
	// not prove.
	Leftovers bool `json:"leftovers,omitempty"`
	// Apart holds those that no reply has shown in this group: its end does not
	// prove theirs.
	Apart []string `json:"apart,omitempty"`
	// Created: the group is this object's, see recordGroup.
	Created bool `json:"created,omitempty"`
	// Lost is the first batch that is not confirmed; Pairs is what it
	// may have made, by key.
	Lost  run.Unconfirmed   `json:"unconfirmed,omitzero"`
	Pairs map[string]string `json:"pairs,omitempty"`
	// Shared: a run has seen another object hold the group, too. It stays.
	Shared bool `json:"shared,omitempty"`
	// Sharers are the objects that a run has seen hold the group, or some of its
	// generations, too. Older states have none.
	Sharers []string `json:"sharers,omitempty"`
	// Character is the one that an import has read. Another is an error.
	Character string `json:"character,omitempty"`
	// GroupGone: the service did not find the group of a batch. A refresh
	// reads everything.
	GroupGone bool `json:"group_missing,omitempty"`
	// Forgotten is how many generations deletion_policy has left in the group.
	Forgotten int `json:"kept,omitempty"`
	// Keeps repeats deletion_policy for the plan of a replacement, which has no
	// state.
	Keeps bool `json:"keeps,omitempty"`
}

// load reads a group from a plan or a state, with what its private state
// remembers.
func load(
	ctx context.Context,
	from run.Getter,
	private framework.PrivateReader,
	diags *diag.Diagnostics,
) *group {
	var model groupModel
	diags.Append(from.Get(ctx, &model)...)
	if diags.HasError() {
		return newGroup()
	}
	g := model.decode()
	g.loadPrivate(ctx, private, diags)
	return g
}

// store writes the group, what it remembers and its identity into the state. It
// holds its generations first, so that no other object of this run takes them
// for its own.
func (g *group) store(ctx context.Context, data *run.ProviderData,
	state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateState, diags *diag.Diagnostics,
) {
	g.hold(ctx, data, private, diags)
	g.ensureID()
	if len(g.Unconfirmed()) == 0 {
		g.private.Lost = run.Unconfirmed{}
		g.private.Pairs = nil
	}
	for key, generation := range g.unchanged {
		g.Set(key, generation)
	}
	g.Open = slices.DeleteFunc(g.Open, func(id string) bool { return len(g.KeysOf(id)) == 0 })
	if len(g.KeysIn(g.HeldKeys(), prompts.PhaseNotYetSeen)) == 0 {
		g.private.Since = time.Time{}
	}
	diags.Append(run.Publish(ctx, state, identity, g.encode(), g.identity())...)
	diags.Append(framework.StorePrivate(ctx, private, g.encodePrivate())...)
}

// loadPrivate takes over what private state remembers.
func (g *group) loadPrivate(ctx context.Context, private framework.PrivateReader, diags *diag.Diagnostics) {
	state := g.encodePrivate() // with maps to decode into
	diags.Append(framework.LoadPrivate(ctx, private, &state)...)
	g.private = state.privateValues
	g.Seen = state.Seen
	g.Superseded = state.Superseded
	g.Open = state.Open
	g.SharedIDs = state.SharedIDs
	for _, id := range state.AtFullProgress {
		for _, key := range g.KeysOf(id) {
			generation := g.Generations[key]
			generation.AtFullProgress = true
			g.Set(key, generation)
		}
	}
}

func (g *group) encodePrivate() privateState {
	return privateState{
		privateValues:  g.private,
		Seen:           g.Seen,
		Superseded:     g.Superseded,
		Open:           g.Open,
		SharedIDs:      g.SharedIDs,
		AtFullProgress: g.finalByProgress(),
	}
}

// finalByProgress returns the generations whose results nothing but the progress
// beside them made final.
func (g *group) finalByProgress() (ids []string) {
	for _, id := range g.PresentIDs() {
		generation := g.Of(id)
		results := resultsOf(generation)
		if generation.IsFinal() && results.AreFinal() && results.Word != prompts.WordSuccess {
			ids = append(ids, id)
		}
	}
	return ids
}

// evidence is that of one generation.
func (g *group) evidence(id string) api.Evidence {
	return api.Evidence{Shown: g.Seen[id], By: g.private.By}
}

// asShown is that of the group itself, and of what is to be deleted.
func (g *group) asShown() api.Evidence { return api.Evidence{By: g.private.By}.AsShown() }

func (g *group) hasID() bool {
	return g.values.ID.ValueString() != "" && !run.IsUnconfirmedID(g.values.ID)
}

// knownID is the group's id at the service; empty if it has none.
func (g *group) knownID() string {
	if !g.hasID() {
		return ""
	}
	return g.values.ID.ValueString()
}

// ensureID gives a group without an id one of ours.
func (g *group) ensureID() {
	if g.values.ID.IsNull() || g.values.ID.IsUnknown() {
		g.values.ID = run.UnconfirmedID()
	}
}

// name names the group in diagnostics, even if it has no id yet.
func (g *group) name() string {
	switch {
	case g.values.ID.ValueString() != "":
		return fmt.Sprintf("generation group %q", g.values.ID.ValueString())
	case g.values.CharacterID.IsNull():
		return "generation group without a character"
	}
	return "generation group of " + run.NameOf(g.values.CharacterID)
}

// title is the group's; nil if the configuration has none, or a blank one.
func (g *group) title() *string {
	title := g.values.Title.ValueString()
	if strings.TrimSpace(title) == "" {
		return nil
	}
	return &title
}

func (g *group) keeps() bool { return g.values.DeletionPolicy.ValueString() == framework.PolicyKeep }

// What of a group is this object's alone. Two resources may import it, or parts
// of it, and a service that goes by title puts the batches of two into one.

// hold records that the object holds its group and generations, and remembers
// what another of the run holds too. A read calls it before its requests and
// after: others may begin in between.
func (g *group) hold(
	ctx context.Context,
	data *run.ProviderData,
	private framework.PrivateState,
	diags *diag.Diagnostics,
) {
	owner := run.HolderName(ctx, private, private, diags)
	data.Characters.Note(g.values.CharacterID.ValueString(), g.name())
	if g.hasID() {
		others := data.Groups.Hold(g.values.ID.ValueString(), owner)
		g.private.Shared = g.private.Shared || len(others) > 0 // variant: groups-by-title
		g.noteSharers(others)
	}
	for _, id := range g.AllIDs() {
		others := data.Generations.Hold(id, owner)
		if len(others) > 0 && !g.IsShared(id) {
			g.SharedIDs = append(g.SharedIDs, id)
		}
		g.noteSharers(others)
	}
	g.takeBackShared(data)
}

func (g *group) noteSharers(others []string) {
	g.private.Sharers = prompts.Unique(append(g.private.Sharers, others...))
}

// takeBackShared takes back what is remembered of other objects once all of them
// are known to be destroyed: this one is the last, with which goes what they
// shared.
func (g *group) takeBackShared(data *run.ProviderData) {
	if len(g.private.Sharers) == 0 {
		return
	}
	for _, sharer := range g.private.Sharers {
		if !data.HasReleased(sharer) {
			return
		}
	}
	g.private.Sharers = nil
	g.private.Shared = false
	g.SharedIDs = nil
}

// goesWhole reports whether a destroy deletes the group itself, with all that
// is in it.
func (g *group) goesWhole() bool { return g.hasID() && g.isAlone() }

// isAlone reports whether the group is this object's, and no other object holds
// any of it.
func (g *group) isAlone() bool {
	return g.private.Created && !g.private.Shared && len(g.SharedIDs) == 0
}

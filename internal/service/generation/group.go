package generation

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// group is everything that an operation knows of a group: its prompts and
// generations with their rules, its other attributes, and its private state.
type group struct {
	prompts.Group
	values  groupValues
	private privateValues
	// unchanged are the generations that the plan keeps. They are stored
	// without a change.
	unchanged map[string]prompts.Generation
	// unshown are generations that have had results, but whose statuses showed
	// none in this operation.
	unshown []string
}

func newGroup() *group { return &group{Group: prompts.New()} }

// privateState is the knowledge about a group that the provider must remember
// and that no attribute shows.
type privateState struct {
	privateValues
	// The fields of prompts.Group. Only a generation that a status has shown,
	// and that is in Seen, can be gone.
	Seen       map[string]bool     `json:"seen,omitempty"`
	Superseded map[string][]string `json:"superseded,omitempty"`
	Open       []string            `json:"open,omitempty"`
	SharedIDs  []string            `json:"shared_ids,omitempty"`
	// AtFullProgress are generations whose results are final only because of
	// the progress that was shown beside them. No status word says so.
	AtFullProgress []string `json:"at_full_progress,omitempty"`
}

// privateValues are the values of private state that are not in prompts.Group.
type privateValues struct {
	// By is the caller that last read or made a generation. The proof of a 404
	// uses it for all generations of the group.
	By evidence.Caller `json:"by,omitzero"`
	// Since is when the first generation was made that no status has shown;
	// zero if there is none.
	Since time.Time `json:"since,omitzero"`
	// Leftovers is true if a deletion left generations behind. The end of the
	// group does not prove their end.
	Leftovers bool `json:"leftovers,omitempty"`
	// Apart are the generations that no reply has shown in this group. The
	// end of the group does not prove their end.
	Apart []string `json:"apart,omitempty"`
	// Created is true if the group belongs to this object, see recordGroup.
	Created bool `json:"created,omitempty"`
	// FirstUnconfirmed is the first unconfirmed batch. Pairs are the generations that it
	// may have made, by key.
	FirstUnconfirmed framework.Unconfirmed `json:"unconfirmed,omitzero"`
	Pairs            map[string]string     `json:"pairs,omitempty"`
	// Shared is true if a run has seen a second object hold the group. The
	// value stays true.
	Shared bool `json:"shared,omitempty"`
	// Sharers are the other objects that a run has seen hold the group, or some
	// of its generations. Older states have none.
	Sharers []string `json:"sharers,omitempty"`
	// Character is the character that an import has read. A different character
	// in the configuration is an error.
	Character string `json:"character,omitempty"`
	// GroupGone is true if the service did not find the group of a batch. A
	// refresh then reads everything.
	GroupGone bool `json:"group_missing,omitempty"`
	// Forgotten counts the generations that deletion_policy has left in the
	// group.
	Forgotten int `json:"kept,omitempty"`
	// Keeps repeats deletion_policy for the plan of a replacement, which has no
	// state.
	Keeps bool `json:"keeps,omitempty"`
}

// load reads a group from a plan or a state, and from private state.
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

// store writes the group, its private state and its identity into the state.
// Before that it registers the generations as held, so that no other object of
// this run mistakes them for its own.
func (g *group) store(ctx context.Context, data *run.ProviderData,
	state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateState, diags *diag.Diagnostics,
) {
	g.hold(ctx, data, private, diags)
	g.ensureID()
	if len(g.Unconfirmed()) == 0 {
		g.private.FirstUnconfirmed = framework.Unconfirmed{}
		g.private.Pairs = nil
	}
	for key, generation := range g.unchanged {
		g.Set(key, generation)
	}
	g.Open = slices.DeleteFunc(g.Open, func(id string) bool { return len(g.KeysOf(id)) == 0 })
	if len(g.KeysIn(g.GenerationKeys(), prompts.PhaseNotYetSeen)) == 0 {
		g.private.Since = time.Time{}
	}
	diags.Append(run.Publish(ctx, state, identity, g.encode(), g.identity())...)
	diags.Append(framework.StorePrivate(ctx, private, g.encodePrivate())...)
}

// loadPrivate reads the group's private state.
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

// finalByProgress returns the generations whose results are final only because
// of the progress beside them.
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

// evidence returns the evidence for a generation.
func (g *group) evidence(id string) evidence.Evidence {
	return evidence.Evidence{Shown: g.Seen[id], By: g.private.By}
}

// asShown returns the evidence for the group itself, and for generations that
// are about to be deleted.
func (g *group) asShown() evidence.Evidence { return evidence.Evidence{By: g.private.By}.AsShown() }

func (g *group) hasID() bool {
	return g.values.ID.ValueString() != "" && !framework.IsUnconfirmedID(g.values.ID)
}

// knownID returns the group's id at the service; empty if it is not known.
func (g *group) knownID() string {
	if !g.hasID() {
		return ""
	}
	return g.values.ID.ValueString()
}

// ensureID gives a group without an id an id of the provider's.
func (g *group) ensureID() {
	if g.values.ID.IsNull() || g.values.ID.IsUnknown() {
		g.values.ID = framework.UnconfirmedID()
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

// title returns the group's title; nil if the configuration has none, or a
// blank one.
func (g *group) title() *string {
	title := g.values.Title.ValueString()
	if strings.TrimSpace(title) == "" {
		return nil
	}
	return &title
}

func (g *group) keeps() bool { return g.values.DeletionPolicy.ValueString() == framework.PolicyKeep }

// Ownership of a group. Two resources may import a group, or parts of it, and a
// service that finds groups by title puts the batches of two resources into a
// single group.

// hold records that this object holds its group and generations, and remembers
// which other objects of the run hold them too. A read calls hold before and
// after its requests, because other objects may start in between.
func (g *group) hold(
	ctx context.Context,
	data *run.ProviderData,
	private framework.PrivateState,
	diags *diag.Diagnostics,
) {
	owner := framework.HolderName(ctx, private, private, diags)
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

// takeBackShared clears the memory of other objects once all of them are known
// to be destroyed. This object is then the last, and the shared media are
// deleted with it.
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

// goesWhole reports whether a destroy deletes the group itself, with everything
// in it.
func (g *group) goesWhole() bool { return g.hasID() && g.isAlone() }

// isAlone reports whether the group belongs to this object, and no other object
// holds a part of it.
func (g *group) isAlone() bool {
	return g.private.Created && !g.private.Shared && len(g.SharedIDs) == 0
}

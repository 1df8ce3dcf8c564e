package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// group is the working copy of a group: the rules with their values, and the model, whose
// nested collections are stale until it is stored.
type group struct {
	prompts.Group
	model   groupModel
	private privateState
	// promised are the generations that the update's plan shows unchanged. They are stored
	// so; the next refresh reads what is new.
	promised map[string]prompts.Generation
}

func newGroup() group { return group{Group: prompts.New()} }

// privateState is what the provider must remember of a group and no attribute shows.
type privateState struct {
	// Only a generation that a status has shown can vanish.
	api.EvidenceByID
	// Superseded and Open: see prompts.Group.
	Superseded map[string][]string `json:"superseded,omitempty"`
	Open       []string            `json:"open,omitempty"`
	// Leftovers: a deletion left generations behind. The group's end does not prove theirs.
	Leftovers bool `json:"leftovers,omitempty"`
	// Apart holds the generations that no reply has shown in this group: its end does
	// not prove theirs.
	Apart []string `json:"apart,omitempty"`
	// Created: the group is this object's. The reply to a batch that was sent without a
	// group's id has named a generation in it.
	Created bool `json:"created,omitempty"`
	// Unconfirmed is the first batch whose outcome is not confirmed, and Pairs are the
	// generations that its prompts may have, by key.
	Unconfirmed framework.Unconfirmed `json:"unconfirmed,omitzero"`
	Pairs       map[string]string     `json:"pairs,omitempty"`
	// Shared and SharedIDs: a run has seen another object that holds the group,
	// or these generations, too. They stay.
	Shared    bool     `json:"shared,omitempty"`
	SharedIDs []string `json:"shared_ids,omitempty"`
	// Character is the one that an import has read. Another is an error.
	Character string `json:"character,omitempty"`
	// GroupMissing: a batch could not be added, since the service did not find the group.
	// The next refresh reads every generation.
	GroupMissing bool `json:"group_missing,omitempty"`
	// Kept is how many generations deletion_policy has left in the group.
	Kept int `json:"kept,omitempty"`
	// Keeps repeats deletion_policy for the plan of a replacement, which has no state.
	Keeps bool `json:"keeps,omitempty"`
	// Told: the plan has told that the object ends. It cannot if -replace ends it.
	Told bool `json:"told,omitempty"`
}

// asShown is the evidence of the group itself, and of what is to be deleted.
func (p privateState) asShown() api.Evidence { return api.Evidence{By: p.By}.AsShown() }

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

// keeps reports whether generations that the state gives up stay at the service.
func (g *group) keeps() bool { return g.model.DeletionPolicy.ValueString() == framework.PolicyKeep }

// toBatch returns the request for some keys.
func (g *group) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: g.model.CharacterID.ValueStringPointer(),
		GroupTitle:  g.model.Title.ValueStringPointer(),
	}
	if g.hasID() {
		batch.GroupID = g.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := g.Prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Key:      key,
			Take:     prompt.Wanted().Take.Get() - 1,
			Prompt:   prompt.Text.Get(),
			FaceSwap: prompt.FaceSwap.Pointer(), UseFaceLoRA: prompt.UseFaceLoRA.Pointer(),
			UseBodyLoRA: prompt.UseBodyLoRA.Pointer(), SourceImageURL: prompt.SourceImageURL.Pointer(),
		})
	}
	return batch
}

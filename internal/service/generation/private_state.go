package generation

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// privateState is what the provider must remember about a group and no
// attribute shows.
type privateState struct {
	// Only a generation that a status has shown can vanish.
	api.EvidenceByID
	// Superseded holds the generations that a key had before, or that may be
	// its own. They are deleted once its present one has results, unless
	// another key needs them.
	Superseded map[string][]string `json:"superseded,omitempty"`
	// Open holds the generations of which neither the reply to their batch nor the
	// statuses have told whose they are.
	Open []string `json:"open,omitempty"`
	// Leftovers: generations may outlive the group, so that its end does not
	// prove theirs. A deletion left some behind.
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
	// GroupMissing: the service did not find the group when a batch was to be added.
	// The next refresh reads every generation.
	GroupMissing bool `json:"group_missing,omitempty"`
	// Kept is how many generations deletion_policy has left in the group.
	Kept int `json:"kept,omitempty"`
	// Keeps repeats deletion_policy for the plan of a replacement, which is given
	// no state.
	Keeps bool `json:"keeps,omitempty"`
	// Told: the plan has told that the object ends. It cannot if -replace ends it.
	Told bool `json:"told,omitempty"`
}

// asShown is the evidence of the group itself, and of what is to be deleted.
func (p privateState) asShown() api.Evidence { return api.Evidence{By: p.By}.AsShown() }

package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

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
func (g *group) keeps() bool { return g.model.DeletionPolicy.ValueString() == policyKeep }

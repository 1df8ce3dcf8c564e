package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What of a group is this object's alone. Two resources may import it, or parts of it,
// and a service that goes by title puts the batches of two into one.

// hold records that the object holds its group and its generations, and remembers what
// another object of the run holds too. A read calls it before its requests and after
// them: other reads may begin in between.
func (g *group) hold(ctx context.Context, data *framework.ProviderData, private framework.PrivateData, diags *diag.Diagnostics) {
	owner := framework.HolderName(ctx, private, private, diags)
	data.Characters.Note(g.model.CharacterID.ValueString(), g.name())
	if g.hasID() && len(data.Groups.Hold(g.model.ID.ValueString(), owner)) > 0 { // variant: groups-by-title
		g.private.Shared = true
	}
	for _, id := range g.AllIDs() {
		if len(data.Generations.Hold(id, owner)) > 0 && !g.IsShared(id) {
			g.SharedIDs = append(g.SharedIDs, id)
		}
	}
}

// leave records that the plan destroys the object: what it holds alone, and the
// whole group if that is its own. What another has begun to hold by now stays.
func (g *group) leave(ctx context.Context, data *framework.ProviderData, private framework.PrivateData, diags *diag.Diagnostics) {
	name := framework.HolderName(ctx, private, nil, diags)
	if name == "" || g.private.Keeps {
		return
	}
	if g.isAlone() {
		g.private.Shared = len(data.Groups.Leave(name, func(string) bool { return true })) > 0
	}
	shared := data.Generations.Leave(name, func(id string) bool { return !g.IsShared(id) })
	g.SharedIDs = append(g.SharedIDs, shared...)
	diags.Append(framework.StorePrivateState(ctx, private, g.memory())...)
}

// refuseLoss refuses a plan that deletes with another object what this one holds, or
// with this one what another holds: whichever comes second knows it. An apply plans
// the update again, and is sure to know only what the state says.
func (g *group) refuseLoss(ctx context.Context, data *framework.ProviderData, private framework.PrivateReader, deleted []string, diags *diag.Diagnostics) {
	id, name := g.model.ID.ValueString(), framework.HolderName(ctx, private, nil, diags)
	lost := slices.DeleteFunc(g.AllIDs(), func(id string) bool { return !data.Generations.Leaves(id, name) })
	lost = append(lost, data.Generations.Leave(name, func(id string) bool { return slices.Contains(deleted, id) })...)
	what := "the generations " + quoted(lost)
	if data.Groups.Leaves(id, name) {
		what = fmt.Sprintf("the whole generation group %q, with %s of this resource", id, framework.Plural(len(g.AllIDs()), "generation", "generations"))
	} else if len(lost) == 0 {
		return
	}
	diags.AddError("Media of Another Resource Would Be Deleted", fmt.Sprintf(
		"The plan deletes %s, with all media, and two resources hold them: the one that gives them up was planned before it could know of the other. Nothing was changed.\n\n"+
			"Plan again, and not with -refresh=false: resources that are read at the same time see each other. If that says the same, let the one that gives them up depend on the other (depends_on), which is read first then. "+
			"To destroy both, add -refresh=false: a destroy otherwise begins with this plan. "+
			"One that is to be destroyed can be removed from the state with terraform state rm instead; delete its generations at the service.", what))
}

// goesWhole reports whether a destroy deletes the group itself, with all that is in it.
func (g *group) goesWhole() bool { return g.hasID() && g.isAlone() }

// isAlone reports whether the group is this object's, and no other holds of it.
func (g *group) isAlone() bool {
	return g.private.Created && !g.private.Shared && len(g.SharedIDs) == 0
}

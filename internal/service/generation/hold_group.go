package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// What of a group is this object's alone. A group may be imported in parts, or
// by two resources, and a service that goes by title puts the batches of two
// into one.

// hold records that the object holds its group and its generations, and marks
// what another object of the run holds too. A read calls it before its requests
// and after them: other reads may begin in between.
func (g *group) hold(ctx context.Context, data *framework.Data, private framework.PrivateData, diags *diag.Diagnostics) {
	if data == nil {
		return
	}
	name := framework.HolderName(ctx, private, private, diags)
	if g.hasID() && len(data.Groups.Hold(g.model.ID.ValueString(), name)) > 0 {
		g.private.Shared = true
	}
	for _, id := range g.allIDs() {
		if len(data.Generations.Hold(id, name)) > 0 && !g.isShared(id) {
			g.private.SharedIDs = append(g.private.SharedIDs, id)
		}
	}
}

// leave records that the plan destroys the object, and the whole group with it,
// unless another object has begun to hold the group by now.
func (g *group) leave(ctx context.Context, data *framework.Data, private framework.PrivateData, diags *diag.Diagnostics) {
	if data == nil || !g.private.alone() || g.private.Keeps {
		return
	}
	if g.private.Shared = data.Groups.Leave(framework.HolderName(ctx, private, nil, diags)); g.private.Shared {
		diags.Append(framework.StorePrivateState(ctx, private, g.private)...)
	}
}

// refuseLoss refuses a plan that deletes this object's group with another object:
// that one was planned before this one was read, and does not know of it.
func (g *group) refuseLoss(ctx context.Context, data *framework.Data, private framework.PrivateReader, diags *diag.Diagnostics) {
	id := g.model.ID.ValueString()
	if data == nil || !data.Groups.AnyLeaves(data.Groups.Others(id, framework.HolderName(ctx, private, nil, diags))) {
		return
	}
	diags.AddError("Group of Another Resource Would Be Deleted",
		fmt.Sprintf("The plan destroys a resource that has created the generation group %q, and the whole group with it: also %s of this resource, with all media. "+
			"The other resource was planned before this one was read, so that it could not know. Nothing was changed.\n\n"+
			"Plan again: resources that are read at the same time see each other. If that says the same, remove the other resource from the state with terraform state rm instead of destroying it, and delete its generations at the service.",
			id, framework.Plural(len(g.allIDs()), "generation", "generations")))
}

func (g *group) isShared(id string) bool { return slices.Contains(g.private.SharedIDs, id) }

// goesWhole reports whether a destroy deletes the group itself, with all that is
// in it.
func (g *group) goesWhole() bool {
	return g.hasID() && g.private.alone()
}

// ownIDs returns the generations that no other object is known to hold.
func (g *group) ownIDs() []string { return slices.DeleteFunc(g.allIDs(), g.isShared) }

// fate says what a destroy does to the group itself, and why.
func (g *group) fate() string {
	id := g.model.ID.ValueString()
	var why string
	switch {
	case g.goesWhole():
		kept := ""
		if g.private.Kept > 0 {
			kept = fmt.Sprintf("%s that deletion_policy had kept in it, and ", framework.Plural(g.private.Kept, "generation", "generations"))
		}
		return "The group goes with whatever else is in it, unless its list (extended_reads) shows something else: " + kept + "what other states, other aliases of the provider, and resources that -target or -refresh=false leave out hold of it cannot be seen."
	case !g.hasID():
		return "The group itself may stay at the service, since its id is not known."
	case g.private.Shared || len(g.private.SharedIDs) > 0:
		why = "another resource of this run holds it too, or did so in an earlier run"
	default:
		why = "nothing shows that this resource created it: it was imported, or no reply has named a generation in it"
	}
	text := fmt.Sprintf("The group %q stays, maybe empty: %s. With extended_reads it goes too if its list proves that nothing else is in it.", id, why)
	if kept := g.private.SharedIDs; len(kept) > 0 {
		text += fmt.Sprintf(" Of its generations those stay that another resource holds, or held in an earlier run: %s.", quoted(kept))
	}
	return text
}

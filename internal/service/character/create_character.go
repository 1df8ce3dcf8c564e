package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// create creates a character with one request. It returns nil after an error.
func (r *characterResource) create(ctx context.Context, plan *characterModel, diags *diag.Diagnostics) *api.Character {
	defer r.Data.WarnOfUnwrittenEntries(diags)
	failure := framework.Failure{
		Verb: "Create", Noun: "Character", Consequence: "No character was created.",
		Fields: map[string]path.Path{"name": path.Root("name"), "description": path.Root("description")},
	}
	sent, before := r.Data.Clock.Now(), r.Data.Client.Known("")
	made, err := r.Data.Client.CreateCharacter(ctx, plan.creation())
	switch {
	case reply.IsMissing(err):
		diags.Append(diag.WithPath(path.Root("id"), failure.Error(err)))
	case reply.IsEffectUnknown(err):
		diags.Append(unconfirmed{
			request: "The creation of a character", title: "Character", sent: sent, cause: err,
			look: func(ctx context.Context) ([]api.Sighting, error) { return r.Data.Client.CharactersSince(ctx, before) },
			take: func(id string) string {
				return "adopt it in the resource, with deletion_policy = \"delete\" if a destroy shall delete it:\n\n  id = " + framework.Quote(id)
			},
		}.error(ctx, r.Data))
	case err != nil:
		diags.Append(failure.Error(err))
	}
	return made
}

// adopt finds the character and makes it match the plan. It returns nil after an error.
func (r *characterResource) adopt(ctx context.Context, plan *characterModel, diags *diag.Diagnostics) *api.Character {
	id := plan.ID.ValueString()
	failure := framework.Failure{
		Verb: "Adopt", Noun: "Character", Object: object(id), NotFound: path.Root("id"),
		Consequence: "Nothing was changed.",
	}
	found, _, err := r.Data.Client.FindCharacter(ctx, id)
	if err != nil {
		diags.Append(failure.Error(err))
		return nil
	}
	if found == nil {
		if _, err := r.Data.Client.CapabilitiesOnce(ctx, id); err != nil {
			diags.Append(failure.Error(err))
			return nil
		}
		if !checkUnlisted(id, plan.Name.IsUnknown(), plan.Description.IsUnknown(), diags) {
			return nil
		}
		diags.AddWarning("Character Not Listed",
			fmt.Sprintf("Character %q exists, but the list of characters does not show it to this credential. What the service did not say about it is null.", id))
		found = &api.Character{ID: id}
	}
	update, needed := plan.update(found.Name, found.Description)
	if !needed {
		return found
	}
	updated, err := r.Data.Client.UpdateCharacter(ctx, id, update)
	if err != nil {
		diags.Append(updateFailure(id).Error(err))
		return nil
	}
	return updated
}

// checkUnlisted reports whether a character that the list does not show can be
// adopted. An update sends both texts, and would overwrite one that is not
// configured.
func checkUnlisted(id string, nameOpen, descriptionOpen bool, diags *diag.Diagnostics) bool {
	if nameOpen == descriptionOpen {
		return true
	}
	missing := "name"
	if descriptionOpen {
		missing = "description"
	}
	diags.AddAttributeError(path.Root(missing), "Character Not Listed",
		fmt.Sprintf("Character %q exists, but the list of characters does not show it to this credential, so its %s is not known and an update would overwrite it. "+
			"Set both name and description, or neither, or use a credential that lists the character. Nothing was changed.", id, missing))
	return false
}

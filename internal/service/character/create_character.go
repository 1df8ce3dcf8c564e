package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// create makes a character, with one request; nil after an error.
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

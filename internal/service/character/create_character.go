package character

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// create creates the character with a single request. It returns nil after an
// error.
func (r *characterResource) create(
	ctx context.Context, plan *characterModel, diags *diag.Diagnostics,
) (made *api.Character, wrote bool) {
	defer r.Data.WarnOfUnwrittenEntries(diags)
	failure := creationFailure()
	sent := r.Data.Clock.Now()
	before := r.Data.Client.Known("")
	creation := api.CharacterCreation{Name: plan.Name.ValueString()}
	if !plan.Description.IsUnknown() { // unknown if none is configured
		creation.Description = plan.Description.ValueStringPointer()
	}
	made, err := r.Data.CreateCharacter(ctx, creation)
	switch {
	case reply.LacksEndpoint(err):
		diags.Append(diag.WithPath(path.Root("id"), failure.Error(err)))
	case reply.IsEffectUnknown(err):
		diags.Append(unconfirmed{
			request: "The creation of a character",
			title:   "Character",
			sent:    sent,
			cause:   err,
			look: func(ctx context.Context) ([]evidence.Candidate, error) {
				return r.Data.Client.Characters.Since(ctx, before)
			},
			take: func(id string) string {
				return "adopt it in the resource, with deletion_policy = \"delete\" if a destroy shall delete it:\n\n" +
					"  id = " + framework.Quote(id)
			},
		}.error(ctx, r.Data))
	case reply.Status(err) == http.StatusConflict:
		failure.Consequence = characterExists(api.ExistingCharacter(err))
		diags.Append(failure.Error(err))
	case err != nil:
		diags.Append(failure.Error(err))
	}
	return made, true
}

// adopt finds the character and changes it to match the plan. It returns nil
// after an error.
func (r *characterResource) adopt(
	ctx context.Context, plan *characterModel, diags *diag.Diagnostics,
) (adopted *api.Character, wrote bool) {
	id := plan.ID.ValueString()
	failure := adoptionFailure(id)
	found, _, err := r.Data.Client.Characters.Find(ctx, id)
	if err != nil {
		diags.Append(failure.Error(err))
		return nil, false
	}
	if found == nil {
		if _, err := r.Data.Client.Characters.CapabilitiesOnce(ctx, id); err != nil {
			diags.Append(failure.Error(err))
			return nil, false
		}
		if refuseUnlisted(id, plan.Name.IsUnknown(), plan.Description.IsUnknown(), diags) {
			return nil, false
		}
		diags.Append(adoptedUnlisted(id))
		found = &api.Character{ID: id}
	}
	update, needed := plan.update(found.Name, found.Description)
	if !needed {
		return found, false
	}
	updated, err := r.Data.Client.Characters.Update(ctx, id, update)
	if err != nil {
		diags.Append(updateFailure(id).Error(err))
		return nil, false
	}
	return updated, true
}

// refuseUnlisted refuses to adopt a character that the list does not show if only
// one of its texts is configured, and reports whether it did. An update sends
// both texts, and would overwrite a text that is not configured.
func refuseUnlisted(id string, nameUnset, descriptionUnset bool, diags *diag.Diagnostics) (refused bool) {
	if nameUnset == descriptionUnset {
		return false
	}
	unset := "name"
	if descriptionUnset {
		unset = "description"
	}
	diags.Append(unlistedTextIsUnknown(id, unset))
	return true
}

// unconfirmed is a request that may have created an object. The request cost
// nothing, so nothing is stored: a person finds out whether it has created an
// object.
type unconfirmed struct {
	request, title string // for sentences and the summary
	sent           time.Time
	cause          error
	// look returns the objects that the list has shown since the request and
	// that no object of this run holds.
	look func(context.Context) ([]evidence.Candidate, error)
	take func(id string) string // how to manage the object with an id
}

// error looks for the created object, and returns the error that its creation
// is unconfirmed.
func (u unconfirmed) error(ctx context.Context, data *run.ProviderData) diag.Diagnostic {
	var since []evidence.Candidate
	data.LookOnce(ctx, func(ctx context.Context) (err error) {
		since, err = u.look(ctx)
		return err
	})
	return u.message(since)
}

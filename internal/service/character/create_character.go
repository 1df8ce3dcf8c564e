package character

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// createdWithin is how much earlier than its request a character may seem to be
// created: the times of the service are cut to seconds, and not of one clock.
const createdWithin = 5 * time.Second

// create makes a character, with one request; nil after an error. What a lost reply
// may have made is searched for, and never made again.
func (r *characterResource) create(ctx context.Context, plan *characterModel, diags *diag.Diagnostics) *api.Character {
	defer r.Data.WarnOfUnwrittenEntries(diags)
	name := plan.Name.ValueString()
	failure := framework.Failure{
		Verb: "Create", Noun: "Character", Object: "character named " + framework.Excerpt(name), Consequence: "No character was created.",
		Fields: map[string]path.Path{"name": path.Root("name"), "description": path.Root("description")},
	}
	// One of a name after the other: a lost one must not find another's.
	mutex := r.Data.Names.CreateMutex(name)
	if err := mutex.Lock(ctx); err != nil {
		diags.Append(failure.Error(err))
		return nil
	}
	defer mutex.Unlock()
	began, known := r.Data.Clock.Now(), r.Data.Client.KnownCharacters()
	made, err := r.Data.Client.CreateCharacter(ctx, plan.creation())
	switch {
	case api.IsMissing(err):
		failure.Consequence = "No character was created, and nothing was sent twice. To adopt one that was created elsewhere, set id."
		diags.Append(diag.WithPath(path.Root("id"), failure.Error(err)))
	case api.IsOutcomeUnknown(err):
		return r.findCreated(ctx, plan, began, known, err, diags)
	case err != nil:
		diags.Append(failure.Error(err))
	}
	return made
}

// findCreated handles a creation that may have happened: it adopts the one
// character that can come from it, or says what to look for.
func (r *characterResource) findCreated(ctx context.Context, plan *characterModel, began time.Time, known []string, cause error, diags *diag.Diagnostics) *api.Character {
	var candidates []api.Character
	var same []string
	failure := r.Data.Client.Twice(ctx, func(ctx context.Context) (none bool, err error) {
		all, err := r.Data.Client.RereadCharacters(ctx)
		if err != nil {
			return false, err
		}
		// By the service's clock; without one, nothing is certainly new.
		since := all.Date.Add(began.Sub(r.Data.Clock.Now()) - createdWithin)
		candidates = slices.DeleteFunc(slices.Clone(all.Characters), func(listed api.Character) bool {
			_, different := plan.update(listed.Name, listed.Description)
			created, dated := framework.CreatedAt(listed.CreatedAt)
			return different || slices.Contains(known, listed.ID) || !dated || all.Date.IsZero() || created.Before(since)
		})
		same = namesakes(plan.Name, all.Characters)
		return len(candidates) == 0, nil
	})
	if failure == nil && len(candidates) == 1 {
		found := candidates[0]
		r.Data.Client.Join(found)
		diags.AddWarning("Character Found Without an Answer", fmt.Sprintf(
			"The creation of character %q (named %s) was not confirmed (%s). It is the only one of its name and description that was created since, and was adopted. Nothing was sent twice.",
			found.ID, framework.Excerpt(plan.Name.ValueString()), cause))
		return &found
	}
	seen := "The service's list shows none of this name."
	switch {
	case failure != nil:
		seen = fmt.Sprintf("The service's list could not be read: %s.", failure)
	case len(same) > 0:
		seen = "Characters of this name: " + framework.Several(same, ", ") + "; not exactly one of them is certainly it."
	}
	diags.AddError("Outcome of Character Creation Unknown", fmt.Sprintf(
		"The creation of a character named %s was sent at %s, and its outcome is unknown (%s). %s\n\n"+
			"Nothing was sent twice, and nothing is in the state. Look at the service for a character of this name that was created at that time. If there is one, set id to adopt it, and deletion_policy = %q if a destroy shall delete it; if there is none, apply again.",
		framework.Excerpt(plan.Name.ValueString()), began.UTC().Format(time.RFC3339), cause, seen, policyDelete))
	return nil
}

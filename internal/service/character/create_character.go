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
	lost := framework.Lost{Before: r.Data.Client.KnownCharacters(), Asked: r.Data.Clock.Now()}
	made, err := r.Data.Client.CreateCharacter(ctx, plan.creation())
	switch {
	case api.IsMissing(err):
		failure.Consequence = "No character was created, and nothing was sent twice. To adopt one that was created elsewhere, set id."
		diags.Append(diag.WithPath(path.Root("id"), failure.Error(err)))
	case api.IsOutcomeUnknown(err):
		return r.findCreated(ctx, plan, lost, err, diags)
	case err != nil:
		diags.Append(failure.Error(err))
	}
	return made
}

// findCreated handles a creation that may have happened: it adopts the one
// character that can come from it, or says what to look for.
func (r *characterResource) findCreated(ctx context.Context, plan *characterModel, lost framework.Lost, cause error, diags *diag.Diagnostics) *api.Character {
	var candidates []api.Character
	var certain bool
	seen := "The service's list shows none of this name."
	err := r.Data.Client.Twice(ctx, func(ctx context.Context) (none bool, err error) {
		all, err := r.Data.Client.RereadCharacters(ctx)
		if err != nil {
			return false, err
		}
		if same := namesakes(plan.Name, all.Characters); len(same) > 0 {
			seen = "Characters of this name: " + framework.Several(same, ", ") + "; not exactly one of them is certainly it."
		}
		candidates = slices.DeleteFunc(slices.Clone(all.Characters), func(listed api.Character) bool {
			_, different := plan.update(listed.Name, listed.Description)
			return different
		})
		candidates, certain = framework.MadeBy(lost.ByClockOf(all.Date, r.Data.Clock.Now()), candidates, all.Date,
			func(listed api.Character) (string, *string) { return listed.ID, listed.CreatedAt })
		return len(candidates) == 0, nil
	})
	if err == nil && certain {
		found := candidates[0]
		r.Data.Client.Join(found)
		diags.AddWarning("Character Found Without an Answer", fmt.Sprintf(
			"The creation of character %q (named %s) was not confirmed (%s). It is the only one of its name and description that was created since, and was adopted. Nothing was sent twice.",
			found.ID, framework.Excerpt(plan.Name.ValueString()), cause))
		return &found
	}
	if err != nil {
		seen = fmt.Sprintf("The service's list could not be read: %s.", err)
	}
	diags.AddError("Outcome of Character Creation Unknown", fmt.Sprintf(
		"The creation of a character named %s was sent at %s, and its outcome is unknown (%s). %s\n\n"+
			"Nothing was sent twice, and nothing is in the state. Look at the service for a character of this name that was created at that time. "+
			"If there is one, set id to adopt it, and deletion_policy = %q if a destroy shall delete it; if there is none, apply again.",
		framework.Excerpt(plan.Name.ValueString()), lost.Asked.UTC().Format(time.RFC3339), cause, seen, policyDelete))
	return nil
}

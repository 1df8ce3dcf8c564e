package work

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// listResource describes the list of a character's trainings for terraform
// query.
func (l lora) listResource() list.ListResource {
	return run.List{
		Name: l.typeName,
		Noun: l.title + " Trainings",
		Description: "The trainings of a character's " + l.name + " LoRA, running ones first.\n\nListing them costs " +
			"no credits.",
		Input:     "character_id",
		Attribute: framework.ListCharacter("trainings"),
		Read:      l.list,
	}.New()
}

// list returns the jobs in the form of an import.
func (l lora) list(
	ctx context.Context,
	data *run.ProviderData,
	character types.String,
	results *run.Results,
) error {
	status, err := data.Client.Trainings.Status(ctx, character.ValueString())
	if err != nil {
		return err
	}
	for _, job := range l.jobsOf(status) {
		t := newTraining(&work{data: data}, l)
		t.model.Model = Model{
			CharacterID:       character,
			ID:                types.StringValue(job.id),
			WaitForCompletion: types.BoolValue(true),
			Triggers:          types.MapNull(types.StringType),
			Labels:            types.MapNull(types.StringType),
			Timeouts:          framework.NoTimeouts(),
			Tally:             data.Tally(purchases.Tally{}, purchases.Purchase{Kind: purchases.KindTraining}),
		}
		if results.IncludeResource {
			_, _, _ = t.updateFrom(ctx, status)
		}
		name := job.id
		if job.Status != nil {
			name = fmt.Sprintf("%s (%s)", job.id, *job.Status)
		}
		if !results.Add(ctx, run.OwnedIdentity{CharacterID: character, ID: t.model.ID}, &t.model, name) {
			return nil
		}
	}
	return nil
}

package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// timeoutTypes are the types of the resource's timeouts.
var timeoutTypes = map[string]attr.Type{"create": types.StringType, "update": types.StringType, "delete": types.StringType}

func newTrainingList() list.ListResource {
	return framework.List{
		Name: "body_lora_training", Noun: "Body LoRA Trainings",
		Description: "The body trainings of a character, running ones first, with one request. Costs no credits.",
		Input:       "character_id",
		Attribute: schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Character whose body trainings are listed; `for_each` over the list of characters lists those of all.",
			Validators:          []validator.String{framework.ID()},
		},
		Read: listTrainings,
	}.New()
}

// listTrainings reads the character's training status once, and returns the jobs
// as an import would.
func listTrainings(ctx context.Context, data *framework.Data, character types.String, results *framework.Results) error {
	status, err := data.Client.TrainingStatus(ctx, character.ValueString())
	if err != nil {
		return err
	}
	for _, id := range newBodyJobs(status, nil) {
		t := &training{data: data, model: trainingModel{
			CharacterID: character, ID: types.StringValue(id), WaitForCompletion: types.BoolValue(true),
			Triggers: types.MapNull(types.StringType), Timeouts: timeouts.Value{Object: types.ObjectNull(timeoutTypes)},
		}}
		if results.IncludeResource {
			t.refreshFrom(ctx, status)
		}
		name := id
		if job := findJob(status, id); job.Status != nil {
			name = fmt.Sprintf("%s (%s)", id, *job.Status)
		}
		if !results.Add(ctx, t.model.identity(), &t.model, name) {
			return nil
		}
	}
	return nil
}

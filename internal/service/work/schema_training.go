package work

import (
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// trainingSchema describes a training of a LoRA.
func trainingSchema(l lora) schema.Schema {
	const ofStart = " Null after an import."
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID(
			"Id of the character to train. A change trains the other character, **which costs credits**.",
		),
		"triggers":            framework.Triggers("A change trains again, **which costs credits**."),
		"wait_for_completion": framework.WaitForCompletion("the training"),
		"timeouts":            trainingTimeouts.Attribute(),
		framework.LabelsName:  framework.Labels(),
		"id": framework.ComputedText(
			"Id of the training job. It begins with `unconfirmed-` if the reply to its start was lost.",
		),
		"status": framework.ComputedText(
			"Status of the training, or `unconfirmed` if the reply to its start was lost. Use " +
				"`succeeded` in conditions.",
		),
		"job_type":            framework.ComputedText("Kind of the training."),
		"training_service_id": framework.ComputedText("Id of the job at the service that trains."),
		"message":             framework.ComputedText("Message in the reply to the start." + ofStart),
		"created_at":          framework.ComputedText("When the job was created, in ISO 8601."),
		"updated_at":          framework.ComputedText("When the job last changed, in ISO 8601."),
		"credits_deducted": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Credits that the service deducted for the training." + ofStart,
		},
		"remaining_balance": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Credits left after the start; no refresh renews it." + ofStart,
		},
		"training_steps": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Number of steps of the training." + ofStart,
		},
		"succeeded": schema.BoolAttribute{
			Computed: true,
			MarkdownDescription: "Whether the training has succeeded: `false` if it failed or was stopped, null " +
				"while it runs or is unconfirmed. A failure does not fail the apply: write a postcondition.",
		},
	}
	maps.Copy(attributes, purchases.TallyAttributes("trainings", purchases.KindTraining))
	return schema.Schema{
		MarkdownDescription: strings.TrimSpace(
			"One training of a character's " + l.name + " LoRA, which makes pictures look like the character.\n\n" +
				"**Creating it costs credits.** While a " + l.name + " training of the character runs, planning " +
				"another is an error that names the import. Destroy cancels a running training that this resource " +
				"has started; a trained LoRA stays.\n\n" +
				"Do not use `create_before_destroy`: a replacement cannot start while its predecessor " +
				"runs.\n\n" + l.inferred,
		),
		Attributes: attributes,
	}
}

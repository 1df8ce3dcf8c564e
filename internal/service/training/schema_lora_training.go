package training

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func trainingSchema(ctx context.Context, k kind) schema.Schema {
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID("Id of the character whose " + k.lora + " LoRA is trained. A change replaces the training: **credits are spent again**."),
		"triggers": framework.Triggers("Values of your own; a change replaces the training, that is, trains again: **credits are spent again**. Leaving it out and `{}` are the same. "+
			"After an import the first values are taken over without a replacement, and train nothing.", "A change trains again."),
		"wait_for_completion": framework.WaitForCompletion("Whether to wait until the training has ended; default `true`. A wait that was cut short is resumed by the next apply, which costs nothing."),
		"timeouts": framework.Timeouts(ctx, timeouts.Opts{
			Create: true, Update: true, Delete: true,
			CreateDescription: "How long to wait for the training after it was started, as in `90m`; default `3h`. When it runs out, the training goes on and the next apply resumes the wait.",
			UpdateDescription: "How long a resumed wait may take; default `3h`.",
			DeleteDescription: "How long to wait for a cancelled training to end; default `10m`.",
		}),
		"credits_deducted":  schema.Float64Attribute{Computed: true, MarkdownDescription: "Credits that the start of this training cost, as the service told; null if it was adopted or imported, or if the answer was lost."},
		"remaining_balance": schema.Float64Attribute{Computed: true, MarkdownDescription: "Credits that were left after the start of this training, as the service told; null if it was adopted or imported."},
		"training_steps":    schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of training steps, as told when the training was started; null if it was adopted or imported."},
		"succeeded": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the training has succeeded; `false` if it failed or was stopped, null while it runs. " +
			"A failed training does not fail the apply: write a postcondition on this attribute if it should."},
	}
	for name, text := range computedTexts {
		attributes[name] = framework.ComputedText(text)
	}
	return schema.Schema{
		MarkdownDescription: "One training of a character's " + k.lora + " LoRA; `data.mediagen_training_status` shows how far it is. **Creating it costs credits**, except when a " + k.lora + " training of the character is running already: that one is adopted. " +
			"The plan warns of that one and shows an unknown `id` all the same: if it has ended when the apply gets there, a new training is started and paid for, unless it was imported before. " +
			"Destroying it cancels the training if it still runs and no other resource, or replacement, holds it; a trained LoRA stays.\n\n" +
			"Do not use `create_before_destroy` to train again while a training runs: the service trains one " + k.lora + " LoRA of a character at a time, so the replacement takes over the running training. " +
			"Nothing is bought then and the new `triggers` train nothing, as a warning says; change them once more when it has ended." + k.origin,
		Attributes: attributes,
	}
}

var computedTexts = map[string]string{
	"id":                  "Id of the training job (`job_id`). `unknown-…` if the service's answer to the start was lost and the job could not be found yet; every refresh looks for it.",
	"status":              "Status of the job in the service's own words, which are not documented. Use `succeeded` in conditions.",
	"job_type":            "Type of the job.",
	"training_service_id": "Id of the job at the service that trains.",
	"message":             "What the service said when the training was started; null if it was adopted or imported.",
	"created_at":          "When the job was created, as the service gives it.",
	"updated_at":          "When the job was last updated, as the service gives it.",
}

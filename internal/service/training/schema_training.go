package training

import (
	"context"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func (r *trainingResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	k := r.kind
	attributes := map[string]schema.Attribute{
		"character_id":        framework.OwnerID("Id of the character."),
		"triggers":            framework.Triggers("Values of your own; after an import the first ones only go into the state.", "A change trains again."),
		"wait_for_completion": framework.WaitForCompletion("Default `true`. The next apply resumes a wait that was cut short."),
		"timeouts":            r.Timeouts.Attribute(),
		"credits_deducted":    schema.Float64Attribute{Computed: true, MarkdownDescription: "Null if the training was imported, or the answer lost."},
		"remaining_balance":   schema.Float64Attribute{Computed: true, MarkdownDescription: "Null in the same cases as `credits_deducted`."},
		"training_steps":      schema.Int64Attribute{Computed: true, MarkdownDescription: "Null in the same cases as `credits_deducted`."},
		"succeeded":           schema.BoolAttribute{Computed: true, MarkdownDescription: "`false` if it failed or was stopped, null while it runs. A failure does not fail the apply: write a postcondition."},
	}
	maps.Copy(attributes, framework.TallyAttributes("trainings", api.KindTraining))
	for name, text := range computedTexts {
		attributes[name] = framework.ComputedText(text)
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: strings.TrimSpace("One training of a character's " + k.lora + " LoRA.\n\n" +
			"**Creating it costs credits.** While a " + k.lora + " training of the character runs, planning another is an error that names the import. Destroy cancels a running training that this resource has started; a trained LoRA stays.\n\n" +
			"Another `character_id` or other `triggers` train again: **credits are spent again**. Do not use `create_before_destroy`: a replacement cannot start while its predecessor runs.\n\n" + k.inferred),
		Attributes: attributes,
	}
}

var computedTexts = map[string]string{
	"id":                  "`unconfirmed-…` if no answer to the start has named the job.",
	"status":              "`unconfirmed` in the same case as `id`. Use `succeeded` in conditions.",
	"job_type":            "Kind of the job.",
	"training_service_id": "Id where it trains.",
	"message":             "Null in the same cases as `credits_deducted`.",
	"created_at":          "Time of creation.",
	"updated_at":          "Time of the last change.",
}

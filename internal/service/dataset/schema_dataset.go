package dataset

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const (
	anew        = "A change generates a dataset anew, **which may cost credits**."
	takenOver   = " After an import it is taken over from the configuration, and generates nothing."
	ofSomeHosts = "The service's interface does not show what this needs; deployments that have it document it. "
)

func (r *datasetResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID("Id of the character, which needs a front and a back image of its body first. " + anew),
		"prompts": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Prompts to generate the images from, one image each. Unset: the service's own. " + anew + takenOver,
			Validators: []validator.List{
				framework.NotEmpty{}, framework.NoNulls(),
				listvalidator.ValueStringsAre(framework.Text(), framework.NotBlank()),
			},
			PlanModifiers: []planmodifier.List{listplanmodifier.RequiresReplaceIf(otherPrompts, anew, anew)},
		},
		"use_default_prompts": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the service's own prompts are used too. Unset: the service decides. " + anew + takenOver,
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplaceIf(otherDefault, anew, anew)},
		},
		"triggers":            framework.Triggers("Values of your own. "+anew+" Leaving it out and `{}` are the same."+takenOver, anew),
		"wait_for_completion": framework.WaitForCompletion("Whether to wait until all images are there; default `true`. A wait that was cut short is resumed by the next apply, which generates nothing."),
		"timeouts": framework.Timeouts(ctx, timeouts.Opts{
			Create: true, Update: true,
			CreateDescription: "How long to wait for the dataset after it was started, as in `90m`; default `1h`. When it runs out, the generation goes on and the next apply resumes the wait.",
			UpdateDescription: "How long a resumed wait may take; default `1h`.",
		}),
		"id": framework.ComputedText("Id of the job (`job_id`), as the service answered; unknown in the plan of what generates a dataset, and only there. " +
			"`unknown-…` if the answer was lost or named none: no endpoint tells it again, and nothing needs it."),
		"status": framework.ComputedText("Status of the character's dataset in the service's own words, which are not documented; null right after a start that is not waited for."),
		"total_images": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Number of images in the character's dataset; right after a start that is not waited for, how many the service said it makes.",
		},
		"min_required": schema.Int64Attribute{Computed: true, MarkdownDescription: "How many approved images a dataset needs to be approved."},
		"max_allowed":  schema.Int64Attribute{Computed: true, MarkdownDescription: "How many approved images a dataset may have to be approved."},
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The generation of a character's dataset: the images that its body LoRA is trained on. " + ofSomeHosts +
			"**What it costs is not documented, so creating it counts as a purchase**, and its request is sent once. " +
			"Whether the images replace those of an earlier dataset or are added to them is not documented either. " +
			"A dataset that fails does not fail the apply: write a postcondition on `total_images` if it should. " +
			"Destroying it forgets it: the images stay, and what is being generated goes on.",
		Attributes: attributes,
	}
}

// otherPrompts and otherDefault let an imported dataset take the first value over.
func otherPrompts(ctx context.Context, req planmodifier.ListRequest, resp *listplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !framework.TakesOver(ctx, req.Private, req.StateValue)
}

func otherDefault(ctx context.Context, req planmodifier.BoolRequest, resp *boolplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !framework.TakesOver(ctx, req.Private, req.StateValue)
}

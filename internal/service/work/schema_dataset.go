package work

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const (
	anew         = "A change generates a dataset anew, **which may cost credits**."
	optionalNote = "Only some deployments offer this."
)

// datasetSchema describes a dataset.
func datasetSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID(
			"Id of the character, which needs a front and a back image of its body first. " + anew,
		),
		"prompts": schema.ListAttribute{
			Optional:    true,
			ElementType: types.StringType,
			MarkdownDescription: "Texts to generate images from, one image each. Defaults to the service's own " +
				"prompts. " + anew,
			Validators: []validator.List{
				framework.NotEmpty{}, framework.NoNulls(),
				listvalidator.ValueStringsAre(framework.Text(), framework.NotBlank()),
			},
			PlanModifiers: []planmodifier.List{
				framework.KeepSame(), listplanmodifier.RequiresReplaceIf(otherPrompts, anew, anew),
			},
		},
		"use_default_prompts": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to use the service's own prompts too. If unset, the service decides. " + anew,
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplaceIf(otherDefault, anew, anew)},
		},
		"triggers":            framework.Triggers(anew),
		"wait_for_completion": framework.WaitForCompletion("the generation"),
		"timeouts":            datasetTimeouts.Attribute(),
		framework.LabelsName:  framework.Labels(),
		"id": framework.ComputedText(
			"Id of the job that generates the images; an import does not check it. It begins with `unconfirmed-` if " +
				"no reply has named the job.",
		),
		"status": framework.ComputedText(
			"Status of the dataset. `unconfirmed` if it is not known whether its generation was started.",
		),
		"total_images": schema.Int64Attribute{
			Computed: true,
			MarkdownDescription: "Number of images in the dataset. With `wait_for_completion = false` it is, until " +
				"the next refresh, the number of images to come.",
		},
		"min_required": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Minimum number of approved images for an approval of the dataset.",
		},
		"max_allowed": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Maximum number of approved images in the dataset.",
		},
	}
	maps.Copy(attributes, purchases.TallyAttributes("datasets", purchases.KindDataset))
	return schema.Schema{
		MarkdownDescription: "One generation of a character's dataset: images that the service generates, and that a " +
			"body LoRA may learn from once they are approved.\n\n" +
			"**Its cost is not documented, so that creating it counts as a purchase.** Destroy only forgets it: the " +
			"images stay, and a running generation goes on.\n\n" +
			"After an import, the first `prompts`, `triggers` and `use_default_prompts` only go into the state. A " +
			"failure does not fail the apply: write a postcondition. " + optionalNote,
		Attributes: attributes,
	}
}

// otherPrompts and otherDefault let an imported dataset take over the first
// configured value.
func otherPrompts(
	ctx context.Context,
	req planmodifier.ListRequest,
	resp *listplanmodifier.RequiresReplaceIfFuncResponse,
) {
	resp.RequiresReplace = !framework.TakesOver(ctx, req.Private, req.StateValue)
	if resp.RequiresReplace {
		framework.WarnOfRespelled(req.Path, req.StateValue, req.PlanValue, &resp.Diagnostics)
	}
}

func otherDefault(
	ctx context.Context,
	req planmodifier.BoolRequest,
	resp *boolplanmodifier.RequiresReplaceIfFuncResponse,
) {
	resp.RequiresReplace = !framework.TakesOver(ctx, req.Private, req.StateValue)
}

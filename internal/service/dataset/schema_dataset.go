package dataset

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const (
	anew        = "A change generates a dataset anew, **which may cost credits**."
	ofSomeHosts = "Only some deployments have this. "
)

func (r *datasetResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID("Needs a front and a back image of its body first."),
		"prompts": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "One image each. Unset: the service's own.",
			Validators: []validator.List{
				framework.NotEmpty{}, framework.NoNulls(),
				listvalidator.ValueStringsAre(framework.Text(), framework.NotBlank()),
			},
			PlanModifiers: []planmodifier.List{listplanmodifier.RequiresReplaceIf(otherPrompts, anew, anew)},
		},
		"use_default_prompts": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the service's own prompts too.",
			PlanModifiers:       []planmodifier.Bool{boolplanmodifier.RequiresReplaceIf(otherDefault, anew, anew)},
		},
		"triggers":            framework.Triggers("Values of your own.", anew),
		"wait_for_completion": framework.WaitForCompletion("Default `true`. The next apply resumes a wait that was cut short."),
		"timeouts":            r.Timeouts.Attribute(),
		"id":                  framework.ComputedText("`unconfirmed-…` if no answer has named one; an import does not check it."),
		"status":              framework.ComputedText("In the service's words; `unconfirmed` if it is not known what became of the request."),
		"total_images": schema.Int64Attribute{
			Computed:            true,
			MarkdownDescription: "Right after a start that is not waited for, those to come.",
		},
		"min_required": schema.Int64Attribute{Computed: true, MarkdownDescription: "Approved images needed to approve the dataset."},
		"max_allowed":  schema.Int64Attribute{Computed: true, MarkdownDescription: "Approved images at most."},
	}
	maps.Copy(attributes, framework.TallyAttributes("datasets", api.KindDataset))
	resp.Schema = schema.Schema{
		MarkdownDescription: "One generation of a character's dataset images.\n\n" +
			"**What it costs is not documented, so creating it counts as a purchase.** Destroy forgets it: the images stay, and their generation goes on.\n\n" +
			"Another `character_id`, `prompts`, `triggers` or `use_default_prompts` generates a dataset anew, **which may cost credits**. " +
			"After an import the last three only go into the state. A failure does not fail the apply: write a postcondition. " + ofSomeHosts,
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

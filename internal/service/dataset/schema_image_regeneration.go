package dataset

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const again = "A change regenerates the image again."

func (r *regenerationResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "One regeneration of a dataset image: the image is generated anew from a prompt, and has to be approved anew. " +
			"The service documents no credits for it. Destroy forgets the regeneration; the image stays as it is.",
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Character whose dataset the image belongs to. A change regenerates an image of the other character."),
			"image_id":     framework.OwnerID("Image to regenerate, as `mediagen_dataset_images` lists it. A change regenerates the other image."),
			"prompt": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Prompt to generate the image from. " + again + " After an import it is compared with the prompt that the dataset shows, if it shows one.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIf(promptUnlessImported, again, again)},
			},
			"triggers": framework.Triggers("Values of your own. "+again+" Leaving it out and `{}` are the same. After an import the first values are taken over without a request.", again),
			"id":       schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the regenerated image: the one that the service replied, else `image_id`."},
			"approved": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the image is approved for training, refreshed from the dataset. A person approves it elsewhere: the service's interface cannot. Null while the service has not told."},
			"message":  schema.StringAttribute{Computed: true, MarkdownDescription: "What the service said about the regeneration; null after an import, or if its reply was lost."},
		},
	}
}

func promptUnlessImported(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = isOtherPrompt(req.StateValue, req.PlanValue, framework.Imported(ctx, req.Private))
}

// isOtherPrompt compares a prompt with the configured one. For an imported
// image it is the dataset's; without one there is nothing to compare.
func isOtherPrompt(before, wanted types.String, imported bool) bool {
	if imported {
		return !before.IsNull() && !framework.Echoes(wanted.ValueString(), before.ValueString())
	}
	return !wanted.Equal(before)
}

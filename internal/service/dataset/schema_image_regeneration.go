package dataset

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const again = "A change regenerates the image again."

func (r *regenerationResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"character_id": framework.OwnerID("Id of the character that owns the dataset. A change regenerates the other character's image."),
		"image_id":     framework.OwnerID("Id of the image to regenerate. A change regenerates the other image."),
		"prompt": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Text to generate the image from, sent as it is. After an import, it is compared with the prompt that the dataset shows. " + again,
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIf(promptUnlessImported, again, again)},
		},
		"triggers": framework.Triggers(again),
		"id":       schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the image in the service's reply, else `image_id`."},
		"approved": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the image is approved for training. Null if not reported."},
		"message":  schema.StringAttribute{Computed: true, MarkdownDescription: "Message in the service's reply. Null after an import, or if not reported."},
	}
	maps.Copy(attributes, framework.TallyAttributes("images", api.KindImage))
	resp.Schema = schema.Schema{
		MarkdownDescription: "One regeneration of a dataset image, from a prompt.\n\n" +
			"**Its cost is not documented, so that creating it counts as a purchase.** A change of any argument regenerates an image, which then has to be approved again. Destroy only forgets the regeneration.",
		Attributes: attributes,
	}
}

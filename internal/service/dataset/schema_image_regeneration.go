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
		"character_id": framework.OwnerID("Id of the character."),
		"image_id":     framework.OwnerID("Image to regenerate."),
		"prompt": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "After an import it is compared with the prompt that the dataset shows.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplaceIf(promptUnlessImported, again, again)},
		},
		"triggers": framework.Triggers("Values of your own; after an import the first only go into the state.", again),
		"id":       schema.StringAttribute{Computed: true, MarkdownDescription: "As the service replied, else `image_id`."},
		"approved": schema.BoolAttribute{Computed: true, MarkdownDescription: "Null while the service has not told."},
		"message":  schema.StringAttribute{Computed: true, MarkdownDescription: "The service's answer."},
	}
	maps.Copy(attributes, framework.TallyAttributes("images", api.KindImage))
	resp.Schema = schema.Schema{
		MarkdownDescription: "One regeneration of a dataset image, from a prompt.\n\n" +
			"**What it costs is not documented, so creating it counts as a purchase.** A change of any argument regenerates an image, which has to be approved again; destroy only forgets the regeneration.",
		Attributes: attributes,
	}
}

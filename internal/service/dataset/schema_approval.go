package dataset

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func (r *approvalResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Approvals of a character's dataset images, and of the dataset as a whole, which a body LoRA may need before it can be trained. " + ofSomeHosts + "Costs no credits. " +
			"Approvals of other images, given elsewhere, are left alone. Destroying it withdraws the approvals of its images, unless the dataset was approved as a whole: then they stay.",
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Id of the character. A change replaces the approvals."),
			"image_ids": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Ids of the images to approve, as `data.mediagen_dataset_images` lists them; may be empty. An image that is taken out loses its approval. One whose approval is withdrawn elsewhere, as by a regeneration, is approved again.",
				Validators:          []validator.Set{framework.NoNullsInSet(), setvalidator.ValueStringsAre(framework.ID())},
			},
			"approve": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether to approve the dataset as a whole, after its images; default `false`. **Nothing takes that back**, so `true` cannot become `false` again.",
			},
		},
	}
}

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
		MarkdownDescription: "The approvals of images in a character's dataset, and of the dataset as a whole.\n\n" +
			"Approvals cost no credits. Destroy withdraws those that this resource gave, unless the dataset was approved as a whole.\n\n" +
			"A body LoRA may need approved images before it can be trained. Approvals of other images are left alone. " + ofSomeHosts,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Id of the character that owns the dataset. A change replaces the approvals."),
			"image_ids": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Ids of the images to approve. An image that is taken out loses its approval if this resource gave it; one that lost it elsewhere is approved again.",
				Validators:          []validator.Set{framework.NoNullsInSet(), setvalidator.ValueStringsAre(framework.ID())},
			},
			"approve": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Whether to approve the dataset as a whole, after its images. **Nothing takes that back**. Defaults to `false`.",
			},
		},
	}
}

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
		MarkdownDescription: "Approvals of a character's dataset and its images.\n\n" +
			"Costs no credits. Destroy withdraws the approvals that it gave, unless the dataset was approved as a whole.\n\n" +
			"A body LoRA may need them before it can be trained. Approvals of other images are left alone. " + ofSomeHosts,
		Attributes: map[string]schema.Attribute{
			"character_id": framework.OwnerID("Id of the character. A change replaces the approvals."),
			"image_ids": schema.SetAttribute{
				Required: true, ElementType: types.StringType,
				MarkdownDescription: "Images to approve. One that is taken out loses its approval, if this resource gave it; one that lost it elsewhere is approved again.",
				Validators:          []validator.Set{framework.NoNullsInSet(), setvalidator.ValueStringsAre(framework.ID())},
			},
			"approve": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(false),
				MarkdownDescription: "Approve the dataset as a whole, after its images; default `false`. **Nothing takes that back.**",
			},
		},
	}
}

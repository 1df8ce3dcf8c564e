package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newImage() resource.Resource {
	return &snapshot[imageModel]{
		name: "image", noun: "Image",
		description: "An image made from a text. **Alpha: the service may change this endpoint without notice.**",
		attributes:  imageAttributes, infer: (*imageModel).infer,
		addresses: func(m *imageModel) []string { return m.Output },
	}
}

// imageModel is the image as Terraform sees it.
type imageModel struct {
	snapshotModel

	Prompt types.String `tfsdk:"prompt"`
	Output []string     `tfsdk:"output"`
}

// infer generates the image.
func (m *imageModel) infer(ctx context.Context, client *api.Client) error {
	addresses, err := client.GenerateImage(ctx, m.Prompt.ValueString())
	if err != nil {
		return err
	}
	m.identify(nil)
	m.Output = framework.BoundedAddresses(list(addresses))
	return nil
}

func imageAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"prompt": schema.StringAttribute{
			Required: true, MarkdownDescription: "What the image shows, sent as it is. Alpha.",
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
		},
		"output": computedTexts("Addresses of the image, as the service gave them at create; signed ones expire." + framework.AddressNote + " Alpha."),
	}
}

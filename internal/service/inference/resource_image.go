package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// newImage describes mediagen_image.
func newImage() resource.Resource {
	return &snapshot[imageInputs, []string]{
		Resource:    framework.Resource{Name: "image"},
		noun:        "Image",
		description: "An image that the service generates from a text.",
		note:        " **This endpoint is alpha** and may change without notice.",
		purchase:    purchases.KindImage,
		inputs: map[string]schema.Attribute{
			"prompt": requiredText("Text that says what the image shows, sent as it is.", attributes.NotBlank()),
		},
		fields: []attributes.Field[[]string]{
			attributes.AddressesField(
				"output",
				"Addresses of the image. Signed ones expire, and no refresh renews them."+attributes.AddressNote,
				func(addresses *[]string) []string { return *addresses },
			),
		},
		order: func(inputs *imageInputs, triggers map[string]string) api.ImageOrder {
			return api.ImageOrder{Prompt: inputs.Prompt, Triggers: triggers}
		},
		buy: func(ctx context.Context, client *api.Client, image api.ImageOrder) (*[]string, error) {
			addresses, err := client.Models.GenerateImage(ctx, image)
			return &addresses, err
		},
	}
}

// imageInputs are what an image is made from.
type imageInputs struct {
	Prompt string `tfsdk:"prompt"`
}

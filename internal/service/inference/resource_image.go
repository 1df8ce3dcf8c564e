package inference

import (
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newImage describes mediagen_image.
func newImage() resource.Resource {
	return &snapshot[imageInputs, []string]{
		Resource:    run.Resource{Name: "image"},
		noun:        "Image",
		description: "An image that the service generates from a text.",
		note:        " **This endpoint is alpha** and may change without notice.",
		purchase:    purchases.KindImage,
		inputs: map[string]schema.Attribute{
			"prompt": requiredText("Text that says what the image shows, sent as it is.", framework.NotBlank()),
		},
		fields: []framework.Field[[]string]{
			framework.AddressesField(
				"output",
				"Addresses of the image. Signed ones expire, and no refresh renews them. Null if the reply "+
					"was lost, empty if it names none."+framework.AddressNote,
				func(addresses *[]string) []string { return *addresses },
			),
		},
		order: func(inputs *imageInputs, triggers map[string]string) purchases.Order[[]string] {
			return purchases.OrderImage(purchases.ImageRequest{Prompt: inputs.Prompt, Triggers: triggers})
		},
		isEmpty: func(addresses []string) bool { return len(addresses) == 0 },
	}
}

// imageInputs are the inputs of an image.
type imageInputs struct {
	Prompt string `tfsdk:"prompt"`
}

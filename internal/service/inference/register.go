package inference

import "github.com/hashicorp/terraform-plugin-framework/resource"

// Resources are the managed resources of this domain.
func Resources() []func() resource.Resource {
	return []func() resource.Resource{newChatCompletion, newVisionCompletion, newMediaCategorization, newImage}
}

package inference

import "github.com/hashicorp/terraform-plugin-framework/resource"

// Resources are the resources of this domain.
var Resources = []func() resource.Resource{newChatCompletion, newVisionCompletion, newMediaCategorization, newImage}

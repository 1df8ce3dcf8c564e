package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newVisionCompletion() resource.Resource {
	return &snapshot[visionInputs, api.Completion]{
		Resource: framework.Resource{Name: "vision_completion"}, noun: "Vision Completion",
		description: "A vision completion, which is a model's reply to images and texts.",
		inputs:      visionAttributes(), fields: visionFields,
		ask: func(ctx context.Context, client *api.Client, inputs *visionInputs) (*api.Completion, error) {
			return client.Vision(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}

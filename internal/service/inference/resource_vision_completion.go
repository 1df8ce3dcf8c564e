package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newVisionCompletion() resource.Resource {
	return &snapshot[visionInputs, api.Completion]{
		Resource: framework.Resource{Name: "vision_completion"}, noun: "Vision Completion",
		description: "A model's reply to images and texts.",
		inputs:      visionAttributes(), fields: visionFields,
		ask: func(ctx context.Context, client *api.Client, inputs *visionInputs) (*api.Completion, error) {
			return client.Vision(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}

var visionFields = append(completionFields(
	framework.TextField("logprobs", "As JSON.",
		func(c *api.Choice) *string { return c.Logprobs }),
	framework.TextField("stop_reason", "In the service's words.", func(c *api.Choice) *string { return c.StopReason }),
),
	framework.TextField("prompt_logprobs", "As JSON.",
		func(c *api.Completion) *string { return c.PromptLogprobs }),
)

func visionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"model": optionalText("Model to ask. Unset, the service decides."),
		"temperature": schema.Float64Attribute{
			Optional: true, MarkdownDescription: "Unset, the service decides.",
		},
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "Oldest first.",
			Validators: []validator.List{framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    optionalText(roles),
				"content": partsAttribute(),
			}},
		},
	}
}

func partsAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Required: true, MarkdownDescription: "Each a text or an image.",
		Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"text": optionalText("A text.", stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("image_url"))),
			"image_url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "An http or https address, or a data URI of at most 64 KiB.",
				Validators: []validator.String{framework.MediaAddress()},
			},
		}},
	}
}

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
		description: "A vision-language model's reply to images and texts.",
		inputs:      visionAttributes(), fields: visionFields,
		ask: func(ctx context.Context, client *api.Client, inputs *visionInputs) (*api.Completion, error) {
			return client.Vision(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}

var visionFields = append(completionFields(
	framework.TextField("logprobs", "Log probabilities of the reply's tokens as JSON, in the service's own form; null if it gave none.",
		func(c *api.Choice) *string { return c.Logprobs }),
	framework.TextField("stop_reason", "What ended the reply, in the service's words; null if it gave nothing.", func(c *api.Choice) *string { return c.StopReason }),
),
	framework.TextField("prompt_logprobs", "Log probabilities of the request's tokens as JSON, in the service's own form; null if it gave none.",
		func(c *api.Completion) *string { return c.PromptLogprobs }),
)

func visionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"model": schema.StringAttribute{
			Required: true, MarkdownDescription: "Model to ask." + asksAgain,
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
		},
		"temperature": schema.Float64Attribute{
			Optional: true, MarkdownDescription: "Randomness: the lower, the more predictable. Default and range are not documented." + asksAgain,
		},
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "The conversation so far, oldest message first; at least one." + asksAgain,
			Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    roleAttribute(),
				"content": partsAttribute(),
			}},
		},
	}
}

func partsAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Required: true, MarkdownDescription: "Parts of the message in order, at least one; each is either a text or an image.",
		Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"text": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Text, sent as it is. Exactly one of `text` and `image_url` is set.",
				Validators: []validator.String{
					framework.Text(), stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("image_url")),
				},
			},
			"image_url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Address of an image: http, https, or a data URI, which is stored in the state as it is.",
				Validators: []validator.String{imageAddress()},
			},
		}},
	}
}

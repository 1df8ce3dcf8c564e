package inference

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func visionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"model": optionalText("Name of the model to ask." + unset),
		"temperature": schema.Float64Attribute{
			Optional: true, MarkdownDescription: "Randomness of the reply, usually `0` to `2`: lower is more predictable." + unset,
		},
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "Conversation so far, oldest message first.",
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
		Required: true, MarkdownDescription: "Parts of the message, each a text or an image.",
		Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"text": optionalText("Text of the part. Set exactly one of `text` and `image_url`.", stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("image_url"))),
			"image_url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Image of the part, as an http or https address or a data URI of at most 64 KiB. Set exactly one of `text` and `image_url`.",
				Validators: []validator.String{framework.MediaAddress()},
			},
		}},
	}
}

var visionFields = append(completionFields(
	framework.TextField("logprobs", "Probabilities of the reply's tokens, as JSON; its form is not documented.",
		func(c *api.Choice) *string { return c.Logprobs }),
	framework.TextField("stop_reason", "What stopped the reply; its values are not documented.", func(c *api.Choice) *string { return c.StopReason }),
),
	framework.TextField("prompt_logprobs", "Probabilities of the request's tokens, as JSON; its form is not documented.",
		func(c *api.Completion) *string { return c.PromptLogprobs }),
)

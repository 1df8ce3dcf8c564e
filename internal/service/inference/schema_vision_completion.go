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
		"model": optionalText("Name of the model to ask. Default: the service's own, undocumented."),
		"temperature": schema.Float64Attribute{
			Optional: true, MarkdownDescription: "How random the reply is: lower is more predictable. Default: the service's own, undocumented.",
		},
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "The conversation so far, oldest message first.",
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
			"text": optionalText("Text of the part. Exactly one of `text` and `image_url` is needed.", stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("image_url"))),
			"image_url": schema.StringAttribute{
				Optional: true, MarkdownDescription: "Image of the part: an http or https address, or a data URI of at most 64 KiB. Exactly one of `text` and `image_url` is needed.",
				Validators: []validator.String{framework.MediaAddress()},
			},
		}},
	}
}

var visionFields = append(completionFields(
	framework.TextField("logprobs", "Probabilities of the reply's tokens, as JSON whose form is not documented.",
		func(c *api.Choice) *string { return c.Logprobs }),
	framework.TextField("stop_reason", "What has stopped the reply, as the service words it.", func(c *api.Choice) *string { return c.StopReason }),
),
	framework.TextField("prompt_logprobs", "Probabilities of the request's tokens, as JSON whose form is not documented.",
		func(c *api.Completion) *string { return c.PromptLogprobs }),
)

package inference

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newVisionCompletion() resource.Resource {
	return &snapshot[visionModel]{
		name: "vision_completion", noun: "Vision Completion",
		description: "A vision-language model's reply to images and texts.",
		attributes:  visionAttributes, infer: (*visionModel).infer,
	}
}

// infer sends the images to the model.
func (m *visionModel) infer(ctx context.Context, client *api.Client) error {
	completion, err := client.Vision(ctx, m.request())
	if err != nil {
		return err
	}
	m.take(completion)
	return nil
}

func visionAttributes() map[string]schema.Attribute {
	attributes := completionAttributes(map[string]schema.Attribute{
		"logprobs":    computedText("Log probabilities of the reply's tokens as JSON, in the service's own form; null if it gave none."),
		"stop_reason": computedText("What ended the reply, in the service's words; null if it gave nothing."),
	})
	attributes["prompt_logprobs"] = computedText("Log probabilities of the request's tokens as JSON, in the service's own form; null if it gave none.")
	maps.Copy(attributes, map[string]schema.Attribute{
		"model": schema.StringAttribute{
			Required: true, MarkdownDescription: "Model to ask.",
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
		},
		"temperature": schema.Float64Attribute{
			Optional: true, MarkdownDescription: "Randomness: the lower, the more predictable. Default and range are not documented.",
		},
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "The conversation so far, oldest message first; at least one.",
			Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    roleAttribute(),
				"content": partsAttribute(),
			}},
		},
	})
	return attributes
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
				Validators: []validator.String{imageAddress{}},
			},
		}},
	}
}

package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newVisionCompletion describes mediagen_vision_completion.
func newVisionCompletion() resource.Resource {
	return &snapshot[visionInputs, api.Completion]{
		Resource:    run.Resource{Name: "vision_completion"},
		noun:        "Vision Completion",
		description: "A vision completion, which is a model's reply to images and texts.",
		inputs:      visionAttributes(),
		fields:      visionFields,
		ask: func(ctx context.Context, client *evidence.Client, inputs *visionInputs) (*api.Completion, error) {
			return client.Models.Vision(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}

// visionInputs are the inputs of a vision model.
type visionInputs struct {
	Messages    []visionMessageModel `tfsdk:"messages"`
	Model       *string              `tfsdk:"model"`
	Temperature types.Float64        `tfsdk:"temperature"`
}

// visionMessageModel is a message with texts and images.
type visionMessageModel struct {
	Role    *string     `tfsdk:"role"`
	Content []partModel `tfsdk:"content"`
}

// partModel is a text or an image; its type follows from the field that is set.
type partModel struct {
	Text     *string `tfsdk:"text"`
	ImageURL *string `tfsdk:"image_url"`
}

// request returns the request for the inputs. It leaves out inputs that are not
// set.
func (m *visionInputs) request() api.VisionRequest {
	request := api.VisionRequest{
		Messages:    make([]api.VisionMessage, 0, len(m.Messages)),
		Model:       m.Model,
		Temperature: m.Temperature.ValueFloat64Pointer(),
	}
	for _, message := range m.Messages {
		wanted := api.VisionMessage{Role: message.Role}
		for _, part := range message.Content {
			content := api.VisionPart{Type: "text", Text: part.Text}
			if part.ImageURL != nil {
				content = api.VisionPart{Type: "image_url", ImageURL: &api.ImageURL{URL: *part.ImageURL}}
			}
			wanted.Content = append(wanted.Content, content)
		}
		request.Messages = append(request.Messages, wanted)
	}
	return request
}

// visionAttributes are the attributes of the inputs.
func visionAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"model": optionalText("Name of the model to ask." + unset),
		"temperature": schema.Float64Attribute{
			Optional:            true,
			MarkdownDescription: "Randomness of the reply, usually `0` to `2`: lower is more predictable." + unset,
		},
		"messages": schema.ListNestedAttribute{
			Required:            true,
			MarkdownDescription: "Conversation so far, oldest message first.",
			Validators:          []validator.List{framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role": optionalText(roles),
				"content": schema.ListNestedAttribute{
					Required:            true,
					MarkdownDescription: "Parts of the message, each a text or an image.",
					Validators:          []validator.List{framework.NotEmpty{}, framework.NoNulls()},
					NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
						"text": optionalText(
							"Text of the part. Set exactly one of `text` and `image_url`.",
							stringvalidator.ExactlyOneOf(path.MatchRelative().AtParent().AtName("image_url")),
						),
						"image_url": schema.StringAttribute{
							Optional: true,
							MarkdownDescription: "Image of the part, as an http or https address or a data URI of at " +
								"most 64 KiB. Set exactly one of `text` and `image_url`.",
							Validators: []validator.String{framework.MediaAddress()},
						},
					}},
				},
			}},
		},
	}
}

var visionFields = append(
	completionFields(
		framework.TextField("logprobs", "Probabilities of the reply's tokens, as JSON; its form is not documented.",
			func(c *api.Choice) *string { return c.Logprobs }),
		framework.TextField(
			"stop_reason",
			"What stopped the reply.",
			func(c *api.Choice) *string { return c.StopReason },
		),
	),
	framework.TextField(
		"prompt_logprobs",
		"Probabilities of the request's tokens, as JSON; its form is not documented.",
		func(c *api.Completion) *string { return c.PromptLogprobs },
	),
)

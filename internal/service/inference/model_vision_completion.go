package inference

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// visionInputs are the inputs of a vision completion.
type visionInputs struct {
	Messages    []visionMessageModel `tfsdk:"messages"`
	Model       types.String         `tfsdk:"model"`
	Temperature types.Float64        `tfsdk:"temperature"`
}

type visionMessageModel struct {
	Role    types.String `tfsdk:"role"`
	Content []partModel  `tfsdk:"content"`
}

type partModel struct {
	Text     types.String `tfsdk:"text"`
	ImageURL types.String `tfsdk:"image_url"`
}

// request leaves out what the user has not set.
func (m *visionInputs) request() api.VisionRequest {
	request := api.VisionRequest{
		Messages: make([]api.VisionMessage, 0, len(m.Messages)), Model: m.Model.ValueStringPointer(), Temperature: m.Temperature.ValueFloat64Pointer(),
	}
	for _, message := range m.Messages {
		wanted := api.VisionMessage{Role: message.Role.ValueStringPointer()}
		for _, part := range message.Content {
			wanted.Content = append(wanted.Content, api.VisionPart{
				Text: part.Text.ValueStringPointer(), ImageURL: part.ImageURL.ValueStringPointer(),
			})
		}
		request.Messages = append(request.Messages, wanted)
	}
	return request
}

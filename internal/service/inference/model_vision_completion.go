package inference

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// visionInputs are the inputs of a vision completion.
type visionInputs struct {
	Messages    []visionMessageModel `tfsdk:"messages"`
	Model       *string              `tfsdk:"model"`
	Temperature types.Float64        `tfsdk:"temperature"`
}

type visionMessageModel struct {
	Role    *string     `tfsdk:"role"`
	Content []partModel `tfsdk:"content"`
}

type partModel struct {
	Text     *string `tfsdk:"text"`
	ImageURL *string `tfsdk:"image_url"`
}

// request leaves out what the user has not set.
func (m *visionInputs) request() api.VisionRequest {
	request := api.VisionRequest{Messages: make([]api.VisionMessage, 0, len(m.Messages)), Model: m.Model, Temperature: m.Temperature.ValueFloat64Pointer()}
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

package inference

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// visionModel is the vision completion as Terraform sees it.
type visionModel struct {
	snapshotModel
	completionModel

	Messages    []visionMessageModel `tfsdk:"messages"`
	Model       types.String         `tfsdk:"model"`
	Temperature types.Float64        `tfsdk:"temperature"`

	Choices        []visionChoiceModel `tfsdk:"choices"`
	PromptLogprobs types.String        `tfsdk:"prompt_logprobs"`
}

type visionMessageModel struct {
	Role    types.String `tfsdk:"role"`
	Content []partModel  `tfsdk:"content"`
}

type partModel struct {
	Text     types.String `tfsdk:"text"`
	ImageURL types.String `tfsdk:"image_url"`
}

type visionChoiceModel struct {
	Index        types.Int64     `tfsdk:"index"`
	Role         types.String    `tfsdk:"role"`
	Content      types.String    `tfsdk:"content"`
	ToolCalls    []toolCallModel `tfsdk:"tool_calls"`
	Logprobs     types.String    `tfsdk:"logprobs"`
	FinishReason types.String    `tfsdk:"finish_reason"`
	StopReason   types.String    `tfsdk:"stop_reason"`
}

// request leaves out what the user has not set.
func (m *visionModel) request() api.VisionRequest {
	request := api.VisionRequest{Model: m.Model.ValueString(), Temperature: m.Temperature.ValueFloat64Pointer()}
	for _, message := range m.Messages {
		wanted := api.VisionMessage{Role: message.Role.ValueString()}
		for _, part := range message.Content {
			wanted.Content = append(wanted.Content, api.VisionPart{
				Text: part.Text.ValueStringPointer(), ImageURL: part.ImageURL.ValueStringPointer(),
			})
		}
		request.Messages = append(request.Messages, wanted)
	}
	return request
}

// take stores the service's reply.
func (m *visionModel) take(completion *api.Completion) {
	m.identify(completion.ID)
	m.completionModel.take(completion)
	m.PromptLogprobs = types.StringPointerValue(completion.PromptLogprobs)
	m.Choices = make([]visionChoiceModel, 0, len(completion.Choices))
	for _, choice := range completion.Choices {
		m.Choices = append(m.Choices, visionChoiceModel{
			Index:        types.Int64Value(choice.Index),
			Role:         types.StringPointerValue(choice.Role),
			Content:      types.StringPointerValue(choice.Content),
			ToolCalls:    toolCallModels(choice.ToolCalls),
			Logprobs:     types.StringPointerValue(choice.Logprobs),
			FinishReason: types.StringPointerValue(choice.FinishReason),
			StopReason:   types.StringPointerValue(choice.StopReason),
		})
	}
}

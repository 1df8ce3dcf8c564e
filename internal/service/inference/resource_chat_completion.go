package inference

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newChatCompletion describes mediagen_chat_completion.
func newChatCompletion() resource.Resource {
	return &snapshot[chatInputs, api.Completion]{
		Resource:    run.Resource{Name: "chat_completion"},
		noun:        "Chat Completion",
		description: "A chat completion, which is a model's reply to a conversation.",
		inputs:      chatAttributes(),
		fields:      chatFields,
		ask: func(ctx context.Context, client *evidence.Client, inputs *chatInputs) (*api.Completion, error) {
			return client.Models.Chat(ctx, inputs.request())
		},
		id: func(c *api.Completion) *string { return c.ID },
	}
}

// chatInputs are the inputs of a chat, in Terraform's form.
type chatInputs struct {
	Messages             []messageModel `tfsdk:"messages"`
	Model                types.String   `tfsdk:"model"`
	Temperature          types.Float64  `tfsdk:"temperature"`
	TopP                 types.Float64  `tfsdk:"top_p"`
	N                    types.Int64    `tfsdk:"n"`
	MaxTokens            types.Int64    `tfsdk:"max_tokens"`
	Stop                 []string       `tfsdk:"stop"`
	PresencePenalty      types.Float64  `tfsdk:"presence_penalty"`
	FrequencyPenalty     types.Float64  `tfsdk:"frequency_penalty"`
	BestOf               types.Int64    `tfsdk:"best_of"`
	TopK                 types.Int64    `tfsdk:"top_k"`
	RepetitionPenalty    types.Float64  `tfsdk:"repetition_penalty"`
	MinP                 types.Float64  `tfsdk:"min_p"`
	LengthPenalty        types.Float64  `tfsdk:"length_penalty"`
	Compliance           types.Bool     `tfsdk:"compliance"`
	Reasoning            types.Bool     `tfsdk:"reasoning"`
	CheckImageGeneration types.Bool     `tfsdk:"check_image_generation"`
	Tools                []toolModel    `tfsdk:"tools"`
	ToolChoice           types.String   `tfsdk:"tool_choice"`
	AutoTurn             types.Bool     `tfsdk:"auto_turn"`
}

// messageModel is a message of the conversation.
type messageModel struct {
	Role    string `tfsdk:"role"`
	Content string `tfsdk:"content"`
}

// toolModel is a tool that the model may call. Its parameters are JSON, and are
// compared as JSON.
type toolModel struct {
	Name        types.String `tfsdk:"name"`
	Description types.String `tfsdk:"description"`
	Parameters  types.String `tfsdk:"parameters"`
}

// request returns the request for the inputs. It leaves out inputs that are not
// set, so that the model's defaults apply.
func (m *chatInputs) request() api.ChatRequest {
	request := api.ChatRequest{
		Messages:             make([]api.ChatMessage, 0, len(m.Messages)),
		Model:                m.Model.ValueStringPointer(),
		Temperature:          m.Temperature.ValueFloat64Pointer(),
		TopP:                 m.TopP.ValueFloat64Pointer(),
		N:                    m.N.ValueInt64Pointer(),
		MaxTokens:            m.MaxTokens.ValueInt64Pointer(),
		Stop:                 m.Stop,
		PresencePenalty:      m.PresencePenalty.ValueFloat64Pointer(),
		FrequencyPenalty:     m.FrequencyPenalty.ValueFloat64Pointer(),
		BestOf:               m.BestOf.ValueInt64Pointer(),
		TopK:                 m.TopK.ValueInt64Pointer(),
		RepetitionPenalty:    m.RepetitionPenalty.ValueFloat64Pointer(),
		MinP:                 m.MinP.ValueFloat64Pointer(),
		LengthPenalty:        m.LengthPenalty.ValueFloat64Pointer(),
		Compliance:           m.Compliance.ValueBoolPointer(),
		Reasoning:            m.Reasoning.ValueBoolPointer(),
		CheckImageGeneration: m.CheckImageGeneration.ValueBoolPointer(),
		ToolChoice:           m.ToolChoice.ValueStringPointer(),
		AutoTurn:             m.AutoTurn.ValueBoolPointer(),
	}
	for _, message := range m.Messages {
		request.Messages = append(request.Messages, api.ChatMessage(message))
	}
	for _, tool := range m.Tools {
		wanted := api.Function{Name: tool.Name.ValueString(), Description: tool.Description.ValueStringPointer()}
		if !tool.Parameters.IsNull() {
			wanted.Parameters = json.RawMessage(tool.Parameters.ValueString())
		}
		request.Tools = append(request.Tools, api.Tool{Type: "function", Function: wanted})
	}
	return request
}

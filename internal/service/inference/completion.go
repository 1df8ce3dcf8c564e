package inference

import (
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// completionModel holds the outputs that chat and vision completions share.
type completionModel struct {
	Object        types.String `tfsdk:"object"`
	Created       types.Int64  `tfsdk:"created"`
	ResponseModel types.String `tfsdk:"response_model"`
	Content       types.String `tfsdk:"content"`
	Usage         *usageModel  `tfsdk:"usage"`
}

type usageModel struct {
	PromptTokens     types.Int64 `tfsdk:"prompt_tokens"`
	CompletionTokens types.Int64 `tfsdk:"completion_tokens"`
	TotalTokens      types.Int64 `tfsdk:"total_tokens"`
}

type toolCallModel struct {
	ID        types.String `tfsdk:"id"`
	Type      types.String `tfsdk:"type"`
	Name      types.String `tfsdk:"name"`
	Arguments types.String `tfsdk:"arguments"`
}

// take stores the service's reply, with the content of its first choice.
func (m *completionModel) take(completion *api.Completion) {
	m.Object = types.StringPointerValue(completion.Object)
	m.Created = types.Int64PointerValue(completion.Created)
	m.ResponseModel = types.StringPointerValue(completion.Model)
	m.Content = types.StringPointerValue(completion.Choices[0].Content)
	if usage := completion.Usage; usage != nil {
		m.Usage = &usageModel{
			PromptTokens:     types.Int64PointerValue(usage.PromptTokens),
			CompletionTokens: types.Int64PointerValue(usage.CompletionTokens),
			TotalTokens:      types.Int64PointerValue(usage.TotalTokens),
		}
	}
}

func toolCallModels(calls []api.ToolCall) []toolCallModel {
	models := make([]toolCallModel, 0, len(calls))
	for _, call := range calls {
		models = append(models, toolCallModel{
			ID:        types.StringPointerValue(call.ID),
			Type:      types.StringPointerValue(call.Type),
			Name:      types.StringPointerValue(call.Name),
			Arguments: types.StringPointerValue(call.Arguments),
		})
	}
	return models
}

// list returns the texts as a list, empty instead of null: a service may send
// an empty list or leave it out.
func list(texts []string) []string { return append([]string{}, texts...) }

// completionAttributes returns the attributes of completionModel; choice holds
// the attributes of a choice beyond the common ones.
func completionAttributes(choice map[string]schema.Attribute) map[string]schema.Attribute {
	choice["index"] = schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of the choice, from 0."}
	choice["role"] = computedText("Role of the message's author, usually `assistant`.")
	choice["content"] = computedText("Text of the message; null if the model calls tools in its place.")
	choice["finish_reason"] = computedText("Why the model ended here, in the service's words, such as `stop`, `length` or `tool_calls`.")
	choice["tool_calls"] = schema.ListNestedAttribute{
		Computed: true, MarkdownDescription: "Functions that the model wants called; empty if none.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"id":        computedText("Id of the call."),
			"type":      computedText("Type of the call, always `function`."),
			"name":      computedText("Name of the function."),
			"arguments": computedText("Arguments as the model wrote them: JSON, which need not be valid."),
		}},
	}
	tokens := func(text string) schema.Attribute {
		return schema.Int64Attribute{Computed: true, MarkdownDescription: text}
	}
	return map[string]schema.Attribute{
		"object":         computedText("Type of the answer, usually `chat.completion`."),
		"created":        schema.Int64Attribute{Computed: true, MarkdownDescription: "When the service answered, in seconds since 1970-01-01 UTC."},
		"response_model": computedText("Model that answered, as the service names it."),
		"content":        computedText("Text of the first choice; null if there is none."),
		"choices": schema.ListNestedAttribute{
			Computed: true, MarkdownDescription: "The alternative answers, by index.",
			NestedObject: schema.NestedAttributeObject{Attributes: choice},
		},
		"usage": schema.SingleNestedAttribute{
			Computed: true, MarkdownDescription: "What was counted; null if the service did not tell.",
			Attributes: map[string]schema.Attribute{
				"prompt_tokens":     tokens("Tokens of the request."),
				"completion_tokens": tokens("Tokens of the answer."),
				"total_tokens":      tokens("Tokens of both."),
			},
		},
	}
}

func computedText(text string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: text}
}

func computedTexts(text string) schema.ListAttribute {
	return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: text}
}

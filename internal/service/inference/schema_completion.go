package inference

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// completionFields are what chat and vision completions show; choice are the
// fields of a choice beyond the common ones.
func completionFields(choice ...framework.Field[api.Choice]) []framework.Field[api.Completion] {
	return []framework.Field[api.Completion]{
		framework.TextField("object", "Type of the reply, usually `chat.completion`.", func(c *api.Completion) *string { return c.Object }),
		framework.IntegerField("created", "When the reply was made, in Unix seconds.", func(c *api.Completion) *int64 { return c.Created }),
		framework.TextField("response_model", "Name of the model that answered.", func(c *api.Completion) *string { return c.Model }),
		framework.TextField("content", "Text of the first choice. Null if it has none, as with tool calls.", func(c *api.Completion) *string { return c.Choices[0].Content }),
		framework.ListField("choices", "Alternative replies of the model; never empty.",
			func(c *api.Completion) []api.Choice { return c.Choices }, append(choice, choiceFields...)),
		framework.ObjectField("usage", "Numbers of tokens in request and reply.", func(c *api.Completion) *api.Usage { return c.Usage }, usageFields),
	}
}

var choiceFields = []framework.Field[api.Choice]{
	framework.IntegerField("index", "Index of the choice, counted from 0.", func(c *api.Choice) *int64 { return c.Index }),
	framework.TextField("role", "Role of the message, usually `assistant`.", func(c *api.Choice) *string { return c.Role }),
	framework.TextField("content", "Text of the choice. Null if it has none, as with tool calls.", func(c *api.Choice) *string { return c.Content }),
	framework.TextField("finish_reason", "Why the reply ends; its values are not documented.", func(c *api.Choice) *string { return c.FinishReason }),
	framework.ListField("tool_calls", "Calls of functions that the model asks for.", func(c *api.Choice) []api.ToolCall { return c.ToolCalls }, toolCallFields),
}

var toolCallFields = []framework.Field[api.ToolCall]{
	framework.TextField("id", "Id of the call, to answer it by.", func(c *api.ToolCall) *string { return c.ID }),
	framework.TextField("type", "Type of the call, usually `function`.", func(c *api.ToolCall) *string { return c.Type }),
	framework.TextField("name", "Name of the function to call.", func(c *api.ToolCall) *string { return c.Name }),
	framework.TextField("arguments", "Arguments of the call, as JSON written by the model, which may be invalid.", func(c *api.ToolCall) *string { return c.Arguments }),
}

var usageFields = []framework.Field[api.Usage]{
	framework.IntegerField("prompt_tokens", "Number of tokens in the request.", func(u *api.Usage) *int64 { return u.PromptTokens }),
	framework.IntegerField("completion_tokens", "Number of tokens in the reply.", func(u *api.Usage) *int64 { return u.CompletionTokens }),
	framework.IntegerField("total_tokens", "Number of tokens in request and reply.", func(u *api.Usage) *int64 { return u.TotalTokens }),
}

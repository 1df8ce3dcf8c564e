package inference

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// completionFields are what chat and vision completions show; choice are the
// fields of a choice beyond the common ones.
func completionFields(choice ...framework.Field[api.Choice]) []framework.Field[api.Completion] {
	return []framework.Field[api.Completion]{
		framework.TextField("object", "Type of the answer, usually `chat.completion`.", func(c *api.Completion) *string { return c.Object }),
		framework.IntegerField("created", "When the service answered, in seconds since 1970-01-01 UTC.", func(c *api.Completion) *int64 { return c.Created }),
		framework.TextField("response_model", "Model that answered, as the service names it.", func(c *api.Completion) *string { return c.Model }),
		framework.TextField("content", "Text of the first choice; null if there is none.", func(c *api.Completion) *string { return c.Choices[0].Content }),
		framework.ListField("choices", "The alternative answers, by index.",
			func(c *api.Completion) []api.Choice { return c.Choices }, append(choice, choiceFields...)),
		framework.ObjectField("usage", "What was counted; null if the service did not tell.",
			func(c *api.Completion) *api.Usage { return c.Usage }, usageFields),
	}
}

var choiceFields = []framework.Field[api.Choice]{
	framework.IntegerField("index", "Number of the choice, from 0.", func(c *api.Choice) *int64 { return &c.Index }),
	framework.TextField("role", "Role of the message's author, usually `assistant`.", func(c *api.Choice) *string { return c.Role }),
	framework.TextField("content", "Text of the message; null if the model calls tools in its place.", func(c *api.Choice) *string { return c.Content }),
	framework.TextField("finish_reason", "Why the model ended here, in the service's words, such as `stop`, `length` or `tool_calls`.",
		func(c *api.Choice) *string { return c.FinishReason }),
	framework.ListField("tool_calls", "Functions that the model wants called; empty if none.",
		func(c *api.Choice) []api.ToolCall { return c.ToolCalls }, toolCallFields),
}

var toolCallFields = []framework.Field[api.ToolCall]{
	framework.TextField("id", "Id of the call.", func(c *api.ToolCall) *string { return c.ID }),
	framework.TextField("type", "Type of the call, always `function`.", func(c *api.ToolCall) *string { return c.Type }),
	framework.TextField("name", "Name of the function.", func(c *api.ToolCall) *string { return c.Name }),
	framework.TextField("arguments", "Arguments as the model wrote them: JSON, which need not be valid.", func(c *api.ToolCall) *string { return c.Arguments }),
}

var usageFields = []framework.Field[api.Usage]{
	framework.IntegerField("prompt_tokens", "Tokens of the request.", func(u *api.Usage) *int64 { return u.PromptTokens }),
	framework.IntegerField("completion_tokens", "Tokens of the answer.", func(u *api.Usage) *int64 { return u.CompletionTokens }),
	framework.IntegerField("total_tokens", "Tokens of both.", func(u *api.Usage) *int64 { return u.TotalTokens }),
}

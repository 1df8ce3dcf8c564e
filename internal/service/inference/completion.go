package inference

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// completionFields are what chat and vision completions show; choice are the
// fields of a choice beyond the common ones.
func completionFields(choice ...framework.Field[api.Choice]) []framework.Field[api.Completion] {
	return []framework.Field[api.Completion]{
		framework.TextField("object", "Type of the reply.", func(c *api.Completion) *string { return c.Object }),
		framework.IntegerField("created", "Unix time.", func(c *api.Completion) *int64 { return c.Created }),
		framework.TextField("response_model", "Model that answered.", func(c *api.Completion) *string { return c.Model }),
		framework.TextField("content", "Of the first choice.", func(c *api.Completion) *string { return c.Choices[0].Content }),
		framework.ListField("choices", "Alternative replies.",
			func(c *api.Completion) []api.Choice { return c.Choices }, append(choice, choiceFields...)),
		framework.ObjectField("usage", "May be null.",
			func(c *api.Completion) *api.Usage { return c.Usage }, usageFields),
	}
}

var choiceFields = []framework.Field[api.Choice]{
	framework.IntegerField("index", "From 0.", func(c *api.Choice) *int64 { return c.Index }),
	framework.TextField("role", "Usually `assistant`.", func(c *api.Choice) *string { return c.Role }),
	framework.TextField("content", "May be null.", func(c *api.Choice) *string { return c.Content }),
	framework.TextField("finish_reason", "Why it ends here.",
		func(c *api.Choice) *string { return c.FinishReason }),
	framework.ListField("tool_calls", "Calls the model wants.",
		func(c *api.Choice) []api.ToolCall { return c.ToolCalls }, toolCallFields),
}

var toolCallFields = []framework.Field[api.ToolCall]{
	framework.TextField("id", "Id of the call.", func(c *api.ToolCall) *string { return c.ID }),
	framework.TextField("type", "Usually `function`.", func(c *api.ToolCall) *string { return c.Type }),
	framework.TextField("name", "Function to call.", func(c *api.ToolCall) *string { return c.Name }),
	framework.TextField("arguments", "JSON, perhaps invalid.", func(c *api.ToolCall) *string { return c.Arguments }),
}

var usageFields = []framework.Field[api.Usage]{
	framework.IntegerField("prompt_tokens", "Of the request.", func(u *api.Usage) *int64 { return u.PromptTokens }),
	framework.IntegerField("completion_tokens", "Of the reply.", func(u *api.Usage) *int64 { return u.CompletionTokens }),
	framework.IntegerField("total_tokens", "Of both.", func(u *api.Usage) *int64 { return u.TotalTokens }),
}

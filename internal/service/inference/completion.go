package inference

import (
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// completionFields are what chat and vision completions show; choice are the
// fields of a choice beyond the common ones.
func completionFields(choice ...framework.Field[api.Choice]) []framework.Field[api.Completion] {
	return []framework.Field[api.Completion]{
		framework.TextField("object", "", func(c *api.Completion) *string { return c.Object }),
		framework.IntegerField("created", "Unix time.", func(c *api.Completion) *int64 { return c.Created }),
		framework.TextField("response_model", "", func(c *api.Completion) *string { return c.Model }),
		framework.TextField("content", "Of the first choice.", func(c *api.Completion) *string { return c.Choices[0].Content }),
		framework.ListField("choices", "",
			func(c *api.Completion) []api.Choice { return c.Choices }, append(choice, choiceFields...)),
		framework.ObjectField("usage", "May be null.",
			func(c *api.Completion) *api.Usage { return c.Usage }, usageFields),
	}
}

var choiceFields = []framework.Field[api.Choice]{
	framework.IntegerField("index", "", func(c *api.Choice) *int64 { return &c.Index }),
	framework.TextField("role", "", func(c *api.Choice) *string { return c.Role }),
	framework.TextField("content", "May be null.", func(c *api.Choice) *string { return c.Content }),
	framework.TextField("finish_reason", "",
		func(c *api.Choice) *string { return c.FinishReason }),
	framework.ListField("tool_calls", "",
		func(c *api.Choice) []api.ToolCall { return c.ToolCalls }, toolCallFields),
}

var toolCallFields = []framework.Field[api.ToolCall]{
	framework.TextField("id", "", func(c *api.ToolCall) *string { return c.ID }),
	framework.TextField("type", "", func(c *api.ToolCall) *string { return c.Type }),
	framework.TextField("name", "", func(c *api.ToolCall) *string { return c.Name }),
	framework.TextField("arguments", "JSON, perhaps invalid.", func(c *api.ToolCall) *string { return c.Arguments }),
}

var usageFields = []framework.Field[api.Usage]{
	framework.IntegerField("prompt_tokens", "", func(u *api.Usage) *int64 { return u.PromptTokens }),
	framework.IntegerField("completion_tokens", "", func(u *api.Usage) *int64 { return u.CompletionTokens }),
	framework.IntegerField("total_tokens", "", func(u *api.Usage) *int64 { return u.TotalTokens }),
}

package inference

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/listdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// chatAttributes are the attributes of the inputs.
func chatAttributes() map[string]schema.Attribute {
	all := map[string]schema.Attribute{}
	for name, text := range chatNumbers {
		all[name] = schema.Float64Attribute{Optional: true, MarkdownDescription: text}
	}
	for name, text := range chatIntegers {
		all[name] = schema.Int64Attribute{Optional: true, MarkdownDescription: text}
	}
	for name, text := range chatFlags {
		all[name] = schema.BoolAttribute{Optional: true, MarkdownDescription: text}
	}
	maps.Copy(all, map[string]schema.Attribute{
		"messages": schema.ListNestedAttribute{
			Required:            true,
			MarkdownDescription: "Conversation so far, oldest message first.",
			Validators:          []validator.List{framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    requiredText(roles),
				"content": requiredText("Text of the message, sent as it is."),
			}},
		},
		"model": optionalText("Name of the model to ask." + unset),
		"stop": schema.ListAttribute{
			Optional:            true,
			Computed:            true,
			ElementType:         types.StringType,
			Default:             listdefault.StaticValue(types.ListValueMust(types.StringType, nil)),
			PlanModifiers:       []planmodifier.List{framework.KeepSame()},
			MarkdownDescription: "Texts that end the reply where they occur. Defaults to none.",
			Validators: []validator.List{
				framework.NoNulls(),
				listvalidator.ValueStringsAre(framework.Text()),
			},
		},
		"tools": toolsAttribute(),
		"tool_choice": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Whether the model may call `tools`: `auto` lets it decide, `none` forbids " +
				"it." + unset,
			Validators: []validator.String{stringvalidator.OneOf("none", "auto")},
		},
	})
	return all
}

const (
	roles = "Role of the speaker, such as `system`, `user` or `assistant`."
	unset = " If unset, the service decides."
)

// toolsAttribute is the list of tools that the model may call.
func toolsAttribute() schema.Attribute {
	tool := schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
		"name":        requiredText("Name by which the model calls the function."),
		"description": optionalText("What the function does, as a text for the model. Defaults to none."),
		"parameters": optionalText(
			"Parameters of the function, as a JSON schema (see `jsonencode`). The same JSON written in another "+
				"way is no change. Defaults to none.",
			jsonObject(),
		),
	}}
	return schema.ListNestedAttribute{
		Optional:            true,
		Computed:            true,
		Default:             listdefault.StaticValue(types.ListValueMust(tool.Type(), nil)),
		PlanModifiers:       []planmodifier.List{framework.KeepSame()},
		MarkdownDescription: "Functions that the model may ask to call. Defaults to none.",
		Validators:          []validator.List{framework.NoNulls()},
		NestedObject:        tool,
	}
}

// The interface documents neither defaults nor ranges: "usual" is what some
// deployments document.
var (
	chatNumbers = map[string]string{
		"temperature": "Randomness of the reply, usually `0` to `2`: lower is more predictable." + unset,
		"top_p": "Total probability, up to `1`, of the likeliest tokens that are considered. If unset, the service " +
			"decides, usually on `1`.",
		"presence_penalty": "Penalty on tokens that have occurred, usually `-2` to `2`: a positive one discourages " +
			"them." + unset,
		"frequency_penalty": "Penalty on tokens by how often they have occurred, usually `-2` to `2`." + unset,
		"repetition_penalty": "Penalty on repetition, usually `0` to `2`: above `1`, it counteracts " +
			"repetition." + unset,
		"min_p": "Minimum probability, `0` to `1`, that a token needs to be considered. If unset, the service " +
			"decides, usually on `0`.",
		"length_penalty": "Influence on the preferred length of the reply." + unset,
	}
	chatIntegers = map[string]string{
		"n": "Number of alternative replies, returned as `choices`. If unset, the service decides, usually on `1`.",
		"max_tokens": "Maximum number of tokens to generate. It has no default, so that the limit of the model " +
			"applies.",
		"best_of": "Number of replies that the service generates to return the best. If unset, the service decides, " +
			"usually on `1`.",
		"top_k": "Number of likeliest tokens that are considered. If unset, the service decides, usually on `40`.",
	}
	chatFlags = map[string]string{
		"compliance": "Whether the service checks the reply for violations, such as inappropriate content, and lists " +
			"them in `compliance_violations`." + unset,
		"reasoning": "Whether the reply includes the model's `reasoning`." + unset,
		"check_image_generation": "**Alpha, not recommended for production**: whether the model decides if an image " +
			"is wanted, and then returns an `image_prompt`." + unset,
		"auto_turn": "Whether the reply is split into conversational turns, in `choices[].turns`." + unset,
	}
)

var chatFields = append(
	completionFields(
		framework.TextField(
			"reasoning",
			"Reasoning of the model. Null without the argument `reasoning`.",
			func(c *api.Choice) *string { return c.Reasoning },
		),
		framework.TextField(
			"image_prompt",
			"**Alpha**: prompt for an image, if one is wanted. Null if none is, or without `check_image_generation`.",
			func(c *api.Choice) *string { return c.ImagePrompt },
		),
		framework.TextsField(
			"turns",
			"Conversational turns of the reply. Empty without `auto_turn`.",
			func(c *api.Choice) []string { return c.Turns },
		),
		framework.FlagField(
			"next",
			"Flag that comes with `turns`; its meaning is not documented.",
			func(c *api.Choice) *bool { return c.Next },
		),
		framework.TextsField(
			"compliance_violations",
			"Violations that the service found in the choice, such as `drug_use`. Empty if there are none, or if it "+
				"was not checked.",
			func(c *api.Choice) []string { return c.ComplianceViolations },
		),
	),
	framework.TextsField(
		"compliance_violations",
		"Violations that the service found in the reply, such as `drug_use`. Empty if there are none, or if it was "+
			"not checked.",
		func(c *api.Completion) []string { return c.ComplianceViolations },
	),
)

// completionFields are the fields of chat and vision completions; choice has
// the additional fields of a choice.
func completionFields(choice ...framework.Field[api.Choice]) []framework.Field[api.Completion] {
	return []framework.Field[api.Completion]{
		framework.TextField(
			"object",
			"Type of the reply, usually `chat.completion`.",
			func(c *api.Completion) *string { return c.Object },
		),
		framework.IntegerField(
			"created",
			"When the reply was made, in Unix seconds.",
			func(c *api.Completion) *int64 { return c.Created },
		),
		framework.TextField(
			"response_model",
			"Name of the model that answered.",
			func(c *api.Completion) *string { return c.Model },
		),
		framework.TextField(
			"content",
			"Text of the first choice. Null if it has none, as with tool calls.",
			func(c *api.Completion) *string { return c.Choices[0].Content },
		),
		framework.ListField("choices", "Alternative replies of the model; never empty.",
			func(c *api.Completion) []api.Choice { return c.Choices }, append(choice, choiceFields...)),
		framework.ObjectField(
			"usage",
			"Numbers of tokens in request and reply.",
			func(c *api.Completion) *api.Usage { return c.Usage },
			usageFields,
		),
	}
}

var choiceFields = []framework.Field[api.Choice]{
	framework.IntegerField(
		"index",
		"Index of the choice, counted from 0.",
		func(c *api.Choice) *int64 { return c.Index },
	),
	framework.TextField(
		"role",
		"Role of the message, usually `assistant`.",
		func(c *api.Choice) *string { return c.Role },
	),
	framework.TextField(
		"content",
		"Text of the choice. Null if it has none, as with tool calls.",
		func(c *api.Choice) *string { return c.Content },
	),
	framework.TextField("finish_reason", "Why the reply ends.", func(c *api.Choice) *string { return c.FinishReason }),
	framework.ListField(
		"tool_calls",
		"Calls of functions that the model asks for.",
		func(c *api.Choice) []api.ToolCall { return c.ToolCalls },
		toolCallFields,
	),
}

var toolCallFields = []framework.Field[api.ToolCall]{
	framework.TextField("id", "Id of the call, to answer it by.", func(c *api.ToolCall) *string { return c.ID }),
	framework.TextField(
		"type",
		"Type of the call, usually `function`.",
		func(c *api.ToolCall) *string { return c.Type },
	),
	framework.TextField("name", "Name of the function to call.", func(c *api.ToolCall) *string { return c.Name }),
	framework.TextField(
		"arguments",
		"Arguments of the call, as JSON written by the model, which may be invalid.",
		func(c *api.ToolCall) *string { return c.Arguments },
	),
}

var usageFields = []framework.Field[api.Usage]{
	framework.IntegerField(
		"prompt_tokens",
		"Number of tokens in the request.",
		func(u *api.Usage) *int64 { return u.PromptTokens },
	),
	framework.IntegerField(
		"completion_tokens",
		"Number of tokens in the reply.",
		func(u *api.Usage) *int64 { return u.CompletionTokens },
	),
	framework.IntegerField(
		"total_tokens",
		"Number of tokens in request and reply.",
		func(u *api.Usage) *int64 { return u.TotalTokens },
	),
}

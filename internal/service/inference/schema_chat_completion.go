package inference

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func chatAttributes() map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{}
	for name, text := range chatNumbers {
		attributes[name] = schema.Float64Attribute{Optional: true, MarkdownDescription: text}
	}
	for name, text := range chatIntegers {
		attributes[name] = schema.Int64Attribute{Optional: true, MarkdownDescription: text}
	}
	for name, text := range chatFlags {
		attributes[name] = schema.BoolAttribute{Optional: true, MarkdownDescription: text}
	}
	maps.Copy(attributes, map[string]schema.Attribute{
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "The conversation so far, oldest message first.",
			Validators: []validator.List{framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    requiredText(roles),
				"content": requiredText("Text of the message, sent as it is."),
			}},
		},
		"model": optionalText("Name of the model to ask. Default: the service's own, undocumented."),
		"stop": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Texts that end the reply where they occur. Default: none.",
			Validators:          []validator.List{framework.NoNulls(), listvalidator.ValueStringsAre(framework.Text())},
		},
		"tools": toolsAttribute(),
		"tool_choice": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Whether the model may call `tools`: `auto` lets it decide, `none` forbids it. Default: the service's own, undocumented.",
			Validators: []validator.String{stringvalidator.OneOf("none", "auto")},
		},
	})
	return attributes
}

const roles = "Role of whoever says it, such as `system`, `user` or `assistant`."

func toolsAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: "Functions that the model may ask to call. Default: none.",
		Validators: []validator.List{framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"name":        requiredText("Name of the function, by which the model calls it."),
			"description": optionalText("What the function does, for the model. Default: none."),
			"parameters":  optionalText("Parameters of the function, as a JSON schema (see `jsonencode`); the same JSON written in another way is no change. Default: none.", jsonObject()),
		}},
	}
}

// The interface documents neither defaults nor ranges of these, which are left to
// the service.
var (
	chatNumbers = map[string]string{
		"temperature":        "How random the reply is: lower is more predictable. Default: the service's own, undocumented.",
		"top_p":              "Only the likeliest tokens, of this probability together, are considered. Default: the service's own, undocumented.",
		"presence_penalty":   "Penalty on tokens that have occurred; positive discourages them. Default: the service's own, undocumented.",
		"frequency_penalty":  "Penalty on tokens by how often they have occurred. Default: the service's own, undocumented.",
		"repetition_penalty": "Penalty on repetition. Default: the service's own, undocumented.",
		"min_p":              "Least probability that a token must have to be considered. Default: the service's own, undocumented.",
		"length_penalty":     "Preference for long or short replies. Default: the service's own, undocumented.",
	}
	chatIntegers = map[string]string{
		"n":          "Number of alternative replies. Default: the service's own, undocumented.",
		"max_tokens": "Most tokens to generate. Default: the limit of the model.",
		"best_of":    "Number of replies that the service generates, to return the best. Default: the service's own, undocumented.",
		"top_k":      "Only so many of the likeliest tokens are considered. Default: the service's own, undocumented.",
	}
	chatFlags = map[string]string{
		"compliance":             "Whether the service checks the reply for violations, see `compliance_violations`. Default: the service's own, undocumented.",
		"reasoning":              "Whether the reply has the model's `reasoning`. Default: the service's own, undocumented.",
		"check_image_generation": "**Alpha**: whether the reply has an `image_prompt` if the model decides that an image is wanted. Default: the service's own, undocumented.",
		"auto_turn":              "Whether the reply is split into conversational `turns`. Default: the service's own, undocumented.",
	}
)

var chatFields = append(completionFields(
	framework.TextField("reasoning", "The model's reasoning; null without the argument `reasoning`.", func(c *api.Choice) *string { return c.Reasoning }),
	framework.TextField("image_prompt", "**Alpha**: prompt of an image, if one is wanted; null without `check_image_generation`.",
		func(c *api.Choice) *string { return c.ImagePrompt }),
	framework.TextsField("turns", "The reply, split into conversational turns; empty without `auto_turn`.", func(c *api.Choice) []string { return c.Turns }),
	framework.FlagField("next", "A flag that comes with `turns`; its meaning is not documented.", func(c *api.Choice) *bool { return c.Next }),
	framework.TextsField("compliance_violations", "Violations that the service has found in this choice, such as `drug_use`; also empty if it was not checked.",
		func(c *api.Choice) []string { return c.ComplianceViolations }),
),
	framework.TextsField("compliance_violations", "Violations that the service has found in the reply, such as `drug_use`; also empty if it was not checked.",
		func(c *api.Completion) []string { return c.ComplianceViolations }),
)

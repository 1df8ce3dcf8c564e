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
			Required: true, MarkdownDescription: "The conversation, oldest message first.",
			Validators: []validator.List{framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role":    requiredText(roles),
				"content": requiredText("Text of the message."),
			}},
		},
		"model": optionalText("Model to ask."),
		"stop": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Texts that end the reply.",
			Validators:          []validator.List{framework.NoNulls(), listvalidator.ValueStringsAre(framework.Text())},
		},
		"tools": toolsAttribute(),
		"tool_choice": schema.StringAttribute{
			Optional: true, MarkdownDescription: "`auto` or `none`.",
			Validators: []validator.String{stringvalidator.OneOf("none", "auto")},
		},
	})
	return attributes
}

const roles = "Such as `system`, `user` or `assistant`."

func toolsAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: "Functions to offer.",
		Validators: []validator.List{framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"name":        requiredText("Name of the function."),
			"description": optionalText("What it does."),
			"parameters":  optionalText("A JSON schema, see `jsonencode`.", jsonObject()),
		}},
	}
}

// The interface documents neither defaults nor ranges of these, which are left to
// the service.
var (
	chatNumbers = map[string]string{
		"temperature":        "Randomness.",
		"top_p":              "Cumulative probability of tokens considered.",
		"presence_penalty":   "If positive, discourages tokens that occurred.",
		"frequency_penalty":  "Penalty by how often tokens occurred.",
		"repetition_penalty": "Penalty on repetition.",
		"min_p":              "Least probability of a token.",
		"length_penalty":     "Preference for long or short replies.",
	}
	chatIntegers = map[string]string{
		"n":          "Number of replies.",
		"max_tokens": "Most tokens to generate.",
		"best_of":    "Replies generated to give the best of.",
		"top_k":      "Number of likeliest tokens considered.",
	}
	chatFlags = map[string]string{
		"compliance":             "Check the reply for violations.",
		"reasoning":              "Return the model's reasoning.",
		"check_image_generation": "**Alpha.** Return `image_prompt` if an image is wanted.",
		"auto_turn":              "Split the reply into `turns`.",
	}
)

var chatFields = append(completionFields(
	framework.TextField("reasoning", "The model's reasoning.", func(c *api.Choice) *string { return c.Reasoning }),
	framework.TextField("image_prompt", "**Alpha.**",
		func(c *api.Choice) *string { return c.ImagePrompt }),
	framework.TextsField("turns", "With `auto_turn`.", func(c *api.Choice) []string { return c.Turns }),
	framework.FlagField("next", "Meaning not documented.", func(c *api.Choice) *bool { return c.Next }),
	framework.TextsField("compliance_violations", "Of this choice.",
		func(c *api.Choice) []string { return c.ComplianceViolations }),
),
	framework.TextsField("compliance_violations", "Such as `drug_use`; also empty if unchecked.",
		func(c *api.Completion) []string { return c.ComplianceViolations }),
)

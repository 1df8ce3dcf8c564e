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
		attributes[name] = schema.Float64Attribute{Optional: true, MarkdownDescription: text + asksAgain}
	}
	for name, text := range chatIntegers {
		attributes[name] = schema.Int64Attribute{Optional: true, MarkdownDescription: text + asksAgain}
	}
	for name, text := range chatFlags {
		attributes[name] = schema.BoolAttribute{Optional: true, MarkdownDescription: text + asksAgain}
	}
	maps.Copy(attributes, map[string]schema.Attribute{
		"messages": schema.ListNestedAttribute{
			Required: true, MarkdownDescription: "The conversation so far, oldest message first; at least one. The interface has no `tool_call_id`: a message of the role `tool` cannot name the call that it answers." + asksAgain,
			Validators: []validator.List{framework.NotEmpty{}, framework.NoNulls()},
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"role": roleAttribute(),
				"content": schema.StringAttribute{
					Required: true, MarkdownDescription: "Text of the message, sent as it is.",
					Validators: []validator.String{framework.Text()},
				},
			}},
		},
		"model": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Model to ask; default: the service chooses." + asksAgain,
			Validators: []validator.String{framework.Text(), framework.NotBlank()},
		},
		"stop": schema.ListAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Texts that end the reply where the model would write them; default none." + asksAgain,
			Validators:          []validator.List{framework.NoNulls(), listvalidator.ValueStringsAre(framework.Text())},
		},
		"tools": toolsAttribute(),
		"tool_choice": schema.StringAttribute{
			Optional: true, MarkdownDescription: "Whether the model may call tools: `auto` or `none`; default: the service decides." + asksAgain,
			Validators: []validator.String{stringvalidator.OneOf("none", "auto")},
		},
	})
	return attributes
}

func roleAttribute() schema.Attribute {
	return schema.StringAttribute{
		Required: true, MarkdownDescription: "Role of the message's author; `system`, `user`, `assistant` and `tool` are known.",
		Validators: []validator.String{framework.Text(), framework.NotBlank()},
	}
}

func toolsAttribute() schema.Attribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: "Functions that the model may ask to have called; default none." + asksAgain,
		Validators: []validator.List{framework.NoNulls()},
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required: true, MarkdownDescription: "Name of the function.",
				Validators: []validator.String{framework.Text(), framework.NotBlank()},
			},
			"description": schema.StringAttribute{
				Optional: true, MarkdownDescription: "What the function does, for the model to read; default none.",
				Validators: []validator.String{framework.Text()},
			},
			"parameters": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Parameters of the function as a JSON schema: a JSON object, see `jsonencode`; default none. White space and the order of keys are no change.",
				Validators:          []validator.String{framework.Text(), jsonObject()},
			},
		}},
	}
}

// The interface documents neither defaults nor ranges of these.
var (
	chatNumbers = map[string]string{
		"temperature":        "Randomness: the lower, the more predictable. Default and range are not documented.",
		"top_p":              "Only tokens within this cumulative probability are considered. Default and range are not documented.",
		"presence_penalty":   "If positive, tokens that occurred already are discouraged. Default and range are not documented.",
		"frequency_penalty":  "Penalty for tokens by how often they occurred. Default and range are not documented.",
		"repetition_penalty": "Penalty that counteracts repetition. Default and range are not documented.",
		"min_p":              "Least probability of a token to be considered. Default and range are not documented.",
		"length_penalty":     "Influence on how long a reply is preferred. Default and range are not documented.",
	}
	chatIntegers = map[string]string{
		"n":          "Number of alternative replies; the default is not documented.",
		"max_tokens": "Most tokens to generate; no default, the limit of the model applies.",
		"best_of":    "Number of replies that the service generates to give the best of them; the default is not documented.",
		"top_k":      "Only so many of the likeliest tokens are considered; the default is not documented.",
	}
	chatFlags = map[string]string{
		"stream":                 "Whether the reply is sent while it is generated; the default is not documented. What is stored is the same, and only a whole reply is. Streamed replies may not be checked for violations.",
		"compliance":             "Whether the reply is checked for violations such as inappropriate content; the default is not documented.",
		"reasoning":              "Whether the model's reasoning is returned, as `reasoning` of each choice; the default is not documented.",
		"check_image_generation": "**Alpha, may change without notice.** Whether the model decides if an image is wanted, and returns `image_prompt` then; the default is not documented. Not recommended for production.",
		"auto_turn":              "Whether the reply is split into the turns of a conversation, returned as `turns` of each choice; the default is not documented. Do not combine it with `stream`.",
	}
)

var chatFields = append(completionFields(
	framework.TextField("reasoning", "The model's reasoning, if `reasoning` is set; else null.", func(c *api.Choice) *string { return c.Reasoning }),
	framework.TextField("image_prompt", "**Alpha, may change without notice.** Prompt for the image that the model thinks is wanted, if `check_image_generation` is set; else null.",
		func(c *api.Choice) *string { return c.ImagePrompt }),
	framework.TextsField("turns", "Turns into which the reply is split, if `auto_turn` is set; else empty.", func(c *api.Choice) []string { return c.Turns }),
	framework.FlagField("next", "What the service returns as `next` beside the turns; its meaning is not documented.", func(c *api.Choice) *bool { return c.Next }),
	framework.TextsField("compliance_violations", "Violations found in this choice, such as `drug_use`; empty if none were found or the service did not check.",
		func(c *api.Choice) []string { return c.ComplianceViolations }),
),
	framework.TextsField("compliance_violations", "Violations found in the reply, such as `drug_use`; empty if none were found or the service did not check. The possible values are not documented.",
		func(c *api.Completion) []string { return c.ComplianceViolations }),
)

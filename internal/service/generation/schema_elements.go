package generation

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// The elements of the group's collections: their schemas, and the values that they hold.

const unset = " If unset, the service decides."

// promptElements are the configured prompts.
var promptElements = nestedMap[prompts.Prompt]{
	unknown: prompts.Prompt{Text: prompts.Unknown[string]()},
	attributes: []nestedAttribute[prompts.Prompt]{
		nested("prompt", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Text of the prompt, sent as it is. Required without `source_image_url`.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.Text }),
		nested("face_swap", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to swap the character's face into the result." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.FaceSwap }),
		nested("use_face_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to use the character's face LoRA. `true` is an error while it is not available." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseFaceLoRA }),
		nested("use_body_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether to use the character's body LoRA. `true` is an error while it is not available." + unset,
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseBodyLoRA }),
		nested("source_image_url", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Photo to edit, as an http or https address or a data URI of at most 64 KiB.",
			Validators:          []validator.String{framework.MediaAddress()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.SourceImageURL }),
		nested("take", schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Number of your own, 1 or more, which is not sent: another number **buys** the prompt once more, failed or not. Defaults to `1`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		}, asNumber, func(p *prompts.Prompt) *prompts.Value[int64] { return &p.Take }),
	},
}

// generationElements are what became of the prompts.
var generationElements = nestedMap[prompts.Generation]{
	unknown: prompts.ToBeBought(),
	attributes: []nestedAttribute[prompts.Generation]{
		nested("id", framework.ComputedText("Id of the generation. Null if the prompt was rejected, not submitted or unconfirmed; equal prompts may share one."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.ID }),
		nested("status", framework.ComputedText("Status of the generation; its values are not documented. `unconfirmed` if the reply was lost or does not tell. Null if not reported."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Status }),
		nested("succeeded", schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the generation has results. Null while it runs, and if `id` is null."}, asFlag,
			func(g *prompts.Generation) *prompts.Value[bool] { return &g.Succeeded }),
		nested("error", framework.ComputedText("Why the prompt has no results. Null if it has some or may still get some."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Error }),
		nested("attempts", computedInt64("How often the prompt was submitted."), asNumber,
			func(g *prompts.Generation) *prompts.Value[int64] { return &g.Attempts }),
	},
}

func computedInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

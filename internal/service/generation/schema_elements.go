package generation

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// The elements of the group's collections: their schemas, and the values that they hold.

// promptElements are the configured prompts.
var promptElements = nestedMap[prompts.Prompt]{
	unknown: prompts.Prompt{Text: prompts.Unknown[string]()},
	attributes: []nestedAttribute[prompts.Prompt]{
		nested("prompt", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Text, sent as it is. Required without `source_image_url`.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.Text }),
		nested("face_swap", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Swap the character's face in; unset, the service decides.",
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.FaceSwap }),
		nested("use_face_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the face LoRA; unset, the service decides.",
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseFaceLoRA }),
		nested("use_body_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the body LoRA; unset, the service decides.",
		}, asFlag, func(p *prompts.Prompt) *prompts.Value[bool] { return &p.UseBodyLoRA }),
		nested("source_image_url", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Photo to edit: an http or https address, or a data URI of at most 64 KiB.",
			Validators:          []validator.String{framework.MediaAddress()},
		}, asText, func(p *prompts.Prompt) *prompts.Value[string] { return &p.SourceImageURL }),
		nested("take", schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Number of your own, not sent: another one **buys** this prompt once more, failed or not. Default `1`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		}, asNumber, func(p *prompts.Prompt) *prompts.Value[int64] { return &p.Take }),
	},
}

// generationElements are what became of the prompts.
var generationElements = nestedMap[prompts.Generation]{
	unknown: prompts.ToBeBought(),
	attributes: []nestedAttribute[prompts.Generation]{
		nested("id", framework.ComputedText("null if rejected, not submitted or unconfirmed; equal prompts may share one."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.ID }),
		nested("status", framework.ComputedText("`unconfirmed` if the reply was lost or does not tell."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Status }),
		nested("succeeded", schema.BoolAttribute{Computed: true, MarkdownDescription: "null while running."}, asFlag,
			func(g *prompts.Generation) *prompts.Value[bool] { return &g.Succeeded }),
		nested("error", framework.ComputedText("why it has no results."), asText,
			func(g *prompts.Generation) *prompts.Value[string] { return &g.Error }),
		nested("attempts", computedInt64("submissions."), asNumber,
			func(g *prompts.Generation) *prompts.Value[int64] { return &g.Attempts }),
	},
}

func computedInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

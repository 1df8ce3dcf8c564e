package generation

import (
	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// The elements of the group's collections: their schemas, and the values that
// they hold.

// promptElements are the configured prompts.
var promptElements = nestedMap[promptModel]{
	unknown: promptModel{Prompt: types.StringUnknown()},
	attributes: []nestedAttribute[promptModel]{
		nested("prompt", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Text, sent as it is. Required without `source_image_url`.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
		}, func(p *promptModel) *types.String { return &p.Prompt }),
		nested("face_swap", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Swap the character's face in; unset, the service decides.",
		}, func(p *promptModel) *types.Bool { return &p.FaceSwap }),
		nested("use_face_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the face LoRA; unset, the service decides.",
		}, func(p *promptModel) *types.Bool { return &p.UseFaceLoRA }),
		nested("use_body_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the body LoRA; unset, the service decides.",
		}, func(p *promptModel) *types.Bool { return &p.UseBodyLoRA }),
		nested("source_image_url", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Photo to edit: an http or https address, or a data URI of at most 64 KiB.",
			Validators:          []validator.String{framework.MediaAddress()},
		}, func(p *promptModel) *types.String { return &p.SourceImageURL }),
		nested("take", schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Number of your own, not sent: another one **buys** this prompt once more, failed or not. Default `1`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		}, func(p *promptModel) *types.Int64 { return &p.Take }),
	},
}

// generationElements are what became of the prompts.
var generationElements = nestedMap[generationModel]{
	unknown: toBeBought(),
	attributes: []nestedAttribute[generationModel]{
		nested("id", framework.ComputedText("null if rejected, not submitted or unconfirmed; equal prompts may share one."),
			func(g *generationModel) *types.String { return &g.ID }),
		nested("status", framework.ComputedText("`unconfirmed` if the reply was lost or does not tell."),
			func(g *generationModel) *types.String { return &g.Status }),
		nested("succeeded", schema.BoolAttribute{Computed: true, MarkdownDescription: "null while running."},
			func(g *generationModel) *types.Bool { return &g.Succeeded }),
		nested("error", framework.ComputedText("why it has no results."),
			func(g *generationModel) *types.String { return &g.Error }),
		nested("attempts", computedInt64("submissions."),
			func(g *generationModel) *types.Int64 { return &g.Attempts }),
	},
}

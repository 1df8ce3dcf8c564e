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
			Required:            true,
			MarkdownDescription: "The text. Sent as it is. A change costs credits.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
		}, func(p *promptModel) *types.String { return &p.Prompt }),
		nested("face_swap", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Swap the character's face in. Unset: the service decides; set it to be reproducible. A change costs credits.",
		}, func(p *promptModel) *types.Bool { return &p.FaceSwap }),
		nested("use_face_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the character's face LoRA, which must be available; needs `character_id`. Unset: the service decides. A change costs credits.",
		}, func(p *promptModel) *types.Bool { return &p.UseFaceLoRA }),
		nested("use_body_lora", schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Use the character's body LoRA, which must be available; needs `character_id`. Unset: the service decides. A change costs credits.",
		}, func(p *promptModel) *types.Bool { return &p.UseBodyLoRA }),
		nested("source_image_url", schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Address of the photo to edit (http or https). A change costs credits.",
			Validators:          []validator.String{framework.MediaAddress()},
		}, func(p *promptModel) *types.String { return &p.SourceImageURL }),
		nested("take", schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Which take of the same prompt this is, from 1; unset is 1. It is not sent: another number buys the prompt again, with `attempts` from the beginning, and deletes the old media once the new ones exist. " +
				"It is how a single prompt, failed or not, is generated once more. A change costs credits.",
			Validators: []validator.Int64{int64validator.AtLeast(1)},
		}, func(p *promptModel) *types.Int64 { return &p.Take }),
	},
}

// generationElements are what became of the prompts.
var generationElements = nestedMap[generationModel]{
	unknown: toBeBought(),
	attributes: []nestedAttribute[generationModel]{
		nested("id", computedString("Id of the generation; a service may give equal prompts the same one. Null if the prompt was rejected, not submitted yet, or its outcome is unknown."),
			func(g *generationModel) *types.String { return &g.ID }),
		nested("status", computedString("Status in the service's words; `unknown` when the reply to the submission was lost, or does not say what became of the prompt."),
			func(g *generationModel) *types.String { return &g.Status }),
		nested("succeeded", schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it ended with results. Null while it is running."},
			func(g *generationModel) *types.Bool { return &g.Succeeded }),
		nested("error", computedString("Why it failed, was rejected or is unknown."),
			func(g *generationModel) *types.String { return &g.Error }),
		nested("attempts", computedInt64("How often the prompt was submitted."),
			func(g *generationModel) *types.Int64 { return &g.Attempts }),
	},
}

package matrix

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var _ function.Function = promptMatrix{}

type promptMatrix struct{}

func newPromptMatrix() function.Function { return promptMatrix{} }

// The positions of its arguments.
const (
	templateArgument int64 = iota
	axesArgument
)

func (promptMatrix) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "prompt_matrix"
}

func (promptMatrix) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Every combination of values in a prompt",
		MarkdownDescription: "Fills the placeholders of a template with every combination of the axes' values. Added values keep the other keys: a group buys only what is new.\n\n" +
			"Keys are the values in placeholder order, in lower case, with `-` for all but letters and digits. " +
			"Braces are doubled: `{{` and `}}`. At most 10,000 combinations.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "template", MarkdownDescription: "Prompt with placeholders: `{place}`."},
			function.MapParameter{
				Name: "axes", ElementType: types.ListType{ElemType: types.StringType},
				MarkdownDescription: "Values by placeholder.",
			},
		},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

// Run builds the prompts, without credentials or requests.
func (promptMatrix) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var template string
	var axes map[string][]types.String
	if resp.Error = req.Arguments.Get(ctx, &template, &axes); resp.Error != nil {
		return
	}
	prompts, err := fill(template, axes)
	if resp.Error = err; err != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, prompts)
}

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
		MarkdownDescription: "Fills the placeholders of a template with every combination of the axes' values, and returns the prompts by key. An added value leaves the other keys as they are, so that a group buys only the new prompts.\n\n" +
			"A key consists of the values in the order of their placeholders, in lower case, with `-` for everything but letters and digits. " +
			"Write a literal brace twice, as `{{` or `}}`. More than 10,000 combinations are an error.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "template", MarkdownDescription: "Prompt with placeholders in braces, such as `{place}`."},
			function.MapParameter{
				Name: "axes", ElementType: types.ListType{ElemType: types.StringType},
				MarkdownDescription: "Values of each axis, by the name of its placeholder.",
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

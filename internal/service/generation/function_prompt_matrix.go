package generation

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
		Summary: "Every combination of some values in a prompt",
		MarkdownDescription: "Fills the placeholders of a template with every combination of the axes' values, and gives each prompt a key that stays the same when values are added: " +
			"the keys of a `mediagen_generation_group`, which buys only what is new.\n\n" +
			"A placeholder is the name of an axis in braces, as in `{place}`. A brace itself is written twice: `{{` and `}}`. " +
			"A key is made of the values in the order in which their placeholders first appear: in lower case, with what is neither letter nor digit (of any script) as `-`. " +
			"A value without letters and digits adds nothing to the key.\n\n" +
			"It is an error if an axis is not used, if a placeholder names no axis, if two combinations have the same key, or if there are more than 10,000 of them.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "template", MarkdownDescription: "Text of the prompts, with placeholders such as `{place}`."},
			function.MapParameter{
				Name: "axes", ElementType: types.ListType{ElemType: types.StringType},
				MarkdownDescription: "Values for each placeholder, by its name.",
			},
		},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

// Run builds the prompts, without credentials or requests.
func (promptMatrix) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	var axes map[string][]types.String
	if resp.Error = req.Arguments.Get(ctx, &text, &axes); resp.Error != nil {
		return
	}
	values := map[string][]string{}
	for name, axis := range axes {
		if axis == nil {
			resp.Error = blame(axesArgument, "The axis %q is null.", name)
			return
		}
		values[name] = []string{}
		for _, value := range axis {
			if value.IsNull() {
				resp.Error = blame(axesArgument, "The axis %q has a value that is null.", name)
				return
			}
			values[name] = append(values[name], value.ValueString())
		}
	}
	prompts, err := matrix(text, values)
	if resp.Error = err; err != nil {
		return
	}
	resp.Error = resp.Result.Set(ctx, prompts)
}

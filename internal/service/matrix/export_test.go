package matrix

import "github.com/hashicorp/terraform-plugin-framework/types"

// Matrix returns the prompts of a template. An error comes with the argument of
// prompt_matrix that it is about.
func Matrix(template string, axes map[string][]string) (map[string]string, int64, error) {
	values := map[string][]types.String{}
	for name, texts := range axes {
		values[name] = []types.String{}
		for _, text := range texts {
			values[name] = append(values[name], types.StringValue(text))
		}
	}
	prompts, err := fill(template, values)
	if err != nil {
		return nil, *err.FunctionArgument, err
	}
	return prompts, 0, nil
}

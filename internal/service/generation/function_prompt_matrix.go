package generation

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// promptMatrix is the function prompt_matrix.
type promptMatrix struct{}

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
		MarkdownDescription: "Fills the placeholders of a template with every combination of the axes' values, and " +
			"returns the prompts by key. An added value leaves the other keys as they are, so that a group buys only " +
			"the new prompts.\n\n" +
			"A key consists of the values in the order of their placeholders, in lower case, with `-` for everything " +
			"but letters and digits. Write a literal brace twice, as `{{` or `}}`. More than 10,000 combinations are " +
			"an error.",
		Parameters: []function.Parameter{
			function.StringParameter{
				Name:                "template",
				MarkdownDescription: "Prompt with placeholders in braces, such as `{place}`.",
			},
			function.MapParameter{
				Name:                "axes",
				ElementType:         types.ListType{ElemType: types.StringType},
				MarkdownDescription: "Values of each axis, by the name of its placeholder.",
			},
		},
		Return: function.MapReturn{ElementType: types.StringType},
	}
}

func (promptMatrix) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var template string
	var axes map[string][]types.String
	resp.Error = req.Arguments.Get(ctx, &template, &axes)
	if resp.Error != nil {
		return
	}
	filled, err := fillTemplate(template, axes)
	resp.Error = err
	if err == nil {
		resp.Error = resp.Result.Set(ctx, filled)
	}
}

// maxMatrix prevents a mistake from filling the memory, and from being bought.
const maxMatrix = 10_000

// placeholder matches an axis' name in braces. It also matches a doubled brace,
// which stands for a literal brace, and any other brace, which is an error.
var placeholder = regexp.MustCompile(`\{\{|\}\}|\{[^{}]*\}|[{}]`)

// argumentError returns the error of an argument. The CLI adds the last full
// stop.
func argumentError(argument int64, format string, values ...any) *function.FuncError {
	return function.NewArgumentFuncError(argument, fmt.Sprintf(format, values...))
}

// fillTemplate returns every combination of the axes' values in the template, by key.
func fillTemplate(template string, axes map[string][]types.String) (map[string]string, *function.FuncError) {
	order, err := axesOf(template)
	if err != nil {
		return nil, err
	}
	count, err := checkAxes(order, axes)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for number := range count {
		chosen := map[string]string{}
		slugs := []string{}
		for _, name := range order {
			values := axes[name]
			chosen[name] = values[number%len(values)].ValueString()
			number /= len(values)
			if slug := prompts.Slug(chosen[name]); slug != "" {
				slugs = append(slugs, slug)
			}
		}
		key := strings.Join(slugs, "-")
		if key == "" {
			return nil, argumentError(axesArgument, "The values of a prompt have no letter or digit to make a key of")
		}
		if _, taken := texts[key]; taken {
			return nil, argumentError(
				axesArgument,
				"Two prompts have the same key %q. Values must differ in letters or digits",
				key,
			)
		}
		texts[key] = render(template, chosen)
	}
	return texts, nil
}

// checkAxes compares the placeholders with the axes, both ways, and counts
// their combinations.
func checkAxes(order []string, axes map[string][]types.String) (count int, err *function.FuncError) {
	if len(order) == 0 {
		return 0, argumentError(templateArgument, "The template has no placeholder, such as {place}")
	}
	known := slices.Sorted(maps.Keys(axes))
	count = 1
	for i, name := range order {
		values, found := axes[name]
		switch {
		case !found:
			return 0, argumentError(
				templateArgument,
				"The template's placeholder %d names no axis; the axes are %q. A brace that is no placeholder is "+
					"written twice",
				i+1,
				known,
			)
		case values == nil, slices.ContainsFunc(values, types.String.IsNull):
			return 0, argumentError(axesArgument, "The axis %q is null, or has a value that is", name)
		}
		count *= len(values)
		if count > maxMatrix {
			return 0, argumentError(axesArgument, "The axes have more than %d combinations", maxMatrix)
		}
	}
	for _, name := range known {
		if !slices.Contains(order, name) {
			return 0, argumentError(axesArgument, "The axis %q is not used: the template has no {%s}", name, name)
		}
	}
	return count, nil
}

// axesOf returns the placeholders of a template in order of first appearance.
func axesOf(template string) ([]string, *function.FuncError) {
	var order []string
	for _, found := range placeholder.FindAllString(template, -1) {
		switch name := strings.Trim(found, "{}"); {
		case found == "{":
			return nil, argumentError(
				templateArgument,
				"The template has a { without a }. A brace that is no placeholder is written twice",
			)
		case found == "}":
			return nil, argumentError(
				templateArgument,
				"The template has a } without a {. A brace that is no placeholder is written twice",
			)
		case found != "{{" && found != "}}" && !slices.Contains(order, name):
			order = append(order, name)
		}
	}
	return order, nil
}

func render(template string, chosen map[string]string) string {
	return placeholder.ReplaceAllStringFunc(template, func(found string) string {
		if found == "{{" || found == "}}" {
			return found[:1]
		}
		return chosen[strings.Trim(found, "{}")]
	})
}

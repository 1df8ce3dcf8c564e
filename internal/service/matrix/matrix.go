package matrix

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// maxMatrix is the maximum number of prompts, so that a mistake does not fill
// the memory and is not bought.
const maxMatrix = 10_000

// placeholder matches an axis' name in braces, a doubled brace, which is a literal
// one, and any other brace, which is an error.
var placeholder = regexp.MustCompile(`\{\{|\}\}|\{[^{}]*\}|[{}]`)

// blame returns an error, which the CLI ends with a full stop.
func blame(argument int64, format string, values ...any) *function.FuncError {
	return function.NewArgumentFuncError(argument, fmt.Sprintf(format, values...))
}

// fill returns every combination of the axes' values in the template, by key.
func fill(template string, axes map[string][]types.String) (map[string]string, *function.FuncError) {
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
		chosen, slugs := map[string]string{}, []string{}
		for _, name := range order {
			values := axes[name]
			chosen[name], number = values[number%len(values)].ValueString(), number/len(values)
			if slug := prompts.Slug(chosen[name]); slug != "" {
				slugs = append(slugs, slug)
			}
		}
		key := strings.Join(slugs, "-")
		if key == "" {
			return nil, blame(axesArgument, "The values of a prompt have no letter or digit to make a key of")
		}
		if _, taken := texts[key]; taken {
			return nil, blame(axesArgument, "Two prompts have the same key %q. Values must differ in letters or digits", key)
		}
		texts[key] = render(template, chosen)
	}
	return texts, nil
}

// checkAxes compares the placeholders with the axes, both ways, and counts their
// combinations.
func checkAxes(order []string, axes map[string][]types.String) (count int, err *function.FuncError) {
	if len(order) == 0 {
		return 0, blame(templateArgument, "The template has no placeholder, such as {place}")
	}
	known := slices.Sorted(maps.Keys(axes))
	count = 1
	for i, name := range order {
		values, found := axes[name]
		switch {
		case !found:
			return 0, blame(templateArgument, "The template's placeholder %d names no axis; the axes are %q. A brace that is no placeholder is written twice", i+1, known)
		case values == nil, slices.ContainsFunc(values, types.String.IsNull):
			return 0, blame(axesArgument, "The axis %q is null, or has a value that is", name)
		}
		if count *= len(values); count > maxMatrix {
			return 0, blame(axesArgument, "The axes have more than %d combinations", maxMatrix)
		}
	}
	for _, name := range known {
		if !slices.Contains(order, name) {
			return 0, blame(axesArgument, "The axis %q is not used: the template has no {%s}", name, name)
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
			return nil, blame(templateArgument, "The template has a { without a }. A brace that is no placeholder is written twice")
		case found == "}":
			return nil, blame(templateArgument, "The template has a } without a {. A brace that is no placeholder is written twice")
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

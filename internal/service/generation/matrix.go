package generation

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxMatrix is the maximum number of prompts, so that a mistake does not fill
// the memory and is not bought.
const maxMatrix = 10_000

// matrixError is an error in one argument of prompt_matrix.
type matrixError struct {
	argument int64
	problem  string
}

func (e *matrixError) Error() string { return e.problem }

func blame(argument int64, format string, values ...any) *matrixError {
	return &matrixError{argument, fmt.Sprintf(format, values...)}
}

// matrix returns every combination of the axes' values in the text, by key.
func matrix(text string, axes map[string][]string) (map[string]string, *matrixError) {
	parts, err := parseTemplate(text)
	if err != nil {
		return nil, err
	}
	order := axesOf(parts)
	if err := checkAxes(order, axes); err != nil {
		return nil, err
	}
	prompts := map[string]string{}
	chosen := map[string]string{}
	var combine func(left []string) *matrixError
	combine = func(left []string) *matrixError {
		if len(left) == 0 {
			return addPrompt(prompts, parts, order, chosen)
		}
		for _, value := range axes[left[0]] {
			chosen[left[0]] = value
			if err := combine(left[1:]); err != nil {
				return err
			}
		}
		return nil
	}
	if err := combine(order); err != nil {
		return nil, err
	}
	return prompts, nil
}

func addPrompt(prompts map[string]string, parts []part, order []string, chosen map[string]string) *matrixError {
	key, text := keyOf(order, chosen), render(parts, chosen)
	if key == "" {
		return blame(axesArgument, "The values of the prompt %q have no letter or digit to make a key of.", text)
	}
	if other, taken := prompts[key]; taken {
		return blame(axesArgument, "Two prompts have the same key %q: %q and %q. Values must differ in letters or digits.", key, other, text)
	}
	prompts[key] = text
	return nil
}

// checkAxes compares the placeholders with the axes, both ways.
func checkAxes(order []string, axes map[string][]string) *matrixError {
	if len(order) == 0 {
		return blame(templateArgument, "The template has no placeholder, such as {place}.")
	}
	known := sortedKeys(axes)
	count := 1
	for _, name := range order {
		values, found := axes[name]
		if !found {
			return blame(templateArgument, "The placeholder {%s} names no axis; the axes are %q. A brace that is no placeholder is written twice.", name, known)
		}
		if count *= len(values); count > maxMatrix {
			return blame(axesArgument, "The axes have more than %d combinations.", maxMatrix)
		}
	}
	for _, name := range known {
		if !slices.Contains(order, name) {
			return blame(axesArgument, "The axis %q is not used: the template has no {%s}.", name, name)
		}
	}
	return nil
}

// part is a piece of a template: a text, or the name of an axis.
type part struct {
	text string
	axis bool
}

// parseTemplate splits a template at its placeholders. A doubled brace is a
// literal one.
func parseTemplate(text string) ([]part, *matrixError) {
	var parts []part
	for len(text) > 0 {
		at := strings.IndexAny(text, "{}")
		if at < 0 {
			return append(parts, part{text: text}), nil
		}
		parts = append(parts, part{text: text[:at]})
		brace, rest := text[at], text[at+1:]
		if len(rest) > 0 && rest[0] == brace {
			parts = append(parts, part{text: string(brace)})
			text = rest[1:]
			continue
		}
		if brace == '}' {
			return nil, blame(templateArgument, "The template has a } without a {. A brace that is no placeholder is written twice.")
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || strings.Contains(name, "{") {
			return nil, blame(templateArgument, "The template has a { without a }. A brace that is no placeholder is written twice.")
		}
		parts = append(parts, part{text: name, axis: true})
		text = after
	}
	return parts, nil
}

// axesOf returns the placeholders in order of first appearance.
func axesOf(parts []part) []string {
	var order []string
	for _, part := range parts {
		if part.axis && !slices.Contains(order, part.text) {
			order = append(order, part.text)
		}
	}
	return order
}

func render(parts []part, chosen map[string]string) string {
	var text strings.Builder
	for _, part := range parts {
		if part.axis {
			text.WriteString(chosen[part.text])
		} else {
			text.WriteString(part.text)
		}
	}
	return text.String()
}

func keyOf(order []string, chosen map[string]string) string {
	var slugs []string
	for _, name := range order {
		if slug := slug(chosen[name]); slug != "" {
			slugs = append(slugs, slug)
		}
	}
	return strings.Join(slugs, "-")
}

// slug joins the words of a text, in lower case, by "-". Combining marks belong
// to the letter before them, as in scripts that write vowels with them.
func slug(text string) string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	return strings.Join(words, "-")
}

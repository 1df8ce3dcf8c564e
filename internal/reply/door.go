package reply

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// The door is where a reply is decoded. What passes it may be stored, logged and
// shown: no text has a secret, or a character that steers how the rest is shown.

const (
	// Redacted stands in a text in place of a secret.
	Redacted = "[redacted]"
	// NotShown stands in place of a text of which nobody can say where in it a
	// secret begins, and of an id or an address with one: nothing could be found
	// by what is left of it.
	NotShown = "(not shown, since it holds a credential or half of one)"
)

// contents are the fields whose texts may have lines: what comes back as it was
// sent, and is compared with what was sent, and what a model has written.
var contents = []string{
	"prompt", "title", "group_title", "name", "description", "caption", "filename",
	"content", "text", "reasoning", "image_prompt", "arguments", "turns", "token",
}

// IsIDName reports whether a field holds an id, or a list of ids.
func IsIDName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids")
}

// isAddressName reports whether a field holds an address, or a list of them.
func isAddressName(name string) bool {
	return name == "output" || strings.HasSuffix(name, "url") || strings.HasSuffix(name, "urls")
}

// ThroughDoor returns the object with each text as it may be stored. withhold
// takes the secrets out of a text.
func (o Object) ThroughDoor(withhold func(text string) string) Object {
	for _, name := range slices.Collect(maps.Keys(o)) {
		o[name] = valueThroughDoor(name, o[name], withhold)
		if allowed := inOneLine(withhold(name)); allowed != name {
			o[allowed] = o[name]
			delete(o, name)
		}
	}
	return o
}

func valueThroughDoor(name string, value any, withhold func(string) string) any {
	switch value := value.(type) {
	case string:
		return textThroughDoor(name, value, withhold)
	case []any:
		for i := range value {
			value[i] = valueThroughDoor(name, value[i], withhold)
		}
	case map[string]any:
		return map[string]any(Object(value).ThroughDoor(withhold))
	}
	return value
}

func textThroughDoor(name, text string, withhold func(string) string) string {
	allowed := withhold(text)
	switch {
	case allowed != text && (IsIDName(name) || isAddressName(name)):
		return NotShown
	case slices.Contains(contents, name):
		return same.WithoutControls(allowed)
	case IsIDName(name) && strings.TrimSpace(allowed) == "":
		return ""
	case IsIDName(name):
		return visible(allowed, isHiddenOrBlank)
	default:
		return inOneLine(allowed)
	}
}

// inOneLine makes blanks of tabs and line ends, and controls visible.
func inOneLine(text string) string {
	isPlain := !strings.ContainsFunc(text, func(r rune) bool { return isLineBreak(r) || same.IsControl(r) })
	if isPlain {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return visible(strings.Map(func(r rune) rune {
		if isLineBreak(r) {
			return ' '
		}
		return r
	}, text), same.IsControl)
}

// isLineBreak reports white space that a line cannot have.
func isLineBreak(r rune) bool {
	return unicode.IsSpace(r) && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029')
}

// visible writes certain characters as their numbers, as Shown does.
func visible(text string, is func(rune) bool) string {
	if !strings.ContainsFunc(text, is) {
		return text
	}
	var shown strings.Builder
	for _, r := range text {
		if is(r) {
			_, _ = fmt.Fprintf(&shown, "<%U>", r)
		} else {
			shown.WriteRune(r)
		}
	}
	return shown.String()
}

// isWithheld reports whether a secret stood in a text.
func isWithheld(text string) bool {
	return strings.Contains(text, Redacted) || strings.Contains(text, NotShown)
}

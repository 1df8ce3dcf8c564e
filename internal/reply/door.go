package reply

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// The door is the place where a reply is decoded. After it, every text may be
// stored, logged and shown: no text has a secret, or a character that changes
// how the rest is shown.

const (
	// Redacted replaces a secret in a text.
	Redacted = "[redacted]"
	// NotShown replaces a whole text if nobody can say where in it a secret
	// begins. It also replaces an id or an address with a secret, because the
	// rest of it could not find anything.
	NotShown = "(not shown, since it holds a credential or half of one)"
)

// contents are the fields whose texts may have several lines: texts that come
// back as they were sent, and are compared with the sent text, and texts that a
// model has written.
var contents = []string{
	"prompt", "title", "group_title", "name", "description", "caption", "filename",
	"content", "text", "reasoning", "image_prompt", "arguments", "turns", "token",
}

// IsIDName reports whether a field holds an id, or a list of ids.
func IsIDName(name string) bool {
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids")
}

// isAddressName reports whether a field holds an address, or a list of
// addresses.
func isAddressName(name string) bool {
	return name == "output" || strings.HasSuffix(name, "url") || strings.HasSuffix(name, "urls")
}

// ThroughDoor returns the object with each text in a form that may be stored.
// withhold removes the secrets from a text.
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

// inOneLine turns tabs and line ends into blanks, and makes control characters
// visible.
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

// isLineBreak reports whether a character is white space that a line cannot
// have.
func isLineBreak(r rune) bool {
	return unicode.IsSpace(r) && (unicode.IsControl(r) || r == '\u2028' || r == '\u2029')
}

// visible writes certain characters as their numbers, like Shown.
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

// isWithheld reports whether a secret was removed from a text.
func isWithheld(text string) bool {
	return strings.Contains(text, Redacted) || strings.Contains(text, NotShown)
}

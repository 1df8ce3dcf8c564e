package framework

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// SameText is the stored text if the service's differs only by trimmed blanks,
// by its line ends or by null for empty, else the service's: a service that
// tidies a text must not cause a change in every plan.
func SameText(stored types.String, served *string) types.String {
	if stored.IsNull() || stored.IsUnknown() {
		return types.StringPointerValue(served)
	}
	var text string
	if served != nil {
		text = *served
	}
	if tidy(stored.ValueString()) == tidy(text) {
		return stored
	}
	return types.StringPointerValue(served)
}

// cutOff is from how many characters on an echo may be the beginning of a text:
// a shorter one is another text.
const cutOff = 100

// Echoes reports whether a service that repeats a text in its own way may mean
// this one: in other case or white space, or cut off.
func Echoes(text, echo string) bool {
	text, echo = words(text), words(echo)
	beginning := strings.TrimSuffix(strings.TrimSuffix(echo, "…"), "...")
	visibly := beginning != echo || len([]rune(echo)) >= cutOff
	return text == echo || visibly && strings.HasPrefix(text, strings.TrimSpace(beginning))
}

func words(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

func tidy(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

// Known reports whether every one of the values is known.
func Known(values ...attr.Value) bool {
	for _, value := range values {
		if value.IsUnknown() {
			return false
		}
	}
	return true
}

package framework

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// SameText returns the stored text if the service's differs only in trimmed
// blanks, line ends, or null for empty, else the service's: a service that
// normalises a text must not cause a change in every plan.
func SameText(stored types.String, served *string) types.String {
	if stored.IsNull() || stored.IsUnknown() {
		return types.StringPointerValue(served)
	}
	var text string
	if served != nil {
		text = *served
	}
	if tidy(stored.ValueString()) == tidy(text) { // variant: texts-trimmed
		return stored
	}
	return types.StringPointerValue(served)
}

// cutOff is the length in characters from which an echo may be a truncated
// text: a shorter one is another text.
const cutOff = 100

// Echoes reports whether an echo by the service may mean this text: with
// different case or white space, or truncated.
func Echoes(text, echo string) bool {
	if SameWords(text, echo) {
		return true
	}
	text, echo = Words(text), Words(echo)
	beginning := strings.TrimSuffix(strings.TrimSuffix(echo, "…"), "...")
	visibly := beginning != echo || len([]rune(echo)) >= cutOff
	return visibly && strings.HasPrefix(text, strings.TrimSpace(beginning))
}

// SameWords ignores case and white space, which services may change.
func SameWords(text, echo string) bool { return Words(text) == Words(echo) }

// Words is what a text is compared by where these are ignored. Of a JSON object or
// list the value counts: CLIs write it as a call of jsonencode.
func Words(text string) string {
	if isJSON(text) {
		var content any
		_ = json.Unmarshal([]byte(text), &content)
		normal, _ := json.Marshal(content)
		text = string(normal)
	}
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// isJSON reports whether a text is a JSON object or list.
func isJSON(text string) bool {
	text = strings.TrimSpace(text)
	return (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text))
}

// mostNamed limits the lists of messages.
const mostNamed = 3

// Several joins the first three of a list, and says how many more there are. A list
// of what nothing but its message names, as ids that are in no state, is no such
// list.
func Several(items []string, separator string) string {
	if more := len(items) - mostNamed; more > 0 {
		items = append(slices.Clone(items[:mostNamed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(items, separator)
}

func tidy(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

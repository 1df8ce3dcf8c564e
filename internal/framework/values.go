package framework

import (
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

// maxNamed limits the lists of messages.
const maxNamed = 3

// Several joins the first three of a list, and says how many more there are. A list
// of what nothing but its message names, as ids that are in no state, is no such
// list.
func Several(items []string, separator string) string {
	if more := len(items) - maxNamed; more > 0 {
		items = append(slices.Clone(items[:maxNamed]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(items, separator)
}

func tidy(text string) string { return strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) }

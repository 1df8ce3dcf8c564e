package framework

import (
	"fmt"
	"slices"
	"strings"
)

// Summary returns the summary of a warning of a deletion, a purchase or an
// unconfirmed outcome. It ends with the kind and id of the object, or with its
// owner if it has no id. CLIs show only one of several warnings with equal
// summaries. The title or name of the object is left out.
func Summary(what, kind, id, of string) string {
	if id == "" {
		return what + ": " + kind + " of " + of
	}
	return what + ": " + kind + " " + id
}

// Several joins the first three items of a list, and says how many more there
// are. Do not use it for items that only the message names, such as ids that no
// state stores.
func Several(items []string, separator string) string {
	const most = 3
	if more := len(items) - most; more > 0 {
		items = append(slices.Clone(items[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(items, separator)
}

// Plural returns a number with its noun.
func Plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

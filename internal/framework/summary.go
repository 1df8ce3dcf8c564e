package framework

import (
	"fmt"
	"slices"
	"strings"
)

// Summary is that of a warning of a deletion, a purchase or an unconfirmed
// outcome. It ends in what the object is, but not its title or name: of
// warnings with equal summaries CLIs show one.
func Summary(what, kind, id, of string) string {
	if id == "" {
		return what + ": " + kind + " of " + of
	}
	return what + ": " + kind + " " + id
}

// Several joins the first three of a list, and says how many more there are. It
// is not for what only its message names, as ids that are in no state.
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

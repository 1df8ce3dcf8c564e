package reply

import (
	"strings"
	"unicode"
)

// maxID is the longest id, in bytes.
const maxID = 1 << 10

// IsID reports whether a text can be an id: a request can contain it in its
// address, and a person can read it. A blank text and a dot segment would
// change the address. Gateways refuse control characters and long addresses. If
// two ids differ only in invisible characters, nobody can tell which is meant.
// An id from which a secret was removed names nothing.
func IsID(text string) bool {
	isSegment := strings.TrimSpace(text) != "" && text != "." && text != ".."
	isSeen := !strings.ContainsFunc(text, isHiddenOrBlank) && !hiddenNumber.MatchString(text)
	return isSegment && len(text) <= maxID && isSeen && !isWithheld(text)
}

// isHiddenOrBlank reports whether a person would not see a character of an id,
// or would mistake it for a blank.
func isHiddenOrBlank(r rune) bool { return IsHidden(r) || unicode.IsSpace(r) && r != ' ' }

package reply

import (
	"strings"
	"unicode"
)

// maxID is how long an id may be, in bytes.
const maxID = 1 << 10

// IsID reports whether a text can be an id: a request can name it in its
// address, and a person can read it. Blank, and a dot segment, would change the
// address; gateways refuse control characters and long addresses; of two ids
// that differ in what nobody sees, nobody can tell which is meant; and what is
// left of an id with a secret names nothing.
func IsID(text string) bool {
	isSegment := strings.TrimSpace(text) != "" && text != "." && text != ".."
	isSeen := !strings.ContainsFunc(text, isHiddenOrBlank) && !hiddenNumber.MatchString(text)
	return isSegment && len(text) <= maxID && isSeen && !isWithheld(text)
}

// isHiddenOrBlank reports whether a person would not see a character of an id,
// or take it for a blank.
func isHiddenOrBlank(r rune) bool { return IsHidden(r) || unicode.IsSpace(r) && r != ' ' }

package reply

import (
	"strings"
	"unicode"
)

// maxID is how long an id may be, in bytes.
const maxID = 1 << 10

// IsID reports whether a text can be an id: a request can name it in its address. Blank, and a dot
// segment, would change the address; gateways refuse control characters and long addresses.
func IsID(text string) bool {
	isSegment := strings.TrimSpace(text) != "" && text != "." && text != ".."
	return isSegment && len(text) <= maxID && !strings.ContainsFunc(text, unicode.IsControl)
}

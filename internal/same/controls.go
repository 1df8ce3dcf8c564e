package same

import (
	"strings"
	"unicode"
)

// IsControl reports whether a character changes how the rest of a text is
// shown: a control character other than a tab or a line end, or a character
// that changes the direction of writing. A text means the same without it.
func IsControl(r rune) bool {
	switch {
	case r == '\t', r == '\n', r == '\r':
		return false
	case r >= ' ' && r < 0x7f:
		return false
	default:
		return unicode.In(r, unicode.Cc, unicode.Bidi_Control)
	}
}

// WithoutControls removes the characters for which IsControl is true.
func WithoutControls(text string) string {
	if !strings.ContainsFunc(text, IsControl) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if IsControl(r) {
			return -1
		}
		return r
	}, text)
}

package reply

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A 2xx without content confirms a request: an empty body, null, true, {}, or a
// word like OK.

// refusing matches words of a line that refuses.
var refusing = regexp.MustCompile(
	`(?i)\b(?:not|no such|cannot|can't|error|errors|exception|fail\w*|denied|refused|rejected|forbidden|` +
		`unauthori[sz]ed|invalid|unavailable|maintenance|time-?out|timed out|limit\w*|too many|false)\b`,
)

// IsAcknowledgement reports whether the body of a 2xx confirms the request, and
// says nothing else.
func IsAcknowledgement(content []byte) bool {
	if len(content) > utf8.UTFMax*MaxCode {
		return false
	}
	text := strings.TrimSpace(string(bare(content)))
	if text == "" {
		return true
	}
	decoded, err := read(content)
	if err != nil {
		return isShortLine(text)
	}
	switch decoded := decoded.(type) {
	case nil:
		return true
	case bool:
		return decoded
	case string:
		return strings.TrimSpace(decoded) == "" || isShortLine(decoded)
	case map[string]any:
		return len(decoded) == 0
	case []any:
		return false
	default: // a number
		return true
	}
}

// isShortLine reports whether a text is one short line of plain text that
// refuses nothing. A text that begins like JSON and is not JSON was broken on
// its way.
func isShortLine(text string) bool {
	text = strings.TrimSpace(text)
	isLine := utf8.ValidString(text) && !strings.ContainsAny(text, "\r\n<>") && !strings.ContainsFunc(text, IsHidden)
	isBroken := strings.ContainsAny(text[:1], `{}[]":,`)
	return isLine && !isBroken && utf8.RuneCountInString(text) <= MaxCode && !refusing.MatchString(text)
}

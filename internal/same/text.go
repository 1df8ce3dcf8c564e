// Package same says which differences have no meaning: of two texts, of two
// addresses, of two moments. Whatever compares what a person wrote, a file
// holds or a service shows asks it, so that what is the same in one place is
// the same in all, and is neither bought nor reported.
package same

import (
	"html"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Text reports whether two texts differ at most in line ends, in one newline at
// the end, and in the Unicode form: in what editors, checkouts and file systems
// do to a text on their own; and in control characters, which no reply keeps.
func Text(a, b string) bool {
	if a == b {
		return true
	}
	a = normal(a)
	b = normal(b)
	return a == b || a == b+"\n" || a+"\n" == b
}

// Key is equal for all texts that are the same, to look them up by. Texts of
// one key need not be the same: one newline at the end is no difference, and
// two are.
func Key(text string) string { return strings.TrimRight(normal(text), "\n") }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func normal(text string) string {
	return norm.NFC.String(lineEnds.Replace(WithoutControls(text))) // variant: texts-decomposed
}

// ButCase reports whether two texts differ at most in upper and lower case, and
// in what has no meaning.
func ButCase(a, b string) bool { return Text(strings.ToLower(a), strings.ToLower(b)) }

// Words reports whether two texts differ at most in white space and in upper
// and lower case.
func Words(a, b string) bool { return WordsOf(a) == WordsOf(b) }

// WordsOf is what Words compares.
func WordsOf(text string) string {
	text = WithoutControls(text)
	return norm.NFC.String(strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(text)), " ")))
}

// Contains reports whether a text contains a part, in upper or lower case.
func Contains(text, part string) bool {
	return strings.Contains(strings.ToLower(normal(text)), strings.ToLower(normal(part)))
}

// Unescaped is a text without the escapes that services put into what they show
// on pages.
func Unescaped(text string) string { return html.UnescapeString(text) } // variant: texts-escaped

// cutEscape is what a cut leaves of an escape.
var cutEscape = regexp.MustCompile(`&[#0-9A-Za-z]*$`)

// Echo reports whether what a service shows may be what it has made of a text
// that it was sent: escaped, trimmed, cut off at a length, or with other white
// space or case.
func Echo(sent, shown string) bool {
	whole := WordsOf(sent)
	for _, read := range []string{shown, Unescaped(shown), Unescaped(cutEscape.ReplaceAllString(shown, ""))} {
		words := WordsOf(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(read), "…"), "..."))
		if words != "" && strings.HasPrefix(whole, words) { // variant: texts-cut
			return true
		}
	}
	return whole == WordsOf(shown)
}

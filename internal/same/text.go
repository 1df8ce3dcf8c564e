// Package same says which differences between two texts, two addresses or two
// moments have no meaning. Every comparison of a configured text, a file's
// content or a service's reply uses this package, so that all parts of the
// provider agree. A meaningless difference is neither bought nor reported.
package same

import (
	"html"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Text reports whether two texts mean the same. They may differ in line ends,
// in one newline at the end, and in the Unicode form, which editors, checkouts
// and file systems change by themselves, and in control characters, which no
// reply keeps.
func Text(a, b string) bool {
	if a == b {
		return true
	}
	a = normal(a)
	b = normal(b)
	return a == b || a == b+"\n" || a+"\n" == b
}

// Key returns a text that is equal for all texts with the same meaning, to look
// them up by. Texts with equal keys may still differ: one newline at the end is
// no difference, and two are.
func Key(text string) string { return strings.TrimRight(normal(text), "\n") }

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n")

func normal(text string) string {
	return norm.NFC.String(lineEnds.Replace(WithoutControls(text))) // variant: texts-decomposed
}

// ButCase reports whether two texts differ at most in upper and lower case, and
// in differences without meaning.
func ButCase(a, b string) bool { return Text(strings.ToLower(a), strings.ToLower(b)) }

// Words reports whether two texts differ at most in white space and in upper
// and lower case.
func Words(a, b string) bool { return WordsOf(a) == WordsOf(b) }

// WordsOf returns the form of a text that Words compares.
func WordsOf(text string) string {
	text = WithoutControls(text)
	return norm.NFC.String(strings.ToLower(strings.Join(strings.Fields(norm.NFC.String(text)), " ")))
}

// Contains reports whether a text contains a part, ignoring upper and lower
// case.
func Contains(text, part string) bool {
	return strings.Contains(strings.ToLower(normal(text)), strings.ToLower(normal(part)))
}

// Unescaped returns a text without the escapes that services add for display on
// pages.
func Unescaped(text string) string { return html.UnescapeString(text) } // variant: texts-escaped

// cutEscape matches the remainder of an escape that was cut off.
var cutEscape = regexp.MustCompile(`&[#0-9A-Za-z]*$`)

// Echo reports whether a service may show a sent text in this form: escaped,
// trimmed, cut off at a length, or with different white space or case.
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

package check

import (
	"strings"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

var plainLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// SameTexts generates a text in the forms that other editors, checkouts and
// file systems give it.
func SameTexts(text string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		ends := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line ends")
		form := rapid.SampledFrom([]norm.Form{norm.NFC, norm.NFD}).Draw(t, "form")
		lines := plainLines.Replace(text)
		if rapid.Bool().Draw(t, "one newline more") {
			lines += "\n"
		}
		return strings.ReplaceAll(form.String(lines), "\n", ends)
	})
}

// OtherTexts generates a text with an addition that changes its meaning,
// however small.
func OtherTexts(text string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		more := rapid.SampledFrom([]string{"x", " ", "\t", "\u00a0", "é", "\n\n", "\r\r\n"}).Draw(t, "more")
		characters := []rune(text)
		place := rapid.IntRange(0, len(characters)).Draw(t, "place")
		if strings.Trim(more, "\r\n") == "" { // in the middle, the addition may join the text
			return strings.TrimRight(text, "\r\n") + more
		}
		return string(characters[:place]) + more + string(characters[place:])
	})
}

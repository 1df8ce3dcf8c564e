package check

import (
	"strings"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

var plainLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// SameTexts are a text as another editor, checkout or file system has it.
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

// OtherTexts are a text with something more, be it little.
func OtherTexts(text string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		more := rapid.SampledFrom([]string{"x", " ", "\t", "\u00a0", "é", "\n\n", "\r\r\n"}).Draw(t, "more")
		characters := []rune(text)
		place := rapid.IntRange(0, len(characters)).Draw(t, "place")
		if strings.Trim(more, "\r\n") == "" { // in the middle, it may join what is there
			return strings.TrimRight(text, "\r\n") + more
		}
		return string(characters[:place]) + more + string(characters[place:])
	})
}

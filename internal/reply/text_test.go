package reply_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Fault F36.
func TestTextIsShownInOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		"plain – ünïcode 中文 🙂":         "plain – ünïcode 中文 🙂",
		" two\r\nlines \t of\u2028it ": "two lines of it",
		"forged\nError: all is lost":   "forged Error: all is lost",
		"\x1b[31mred\x07\x00":          "<U+001B>[31mred<U+0007><U+0000>",
		"abc\u202edef\u2066g":          "abc<U+202E>def<U+2066>g",
		"zero\u200bwidth\u00adsoft":    "zero<U+200B>width<U+00AD>soft",
		"\ufeffbom inside \ufeff":      "bom inside <U+FEFF>",
		"tag \U000e0041 mark \ufe0f":   "tag <U+E0041> mark <U+FE0F>",
		"bad \xff bytes":               "bad \ufffd bytes",
	} {
		check.Equal(t, text, reply.Shown(text, 1000), want)
		check.Equal(t, "%s of "+text, fmt.Sprintf("%s", reply.Text(text)), want)
		check.Equal(t, "%v of "+text, fmt.Sprint(reply.Text(text)), want)
		check.Equal(t, "%q of "+text, fmt.Sprintf("%q", reply.Text(text)), fmt.Sprintf("%q", want))
		check.Equal(t, "%#v of "+text, fmt.Sprintf("%#v", reply.Text(text)), fmt.Sprintf("%q", want))
	}
	check.Equal(t, "bounded", reply.Shown("one two three", 7), "one two…")
	check.Equal(t, "of an empty one", reply.Text("").Or("nothing"), "nothing")
}

// FuzzText is what holds of every text: nothing gets out that is not seen, and
// all that is seen does.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "a\nb", "\x1b]0;x\x07", "\u202e", "\xff\xfe", "a b", strings.Repeat("é", 2000), "\U000e0001",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := fmt.Sprintf("%s", reply.Text(text))
		check.True(
			t,
			"one valid line",
			utf8.ValidString(shown) && !strings.ContainsAny(shown, "\n\r\u2028\u2029"),
			shown,
		)
		check.True(t, "nothing hidden", !strings.ContainsFunc(shown, func(r rune) bool {
			return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
		}), shown)
		check.True(t, "bounded", utf8.RuneCountInString(shown) <= reply.MaxMessage+len("<U+10FFFF>")+1, len(shown))
		printable := strings.Join(
			strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) }),
			" ",
		)
		if printable == text && utf8.RuneCountInString(text) <= reply.MaxMessage && utf8.ValidString(text) &&
			!hasVariant(text) {
			check.Equal(t, "what is printable survives", shown, text)
		}
	})
}

func hasVariant(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
	})
}

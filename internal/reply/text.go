package reply

import (
	"fmt"
	"html"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is a text from outside: from the service, a gateway before it, a token
// provider or a media host. Only Format writes it into a message, a log or a
// page: with every verb as one line, bounded, with control and invisible
// characters made visible. The state keeps it in the form that passed the door
// of its reply (door.go).
type Text string

// Format implements fmt.Formatter.
func (t Text) Format(state fmt.State, verb rune) {
	shown := Shown(string(t), MaxMessage)
	if verb == 'q' || verb == 'v' && state.Flag('#') {
		shown = strconv.Quote(shown)
	}
	_, _ = io.WriteString(state, shown)
}

// Or returns the text, or otherwise if the text is empty.
func (t Text) Or(otherwise string) string {
	if t == "" {
		return otherwise
	}
	return fmt.Sprint(t)
}

// Shown returns an external text as one line of at most limit characters. White
// space is folded. A character that nobody would see, or that would change how
// the rest is seen, is written as its number, as in <U+202E>, so that the
// reader knows of it.
func Shown(text string, limit int) string {
	var line strings.Builder
	count := 0
	gap := false
	for _, r := range strings.TrimPrefix(strings.ToValidUTF8(text, "\ufffd"), byteOrderMark) {
		if unicode.IsSpace(r) {
			gap = count > 0
			continue
		}
		if count >= limit {
			return line.String() + "…"
		}
		if gap {
			line.WriteByte(' ')
			count++
			gap = false
		}
		if IsHidden(r) {
			count += shownAsNumber(&line, r)
			continue
		}
		line.WriteRune(r)
		count++
	}
	return line.String()
}

func shownAsNumber(line *strings.Builder, r rune) (characters int) {
	characters, _ = fmt.Fprintf(line, "<%U>", r)
	return characters
}

const byteOrderMark = "\ufeff"

// IsHidden reports whether a character has no visible shape of its own. These
// are control and format characters, including those that change the direction
// of the following text, variation selectors, tags and private characters.
func IsHidden(r rune) bool {
	return unicode.In(
		r,
		unicode.Cc,
		unicode.Cf,
		unicode.Co,
		unicode.Cs,
		unicode.Other_Default_Ignorable_Code_Point,
		unicode.Variation_Selector,
	)
}

var (
	percentEscape = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	hiddenNumber  = regexp.MustCompile(`<U\+[0-9A-F]{4,6}>`) // in the form that Shown writes
	jsonEscape    = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\["'/\\bfnrt]`)
)

// maxPasses is how often PlainForms repeats its pass. Nobody reads a text that
// is encoded more often.
const maxPasses = 20

// PlainForms undoes the encodings in which a gateway or a template may have
// repeated a text: entities, percent signs, escapes of JSON. It works pass by
// pass until nothing changes. It leaves out white space and invisible
// characters, also where Shown has written their numbers. The forms, the last
// of which is the plainest, are only for comparison. All are returned, because
// a later pass may spoil a text that an earlier pass has left legible.
func PlainForms(text string) (forms []string) {
	for range maxPasses {
		plain := html.UnescapeString(text)
		plain = percentEscape.ReplaceAllStringFunc(plain, func(escape string) string { return character(escape[1:]) })
		plain = jsonEscape.ReplaceAllStringFunc(plain, unescaped)
		plain = hiddenNumber.ReplaceAllString(plain, "")
		plain = strings.Map(withoutHidden, plain)
		forms = append(forms, plain)
		if plain == text {
			break
		}
		text = plain
	}
	return forms
}

// unescaped returns the character of an escape.
func unescaped(escape string) string {
	if escape[1] == 'u' || escape[1] == 'x' {
		return character(escape[2:])
	}
	if strings.ContainsAny(escape[1:], "bfnrt") { // white space
		return ""
	}
	return escape[1:]
}

// character returns the character with a hexadecimal number. Two digits are a
// byte, which may be a part of a character.
func character(digits string) string {
	number, _ := strconv.ParseUint(digits, 16, 32)
	if len(digits) == 2 && number >= utf8.RuneSelf {
		return string([]byte{byte(number)})
	}
	return string(rune(number))
}

// withoutHidden drops a character that is not visible, or that is not UTF-8.
func withoutHidden(r rune) rune {
	if r > ' ' && r < 0x7f {
		return r
	}
	if unicode.IsSpace(r) || IsHidden(r) || r == utf8.RuneError {
		return -1
	}
	return r
}

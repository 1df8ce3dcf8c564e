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

// Text is what somebody outside has said: the service, a gateway before it, a
// token provider, a media host. Format is its one door to a message, a log or a
// page: with every verb it is one line, bounded, with its control and invisible
// characters visible. The state keeps it as it passed the door of its reply
// (door.go).
type Text string

// Format implements fmt.Formatter.
func (t Text) Format(state fmt.State, verb rune) {
	shown := Shown(string(t), MaxMessage)
	if verb == 'q' || verb == 'v' && state.Flag('#') {
		shown = strconv.Quote(shown)
	}
	_, _ = io.WriteString(state, shown)
}

// Or is the text, or what to say of an empty one.
func (t Text) Or(otherwise string) string {
	if t == "" {
		return otherwise
	}
	return fmt.Sprint(t)
}

// Shown returns one line of at most limit characters of an external text. White
// space is folded; a character that nobody would see, or that would change how
// the rest is seen, is written as its number, as in <U+202E>: who reads it
// should know that it is there.
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

// IsHidden reports whether a character has no shape of its own: a control or
// format character, as those that change the direction of what follows; a
// variation selector or tag; a private one.
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
	hiddenNumber  = regexp.MustCompile(`<U\+[0-9A-F]{4,6}>`) // as Shown writes it
	jsonEscape    = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\["'/\\bfnrt]`)
)

// maxPasses is how often PlainForms looks again. Nobody reads what is encoded
// more often than that.
const maxPasses = 20

// PlainForms undoes what a gateway or a template may have done to a text it
// repeats, pass by pass until nothing changes: entities, percent signs, escapes
// of JSON. It leaves out white space and what nobody sees, also where Shown has
// written its number. The forms, the last of which is the plainest, are only
// for comparison; what one pass leaves legible, the next may spoil.
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

// unescaped is the character of an escape.
func unescaped(escape string) string {
	if escape[1] == 'u' || escape[1] == 'x' {
		return character(escape[2:])
	}
	if strings.ContainsAny(escape[1:], "bfnrt") { // white space
		return ""
	}
	return escape[1:]
}

// character is the one of a hexadecimal number: a byte of two digits, which may
// be part of one.
func character(digits string) string {
	number, _ := strconv.ParseUint(digits, 16, 32)
	if len(digits) == 2 && number >= utf8.RuneSelf {
		return string([]byte{byte(number)})
	}
	return string(rune(number))
}

// withoutHidden drops a character that is not seen. One that is no UTF-8 stays
// out too.
func withoutHidden(r rune) rune {
	if r > ' ' && r < 0x7f {
		return r
	}
	if unicode.IsSpace(r) || IsHidden(r) || r == utf8.RuneError {
		return -1
	}
	return r
}

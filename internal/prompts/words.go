package prompts

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// cutOff is the length in characters from which an echo may be truncated. An echo
// is the text of a prompt as the service repeats it.
const cutOff = 100

// Echoes reports whether an echo may mean this text: with a different case or
// white space, escaped, or truncated.
func Echoes(text, echo string) bool {
	return sameWordsShown(text, echo) || isCutEcho(text, echo) || isCutEcho(text, same.Unescaped(echo))
}

// isCutEcho reports whether an echo is visibly cut off, and the text continues
// it.
func isCutEcho(text, echo string) bool {
	text = words(text)
	echo = words(echo)
	beginning := strings.TrimSuffix(strings.TrimSuffix(echo, "…"), "...")
	visibly := beginning != echo || len([]rune(echo)) >= cutOff
	return visibly && strings.HasPrefix(text, strings.TrimSpace(beginning))
}

// SameWords compares two texts without case and white space, which services may
// change.
func SameWords(text, echo string) bool { return words(text) == words(echo) }

// sameWordsShown is SameWords for a text and a service's echo of it, which may
// be escaped.
func sameWordsShown(text, echo string) bool {
	return SameWords(text, echo) || SameWords(text, same.Unescaped(echo))
}

// words returns the form in which texts are compared without case and white
// space. For a JSON object or list the value counts, because CLIs write it as a
// call of jsonencode.
func words(text string) string {
	if IsJSON(text) {
		var content any
		_ = json.Unmarshal([]byte(text), &content)
		normal, _ := json.Marshal(content)
		text = string(normal)
	}
	return same.WordsOf(text)
}

// IsJSON reports whether a text is a JSON object or list.
func IsJSON(text string) bool {
	text = strings.TrimSpace(text)
	return (strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")) && json.Valid([]byte(text))
}

// Slug joins the words of a text, in lower case, by "-", for use as a key. A
// combining mark belongs to the letter before it, because some scripts write
// vowels with such marks.
func Slug(text string) string {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	return strings.Join(parts, "-")
}

// maxKey limits the derived keys, in characters.
const maxKey = 60

// noKey matches slugs that are not used as keys: empty ones, and those that
// look like a number.
var noKey = regexp.MustCompile(`^(p[0-9]+)?$`)

// DeriveKeys returns the keys that an import of a whole group gives prompts, in
// the order of their creation. A key is the slug of the text, cut to the length
// of a key, if it is unique; else "p" and the prompt's number in that order,
// which later generations do not change.
func DeriveKeys(texts []string) []string {
	keys := make([]string, len(texts))
	count := map[string]int{}
	for i, text := range texts {
		keys[i] = cutSlug(text)
		count[keys[i]]++
	}
	for i, key := range keys {
		if count[key] > 1 || noKey.MatchString(key) {
			keys[i] = fmt.Sprintf("p%d", i+1)
		}
	}
	return keys
}

// cutSlug shortens a slug at the end of a word, so that the key can be read in
// a state.
func cutSlug(text string) string {
	whole := []rune(Slug(norm.NFC.String(text))) // in the form in which CLIs write keys
	if len(whole) <= maxKey {
		return string(whole)
	}
	cut := string(whole[:maxKey+1])
	if end := strings.LastIndex(cut, "-"); end > 0 {
		return cut[:end]
	}
	return string(whole[:maxKey])
}

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

// cutOff is the length in characters from which an echo may be a truncated text.
const cutOff = 100

// Echoes reports whether an echo may mean this text: in another case or white
// space, escaped, or truncated.
func Echoes(text, echo string) bool {
	return sameWordsShown(text, echo) || isCutEcho(text, echo) || isCutEcho(text, same.Unescaped(echo))
}

// isCutEcho reports whether an echo is visibly cut off, and the text goes on
// from it.
func isCutEcho(text, echo string) bool {
	text = words(text)
	echo = words(echo)
	beginning := strings.TrimSuffix(strings.TrimSuffix(echo, "…"), "...")
	visibly := beginning != echo || len([]rune(echo)) >= cutOff
	return visibly && strings.HasPrefix(text, strings.TrimSpace(beginning))
}

// SameWords ignores case and white space, which services may change.
func SameWords(text, echo string) bool { return words(text) == words(echo) }

// sameWordsShown is SameWords of a text and of what a service shows of it, which
// may be escaped.
func sameWordsShown(text, echo string) bool {
	return SameWords(text, echo) || SameWords(text, same.Unescaped(echo))
}

// words is what a text is compared by where these are ignored. Of a JSON object
// or list the value counts: CLIs write it as a call of jsonencode.
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

// Slug joins the words of a text, in lower case, by "-", as a key. Combining
// marks belong to the letter before them, as in scripts that write vowels with
// them.
func Slug(text string) string {
	parts := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
	return strings.Join(parts, "-")
}

// maxKey limits the derived keys, in characters.
const maxKey = 60

// noKey matches the slugs that are no keys: empty ones, and those that look
// like a number.
var noKey = regexp.MustCompile(`^(p[0-9]+)?$`)

// DeriveKeys returns the keys that an import of a whole group gives prompts, in
// the order of their creation: the slug of the text, or as many of its words as
// make a key, where no other has the same; else "p" and the number in that
// order, which later generations do not change.
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

// cutSlug shortens a slug at the end of a word, to what a key of a
// state can be read with.
func cutSlug(text string) string {
	whole := []rune(Slug(norm.NFC.String(text))) // as CLIs write keys
	if len(whole) <= maxKey {
		return string(whole)
	}
	cut := string(whole[:maxKey+1])
	if end := strings.LastIndex(cut, "-"); end > 0 {
		return cut[:end]
	}
	return string(whole[:maxKey])
}

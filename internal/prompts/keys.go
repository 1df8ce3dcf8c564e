package prompts

import (
	"fmt"
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// maxKey limits the keys that are made of prompts, in characters.
const maxKey = 60

// noKey matches the slugs that are no keys: empty ones, and those that look like a
// number.
var noKey = regexp.MustCompile(`^(p[0-9]+)?$`)

// DeriveKeys returns the keys that an import of a whole group gives prompts, in the
// order of their creation: the slug of the text, or as many of its words as make a key,
// where no other has the same; else "p" and the number in that order, which later
// generations do not change.
func DeriveKeys(texts []string) []string {
	keys, count := make([]string, len(texts)), map[string]int{}
	for i, text := range texts {
		keys[i] = beginningOfSlug(text)
		count[keys[i]]++
	}
	for i, key := range keys {
		if count[key] > 1 || noKey.MatchString(key) {
			keys[i] = fmt.Sprintf("p%d", i+1)
		}
	}
	return keys
}

func beginningOfSlug(text string) string {
	whole := []rune(Slug(norm.NFC.String(text))) // as CLIs write keys
	if len(whole) <= maxKey {
		return string(whole)
	}
	words := string(whole[:maxKey+1])
	if end := strings.LastIndex(words, "-"); end > 0 {
		return words[:end]
	}
	return string(whole[:maxKey])
}

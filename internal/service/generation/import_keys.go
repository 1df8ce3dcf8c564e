package generation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// maxKey limits the keys that are made of prompts, in characters.
const maxKey = 60

// noKey matches the slugs that are no keys: empty ones, and those that look like a
// number.
var noKey = regexp.MustCompile(`^(p[0-9]+)?$`)

// deriveKeys returns the ids of generations by the keys that an import of their whole
// group gives them: the slug of the prompt, or as many of its words as make a key,
// where no other has the same; else "p" and the number in the order of creation,
// which later generations do not change.
func deriveKeys(generations []*api.Generation) map[string]string {
	ordered := slices.SortedFunc(slices.Values(generations), earlier) // variant: lists-reversed
	slugs, count := make([]string, len(ordered)), map[string]int{}
	for i, generation := range ordered {
		slugs[i] = beginningOfSlug(generation.Prompt)
		count[slugs[i]]++
	}
	ids := map[string]string{}
	for i, key := range slugs {
		if count[key] > 1 || noKey.MatchString(key) {
			key = fmt.Sprintf("p%d", i+1)
		}
		ids[key] = *ordered[i].GenerationID
	}
	return ids
}

// earlier compares by creation, as far as the service tells it, then by id.
func earlier(a, b *api.Generation) int {
	at, _ := framework.CreatedAt(a.CreatedAt)
	other, _ := framework.CreatedAt(b.CreatedAt)
	return cmp.Or(at.Compare(other), cmp.Compare(*a.GenerationID, *b.GenerationID))
}

func beginningOfSlug(prompt *string) string {
	whole := []rune(prompts.Slug(norm.NFC.String(orEmpty(prompt)))) // as CLIs write keys
	if len(whole) <= maxKey {
		return string(whole)
	}
	words := string(whole[:maxKey+1])
	if end := strings.LastIndex(words, "-"); end > 0 {
		return words[:end]
	}
	return string(whole[:maxKey])
}

package framework

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// SimilarCharacter returns a sentence with the id of the character whose id or name
// is closest to wanted, or nothing if none is close: an id may be mistyped, or be a
// name.
func SimilarCharacter(wanted string, listed []api.Character) string {
	closest, limit := "", 1+len([]rune(wanted))/5
	for _, character := range listed {
		for _, text := range []*string{&character.ID, character.Name} {
			if text == nil {
				continue
			}
			if edits := levenshtein.Distance(strings.ToLower(wanted), strings.ToLower(*text), nil); edits <= limit {
				closest, limit = fmt.Sprintf("\n\nA similar character is %q.", character.ID), edits-1
			}
		}
	}
	return closest
}

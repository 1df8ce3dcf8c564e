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
		distance := edits(wanted, character.ID)
		if character.Name != nil {
			distance = min(distance, edits(wanted, *character.Name))
		}
		if distance <= limit {
			closest, limit = fmt.Sprintf("\n\nA similar character is %q.", character.ID), distance-1
		}
	}
	return closest
}

// edits returns the edit distance of two texts, ignoring case.
func edits(a, b string) int {
	return levenshtein.Distance(strings.ToLower(a), strings.ToLower(b), nil)
}

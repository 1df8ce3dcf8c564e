package character

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// similar returns a sentence with the character whose id or name is closest to
// wanted, or nothing if none is close: an id may be mistyped, or be a name.
func similar(wanted string, listed []api.Character) string {
	closest, limit := "", 1+len([]rune(wanted))/5
	for _, character := range listed {
		text, distance := fmt.Sprintf("%q", character.ID), edits(wanted, character.ID)
		if character.Name != nil {
			text += fmt.Sprintf(" (named %s)", excerpt(*character.Name))
			distance = min(distance, edits(wanted, *character.Name))
		}
		if distance <= limit {
			closest, limit = "\n\nA similar character is "+text+".", distance-1
		}
	}
	return closest
}

// edits returns the edit distance of two texts, ignoring case.
func edits(a, b string) int {
	return levenshtein.Distance(strings.ToLower(a), strings.ToLower(b), nil)
}

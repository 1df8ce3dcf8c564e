package character

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// suggestions is the maximum number of characters that a message suggests.
const suggestions = 3

// similar returns a sentence with the characters whose id or name is closest to
// wanted, or nothing if none is close: an id may be mistyped, or be a name.
func similar(wanted string, listed []api.Character) string {
	type suggestion struct {
		text     string
		distance int
	}
	var found []suggestion
	for _, character := range listed {
		text, distance := fmt.Sprintf("%q", character.ID), edits(wanted, character.ID)
		if character.Name != nil {
			text += fmt.Sprintf(" (named %s)", excerpt(*character.Name))
			distance = min(distance, edits(wanted, *character.Name))
		}
		if distance <= 1+len([]rune(wanted))/5 {
			found = append(found, suggestion{text, distance})
		}
	}
	if len(found) == 0 {
		return ""
	}
	slices.SortStableFunc(found, func(a, b suggestion) int { return cmp.Compare(a.distance, b.distance) })
	var texts []string
	for _, nearest := range found[:min(len(found), suggestions)] {
		texts = append(texts, nearest.text)
	}
	return "\n\nSimilar characters: " + strings.Join(texts, ", ") + "."
}

// edits returns the edit distance of two texts, ignoring case.
func edits(a, b string) int {
	return levenshtein.Distance(strings.ToLower(a), strings.ToLower(b), nil)
}

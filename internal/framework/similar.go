package framework

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// SimilarCharacter returns a sentence with the character whose id or name is
// closest to wanted, or nothing if none is close: an id may be mistyped, or be a
// name.
func SimilarCharacter(wanted string, listed []api.Character) string {
	closest, limit := "", 1+len([]rune(wanted))/5
	for _, character := range listed {
		text, distance := fmt.Sprintf("%q", character.ID), edits(wanted, character.ID)
		if character.Name != nil {
			text += fmt.Sprintf(" (named %s)", Excerpt(*character.Name))
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

// longest is how many characters of a text a message shows.
const longest = 200

// Excerpt quotes the beginning of a text.
func Excerpt(text string) string {
	runes := []rune(text)
	if len(runes) > longest {
		runes = append(runes[:longest:longest], '…')
	}
	return fmt.Sprintf("%q", string(runes))
}

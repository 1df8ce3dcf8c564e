package framework

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// ImportLines returns the lines that a person types to replace an unconfirmed
// object. The id must be quoted by Quote.
func ImportLines(id string) string { return "  terraform state rm ADDRESS\n\n" + ImportBlock(id) }

// ImportBlock returns the lines that a person writes to manage an existing
// object of the service.
func ImportBlock(id string) string { return "  import {\n    to = ADDRESS\n    id = " + id + "\n  }" }

// Quote writes a text as an expression of the configuration language. Invisible
// characters are written as escapes. The person who pastes the expression
// should see them, and copying a message may lose them.
func Quote(text string) string {
	encoded, _ := json.Marshal(text) // the language knows all escapes of JSON
	var quoted strings.Builder
	for _, r := range strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(encoded)) {
		switch {
		case !reply.IsHidden(r):
			quoted.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&quoted, `\U%08X`, r)
		default:
			fmt.Fprintf(&quoted, `\u%04X`, r)
		}
	}
	return quoted.String()
}

// ImportID returns the id that an import block takes for an object of a
// character.
func ImportID(character, id string) string {
	escape := strings.NewReplacer("%", "%25", "/", "%2F")
	return escape.Replace(character) + "/" + escape.Replace(id)
}

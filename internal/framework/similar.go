package framework

import (
	"context"
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// RefuseUnknown adds an error to the plan of what an object does for a character, if that
// certainly does not exist, and returns what was read of it. The first object with its id
// tells all.
func (d *ProviderData) RefuseUnknown(ctx context.Context, id, does string, diags *diag.Diagnostics) (*api.Capabilities, api.Existence) {
	capabilities, existence := d.Client.TryCapabilities(ctx, id)
	if existence != api.Gone || d.Characters.IsMade(id, Dropped) {
		return capabilities, existence
	}
	detail := fmt.Sprintf("There is no character %q for this credential: the same failure as another object's. Nothing was changed.", id)
	if d.Characters.makesFirst(id, Unknown) {
		detail = fmt.Sprintf("There is no character %q for this credential: the service has no capabilities of it. %s, which the apply would refuse. Nothing was changed. "+
			"Correct character_id, or use a credential of the organization that owns it. To destroy anyway, add -refresh=false: without it, a destroy begins with this plan.%s",
			id, does, SimilarCharacter(id, d.Client.ListedCharacters()))
	}
	diags.AddAttributeError(path.Root("character_id"), "Character Not Found", detail)
	return nil, api.Gone
}

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

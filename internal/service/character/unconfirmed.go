package character

import (
	"cmp"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// unconfirmed is a request that may have made something. That cost nothing, so that
// nothing is stored: a person says what it has made, if anything.
type unconfirmed struct {
	// request is for sentences, title for the summary.
	request, title string
	sent           time.Time
	cause          error
	// seen is what the list shows since, and nobody of the run has.
	seen []api.Sighting
}

// error names what may have been made, by id. How to manage it, take says.
func (u unconfirmed) error(take func(id string) string) diag.Diagnostic {
	id, shown := "ID", "The service lists nothing new so far, or could not be asked."
	if len(u.seen) == 1 {
		id = u.seen[0].ID
	}
	var named []string
	for _, seen := range u.seen {
		named = append(named, fmt.Sprintf("%q (created %s)", seen.ID, cmp.Or(seen.CreatedAt, "at a time that is not known")))
	}
	if len(named) > 0 {
		shown = "The service lists what this run had not seen before: " + framework.Several(named, ", ") + "."
	}
	return diag.NewErrorDiagnostic(u.title+" Unconfirmed", fmt.Sprintf(
		"%s was sent at %s, and no answer has settled what became of it (%s). It costs nothing, nothing is in the state, and nothing is sent again by itself.\n\n"+
			"%s\n\nIf one was made, %s\n\nIf none was made, apply again.",
		u.request, u.sent.UTC().Format(time.RFC3339), u.cause, shown, take(id)))
}

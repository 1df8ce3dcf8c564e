package character

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// unconfirmed is a request that may have made something. That cost nothing, so nothing is
// stored: a person finds out what it has made, if anything.
type unconfirmed struct {
	// request is for sentences, title for the summary.
	request, title string
	sent           time.Time
	cause          error
	// look returns what the list has shown since that no object of this run is.
	look func(context.Context) ([]api.Sighting, error)
	// take says how to manage it, by its id.
	take func(id string) string
}

// error names what may have been made, by id.
func (u unconfirmed) error(ctx context.Context, data *framework.ProviderData) diag.Diagnostic {
	var since []api.Sighting
	data.LookOnce(ctx, func(ctx context.Context) (err error) {
		since, err = u.look(ctx)
		return err
	})
	id, shown := "ID", "The service lists nothing new so far, or could not be asked."
	if len(since) == 1 {
		id = since[0].ID
	}
	var named []string
	for _, seen := range since {
		named = append(named, fmt.Sprintf("%q (created %s)", seen.ID, cmp.Or(seen.CreatedAt, "at a time that is not known")))
	}
	if len(named) > 0 {
		shown = "The service lists what this run had not seen before: " + framework.Several(named, ", ") + "."
	}
	return diag.NewErrorDiagnostic(u.title+" Unconfirmed", fmt.Sprintf(
		"%s was sent at %s, and no answer has settled what became of it (%s). It costs nothing, nothing is in the state, and nothing is sent again by itself.\n\n"+
			"%s\n\nIf one was made, %s\n\nIf none was made, apply again.",
		u.request, u.sent.UTC().Format(time.RFC3339), u.cause, shown, u.take(id)))
}

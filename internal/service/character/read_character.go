package character

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// unlistedVerdict judges a character that a complete list did not show.
func (r *characterResource) unlistedVerdict(ctx context.Context, id string, last api.Evidence, diags *diag.Diagnostics) api.Existence {
	existence, err := r.Data.Client.FindUnlisted(ctx, id, last.Expected(r.Data.Clock.Now()))
	switch {
	case errors.Is(err, api.ErrIncompleteList):
		warnOfIncompleteList(id, diags)
	case err != nil:
		diags.Append(readFailure(id).Error(err))
	case existence == api.Present && last.Shown:
		diags.AddWarning("Character Not Listed",
			fmt.Sprintf("Character %q exists, but the list of characters does not show it to this credential. It is kept as it was; use the credential of its creator to refresh it.", id))
	}
	return existence
}

func warnOfIncompleteList(id string, diags *diag.Diagnostics) {
	diags.AddWarning("Character List Incomplete",
		fmt.Sprintf("The service's list of characters was inconsistent and did not show character %q. It is kept as it was.", id))
}

func readFailure(id string) framework.Failure {
	return framework.Failure{Verb: "Read", Noun: "Character", Object: object(id), Consequence: "Nothing was changed."}
}

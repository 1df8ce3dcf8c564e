package framework

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
)

// escapes decodes a part of an import id. Older import ids have other percent
// signs, which stay.
var escapes = strings.NewReplacer("%2F", "/", "%2f", "/", "%25", "%")

// ImportID is what an import block takes for an object of a character.
func ImportID(character, id string) string {
	escape := strings.NewReplacer("%", "%25", "/", "%2F")
	return escape.Replace(character) + "/" + escape.Replace(id)
}

// splitImportID splits an import id at its first slash. Neither part may be
// empty.
func splitImportID(id, second string, diags *diag.Diagnostics) []string {
	head, tail, found := strings.Cut(id, "/")
	if !found || strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		diags.AddError(
			"Invalid Import Id",
			fmt.Sprintf(
				"The import id must be character_id/%s, with both parts not empty, and a slash within character_id "+
					"written %%2F; got %q. Nothing was sent.",
				second,
				id,
			),
		)
	}
	return []string{escapes.Replace(head), escapes.Replace(tail)}
}

// CheckImportID rejects an imported id that cannot be one of the service, as
// the schema does.
func CheckImportID(attribute string, id types.String, diags *diag.Diagnostics) {
	if id.IsNull() || id.IsUnknown() {
		diags.AddError("Invalid Import Id", fmt.Sprintf("The import does not give %s. Nothing was sent.", attribute))
		return
	}
	if err := attributes.ID().Check(id.ValueString()); err != nil {
		diags.AddError(
			"Invalid Import Id",
			"The import's "+report.Problem(path.Root(attribute), err.Error())+" Nothing was sent.",
		)
	}
}

// TakenOverAfterImport warns of what was only taken over; again says how that
// would be done.
func TakenOverAfterImport(what, object, done, again string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Configuration Taken Over After an Import", fmt.Sprintf(
		"The %s of the imported %s are taken over from the configuration: nothing was %[3]s with them, and nothing "+
			"is %[3]s now. To %s, apply with -replace=ADDRESS, with the address of this resource.",
		what,
		object,
		done,
		again,
	))
}

// RefuseOtherCharacter adds an error if an import has read another character
// than the one that is configured: whichever is right, if that were taken over,
// a correction would buy all again.
func RefuseOtherCharacter(
	ctx context.Context,
	private privatestate.Reader,
	stored, configured types.String,
	object string,
	diags *diag.Diagnostics,
) {
	if stored.IsNull() || configured.IsUnknown() || configured.Equal(stored) || !privatestate.Imported(ctx, private) {
		return
	}
	says := "names none"
	if !configured.IsNull() {
		says = fmt.Sprintf("says %q", configured.ValueString())
	}
	diags.AddAttributeError(path.Root("character_id"), "Import of Another Character", fmt.Sprintf(
		"The imported %s belongs to the character %q at the service, but the configuration %s. Nothing was changed "+
			"or bought. Correct character_id. To make a new one for the other character instead, first remove this "+
			"one from the state: terraform state rm ADDRESS, with the address of this resource.",
		object,
		stored.ValueString(),
		says,
	))
}

package framework

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The import mark, in private state, says that an object was imported and not
// updated since, however many applies there were. What the import could not read
// is then taken over from the configuration, never bought or replaced.

// Imported reports whether the object has the import mark.
func Imported(ctx context.Context, private PrivateReader) bool {
	var mark any
	_ = loadPrivate(ctx, private, importKey, &mark)
	return mark != nil
}

// TakesOver reports whether a change of an attribute is taken over: the import
// could not read it.
func TakesOver(ctx context.Context, private PrivateReader, stored attr.Value) bool {
	return stored.IsNull() && Imported(ctx, private)
}

// TakenOverAfterImport warns of what is taken over: nothing was done with it. What is
// done with it, and again says how to name that.
func TakenOverAfterImport(what, object, done, again string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Configuration Taken Over After an Import", fmt.Sprintf(
		"The %s of the imported %s are taken over from the configuration: nothing was %[3]s with them, and nothing is %[3]s now. "+
			"To %s, apply with -replace=ADDRESS, with the address of this resource.", what, object, done, again))
}

// RefuseOtherCharacter adds an error if an import has read another character than the
// one that is configured: whichever is right, to take that over would have all bought
// again once it is corrected.
func RefuseOtherCharacter(ctx context.Context, private PrivateReader, stored, configured types.String, object string, diags *diag.Diagnostics) {
	if stored.IsNull() || configured.IsUnknown() || configured.Equal(stored) || !Imported(ctx, private) {
		return
	}
	says := "names none"
	if !configured.IsNull() {
		says = fmt.Sprintf("says %q", configured.ValueString())
	}
	diags.AddAttributeError(path.Root("character_id"), "Import of Another Character", fmt.Sprintf(
		"The imported %s belongs to the character %q at the service, but the configuration %s. Nothing was changed or bought. Correct character_id. "+
			"To make a new one for the other character instead, first remove this one from the state: terraform state rm ADDRESS, with the address of this resource.", object, stored.ValueString(), says))
}

// MarkImported sets the mark, in ImportState.
func MarkImported(ctx context.Context, private PrivateWriter) diag.Diagnostics {
	return storePrivate(ctx, private, importKey, true)
}

// EndImport removes it, at the end of an Update. One that fails keeps it: what
// was to be taken over still is.
func EndImport(ctx context.Context, private PrivateWriter, diags *diag.Diagnostics) {
	if !diags.HasError() {
		diags.Append(storePrivate(ctx, private, importKey, nil)...)
	}
}

package run

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// escapes decodes a part of an import id. All other percent signs stay, because
// older import ids contain them.
var escapes = strings.NewReplacer("%2F", "/", "%2f", "/", "%25", "%")

// splitImportID splits an import id at its first slash. Neither part may be
// empty.
func splitImportID(id, second string, diags *diag.Diagnostics) []string {
	head, tail, found := strings.Cut(id, "/")
	if !found || strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		diags.Append(importIDHasNoParts(id, second))
	}
	return []string{escapes.Replace(head), escapes.Replace(tail)}
}

// CheckImportID rejects an imported id that the service cannot have. The schema
// has the same rule.
func CheckImportID(attribute string, id types.String, diags *diag.Diagnostics) {
	if id.IsNull() || id.IsUnknown() {
		diags.Append(importLacks(attribute))
		return
	}
	if err := framework.ID().Check(id.ValueString()); err != nil {
		diags.Append(importIsInvalid(attribute, err))
	}
}

// RefuseOtherCharacter adds an error if an import has read a different
// character than the configuration names. If the import were accepted,
// correcting the configuration would buy everything again.
func RefuseOtherCharacter(
	ctx context.Context,
	private framework.PrivateReader,
	stored, configured types.String,
	object string,
	diags *diag.Diagnostics,
) {
	if stored.IsNull() || configured.IsUnknown() || configured.Equal(stored) || !framework.Imported(ctx, private) {
		return
	}
	diags.Append(importedOfAnother(object, stored, configured))
}

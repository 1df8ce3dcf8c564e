package framework

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// escapes decodes a part of an import id. Any other percent sign stays as it
// is, for import ids that are older than the escapes.
var escapes = strings.NewReplacer("%2F", "/", "%2f", "/", "%25", "%")

// ImportID is what an import block takes for an object of a character.
func ImportID(character, id string) string {
	escape := strings.NewReplacer("%", "%25", "/", "%2F")
	return escape.Replace(character) + "/" + escape.Replace(id)
}

// splitImportID splits an import id. The second part may contain slashes, the
// first only escaped ones; neither may be empty.
func splitImportID(id, second string, diags *diag.Diagnostics) []string {
	head, tail, found := strings.Cut(id, "/")
	if !found || strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		diags.AddError("Invalid Import Id",
			fmt.Sprintf("The import id must be character_id/%s, with both parts not empty, and a slash within character_id written %%2F; got %q. Nothing was sent.", second, id))
	}
	return []string{escapes.Replace(head), escapes.Replace(tail)}
}

// CheckImportID rejects an imported id that cannot be an id of the service, as
// the schema does for configured ids.
func CheckImportID(attribute string, id types.String, diags *diag.Diagnostics) {
	if id.IsNull() || id.IsUnknown() {
		diags.AddError("Invalid Import Id", fmt.Sprintf("The import does not give %s. Nothing was sent.", attribute))
		return
	}
	if err := ID().Check(id.ValueString()); err != nil {
		diags.AddError("Invalid Import Id", "The import's "+Problem(path.Root(attribute), err.Error())+" Nothing was sent.")
	}
}

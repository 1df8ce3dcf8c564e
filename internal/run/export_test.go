package run

import "github.com/hashicorp/terraform-plugin-framework/diag"

// SplitImportID splits an import id.
func SplitImportID(id string) (character, own string, ok bool) {
	var diags diag.Diagnostics
	parts := splitImportID(id, "asset_id", &diags)
	return parts[0], parts[1], !diags.HasError()
}

package framework

import "github.com/hashicorp/terraform-plugin-framework/diag"

// SplitImportID splits an import id.
func SplitImportID(id string) (character, own string, ok bool) {
	var diags diag.Diagnostics
	character, own, ok = splitImportID(id, "asset_id", &diags)
	return character, own, ok && !diags.HasError()
}

package framework

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// SplitImportID takes apart an import id of two parts, "first/second". The
// second part may itself hold slashes; neither may be empty.
func SplitImportID(id, first, second string, diags *diag.Diagnostics) (string, string, bool) {
	head, tail, found := strings.Cut(id, "/")
	if !found || strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		diags.AddError("Invalid Import Id",
			fmt.Sprintf("The import id must be %s/%s, with both parts not empty; got %q. Nothing was sent.", first, second, id))
		return "", "", false
	}
	return head, tail, true
}

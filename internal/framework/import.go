package framework

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
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

// CheckImportID refuses, as the schema does for configured ids, an id of an
// import that cannot be one of the service. Import ids pass no schema.
func CheckImportID(attribute string, id types.String, diags *diag.Diagnostics) {
	if id.IsNull() || id.IsUnknown() {
		diags.AddError("Invalid Import Id", fmt.Sprintf("The import does not give %s. Nothing was sent.", attribute))
		return
	}
	var resp validator.StringResponse
	ID().ValidateString(context.Background(), validator.StringRequest{Path: path.Root(attribute), ConfigValue: id}, &resp)
	for _, problem := range resp.Diagnostics {
		diags.AddError("Invalid Import Id", fmt.Sprintf("%s: %s Nothing was sent.", attribute, problem.Detail()))
	}
}

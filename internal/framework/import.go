package framework

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ImportOfCharacter imports an object with its own id that belongs to a
// character, from an import id, "character_id/…", or from the identity, into
// both state and identity. attribute holds the id; called names it in messages.
// The object gets the import mark. It returns null after an error.
func ImportOfCharacter(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse, attribute, called string) types.String {
	var character, id types.String
	diags := &resp.Diagnostics
	if req.ID == "" {
		diags.Append(req.Identity.GetAttribute(ctx, path.Root("character_id"), &character)...)
		diags.Append(req.Identity.GetAttribute(ctx, path.Root(attribute), &id)...)
	} else if head, tail, ok := splitImportID(req.ID, called, diags); ok {
		character, id = types.StringValue(head), types.StringValue(tail)
	}
	if diags.HasError() {
		return types.StringNull()
	}
	CheckImportID("character_id", character, diags)
	CheckImportID(attribute, id, diags)
	if diags.HasError() {
		return types.StringNull()
	}
	diags.Append(MarkImported(ctx, resp.Private)...)
	for name, value := range map[string]types.String{"character_id": character, attribute: id} {
		diags.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
		diags.Append(resp.Identity.SetAttribute(ctx, path.Root(name), value)...)
	}
	return id
}

// escapes decodes a part of an import id. Any other percent sign stays as it
// is, for import ids that are older than the escapes.
var escapes = strings.NewReplacer("%2F", "/", "%2f", "/", "%25", "%")

// splitImportID splits an import id. The second part may contain slashes, the
// first only escaped ones; neither may be empty.
func splitImportID(id, second string, diags *diag.Diagnostics) (string, string, bool) {
	head, tail, found := strings.Cut(id, "/")
	if !found || strings.TrimSpace(head) == "" || strings.TrimSpace(tail) == "" {
		diags.AddError("Invalid Import Id",
			fmt.Sprintf("The import id must be character_id/%s, with both parts not empty, and a slash within character_id written %%2F; got %q. Nothing was sent.", second, id))
		return "", "", false
	}
	return escapes.Replace(head), escapes.Replace(tail), true
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

package generation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// errNotExtended: nothing was sent.
var errNotExtended = errors.New("a group as a whole is read only with extended_reads = true in the provider's configuration (MEDIAGEN_EXTENDED_READS), and where the deployment shows it")

// ImportState takes what to import from a JSON object of key and generation id,
// from the id of a group, or from the identity. The refresh that follows reads it.
func (r *groupResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	diags := &resp.Diagnostics
	id, pairs, err := importOf(ctx, req, diags)
	switch {
	case diags.HasError():
		return
	case err == nil && len(pairs) > 0 && !r.Data.ReadsMore():
		id = types.StringNull() // the generations tell it
	case err == nil && len(pairs) == 0 && r.Data.Ready(diags) && !r.Data.ReadsMore():
		err = fmt.Errorf("it names the group %q and no generations, and %w. Set that, or name them by keys of yours: as the id a JSON object, as jsonencode({ cover = \"gen_1\" }) gives, or generations in the identity", id.ValueString(), errNotExtended)
	}
	if err != nil {
		diags.AddError("Invalid Import Id", framework.Sentence("The import is not valid: "+err.Error())+" Nothing was sent.")
	} else if !id.IsNull() {
		framework.CheckImportID("id", id, diags)
	}
	if diags.HasError() {
		return
	}
	g := importedGroup(r.Data, id, pairs)
	identity := g.encode()
	diags.Append(resp.State.Set(ctx, g.model)...)
	diags.Append(resp.Identity.Set(ctx, identity)...)
	diags.Append(framework.MarkImported(ctx, resp.Private)...)
}

// importOf returns what an import names: the group, else null; and the pairs, if any.
func importOf(ctx context.Context, req resource.ImportStateRequest, diags *diag.Diagnostics) (id types.String, pairs map[string]string, err error) {
	switch {
	case req.ID == "":
		var identity identityModel
		diags.Append(req.Identity.Get(ctx, &identity)...)
		id = identity.ID
		pairs, err = decodePairs(textsOf(identity.Generations))
	case strings.ContainsAny(req.ID[:1], `{["`):
		pairs, err = decodeImportID(req.ID)
	default:
		id = types.StringValue(req.ID)
	}
	if framework.IsUnconfirmedID(id) {
		id = types.StringNull()
	}
	if err == nil && len(pairs) == 0 && id.IsNull() {
		err = errors.New("the import names no generation")
	}
	return id, pairs, err
}

// decodeImportID reads {"key": "generation_id"}.
func decodeImportID(id string) (pairs map[string]string, err error) {
	if json.Unmarshal([]byte(id), &pairs) != nil {
		return nil, errors.New(`the import id must be a JSON object of key and generation id, as jsonencode({ cover = "gen_1" }) gives`)
	}
	return pairs, checkPairs(pairs)
}

// importedGroup returns a group with every default, of which nothing has been read.
func importedGroup(data *framework.ProviderData, id types.String, pairs map[string]string) group {
	g := newGroup()
	g.model = groupModel{
		ID: id, WaitForCompletion: types.BoolValue(true), RefreshFinished: types.BoolValue(true), MaxAttempts: types.Int64Value(defaultMaxAttempts),
		DeletionPolicy: types.StringValue(framework.PolicyDelete), Timeouts: framework.NoTimeouts(),
		Tally: data.Tally(framework.Tally{}, api.Purchase{Kind: api.KindGeneration}),
	}
	for key, generation := range pairs {
		g.Set(key, prompts.NewGeneration(generation))
	}
	return g
}

// replaceUnlessImported: see isImportedCharacter.
func replaceUnlessImported(ctx context.Context, req planmodifier.StringRequest, resp *stringplanmodifier.RequiresReplaceIfFuncResponse) {
	resp.RequiresReplace = !isImportedCharacter(ctx, req.Private, req.StateValue)
}

// isImportedCharacter reports whether the character is the one that an import has read, so
// that another is an error, or null because it could not, so that one is taken over.
func isImportedCharacter(ctx context.Context, private framework.PrivateReader, stored types.String) bool {
	var state privateState
	_ = framework.LoadPrivateState(ctx, private, &state)
	return framework.Imported(ctx, private) && (stored.IsNull() || stored.ValueString() == state.Character)
}

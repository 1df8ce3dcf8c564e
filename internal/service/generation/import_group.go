package generation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
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

// importedGroup returns a group of which an import has read nothing yet, with every
// default.
func importedGroup(data *framework.ProviderData, id types.String, pairs map[string]string) group {
	g := newGroup()
	g.model = groupModel{
		ID: id, WaitForCompletion: types.BoolValue(true), RefreshFinished: types.BoolValue(true), MaxAttempts: types.Int64Value(defaultMaxAttempts),
		DeletionPolicy: types.StringValue(policyDelete), Timeouts: framework.NoTimeouts(),
		Tally: data.Tally(framework.Tally{}, api.Purchase{Kind: api.KindGeneration}),
	}
	for key, generation := range pairs {
		g.Set(key, prompts.NewGeneration(generation))
	}
	return g
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

// errEmptyGroup: there is nothing to import.
var errEmptyGroup = errors.New("the group has no generations")

// adoptListed reads the list of an imported group, and takes over what it says of the
// generations that the import names, or of all. It returns nil for the former if the
// deployment has no such list.
func (op *operation) adoptListed(ctx context.Context) (listed *api.Group, err error) {
	g, id := op.group, op.group.model.ID.ValueString()
	if len(g.Generations) > 0 {
		listed, err = op.data.Client.OptionalGroup(ctx, id)
	} else if listed, err = op.data.Client.Group(ctx, id); err == nil {
		err = g.nameAll(listed)
	}
	if err != nil || listed == nil {
		return nil, err
	}
	g.model.Title = framework.ConfigurableText(types.StringPointerValue(listed.Title))
	g.model.CharacterID = framework.ConfigurableText(types.StringPointerValue(listed.CharacterID))
	g.private.Character = g.model.CharacterID.ValueString()
	g.model.GenerationType = types.StringPointerValue(listed.GroupType)
	for id, generation := range listed.ByID() {
		for _, key := range g.KeysOf(id) {
			if err := g.adopt(key, id, generation); err != nil {
				return nil, err
			}
		}
	}
	return listed, nil
}

// nameAll gives every generation of a group a key.
func (g *group) nameAll(listed *api.Group) error {
	switch {
	case !listed.AllListed:
		return api.ErrIncompleteList
	case len(listed.Generations) == 0:
		return errEmptyGroup
	}
	for key, id := range deriveKeys(listed.Generations) {
		g.Set(key, prompts.NewGeneration(id))
	}
	return nil
}

// decodeImportID reads {"key": "generation_id"}.
func decodeImportID(id string) (pairs map[string]string, err error) {
	if json.Unmarshal([]byte(id), &pairs) != nil {
		return nil, errors.New(`the import id must be a JSON object of key and generation id, as jsonencode({ cover = "gen_1" }) gives`)
	}
	return pairs, checkPairs(pairs)
}

func checkPairs(pairs map[string]string) error {
	for key, id := range pairs {
		if strings.TrimSpace(key) == "" || strings.TrimSpace(id) == "" {
			return errors.New("the import has an empty key or an empty generation id")
		}
	}
	return nil
}

var (
	keyEscaper   = strings.NewReplacer("%", "%25", ",", "%2C", "=", "%3D")
	keyUnescaper = strings.NewReplacer("%25", "%", "%2C", ",", "%2c", ",", "%3D", "=", "%3d", "=")
)

// encodePairs writes key=generation_id, sorted, for the identity.
func encodePairs(pairs map[string]string) []string {
	encoded := []string{}
	for key, id := range pairs {
		encoded = append(encoded, keyEscaper.Replace(key)+"="+id)
	}
	slices.Sort(encoded)
	return encoded
}

func decodePairs(encoded []string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, pair := range encoded {
		key, id, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("each of the identity's generations must be key=generation_id; got %q", pair)
		}
		name := keyUnescaper.Replace(key)
		if _, doubled := pairs[name]; doubled {
			return nil, fmt.Errorf("the identity names the key %q twice", name)
		}
		pairs[name] = id
	}
	return pairs, checkPairs(pairs)
}

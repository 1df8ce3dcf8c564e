package generation

import (
	"cmp"
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
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var (
	errNotExtended = errors.New(
		"a group as a whole is read only with extended_reads = true in the provider's configuration " +
			"(MEDIAGEN_EXTENDED_READS), and where the deployment shows it",
	)
	errEmptyGroup = errors.New("the group has no generations")
)

// ImportState takes generation ids by key in JSON, a group's id, or an identity.
func (r *groupResource) ImportState(
	ctx context.Context,
	req resource.ImportStateRequest,
	resp *resource.ImportStateResponse,
) {
	r.Data.Imports()
	diags := &resp.Diagnostics
	id, pairs, err := importOf(ctx, req, diags)
	hasPairs := err == nil && len(pairs) > 0
	isBare := err == nil && len(pairs) == 0
	switch {
	case diags.HasError():
		return
	case hasPairs && !r.Data.ReadsMore():
		id = types.StringNull() // the generations tell the id
	case isBare && r.Data.Ready(diags) && !r.Data.ReadsMore():
		err = fmt.Errorf(
			"it names the group %q and no generations, and %w.\n\nSet that, or name them by keys of yours: as the id "+
				"a JSON object, as jsonencode({ cover = \"gen_1\" }) gives, or generations in the identity",
			id.ValueString(),
			errNotExtended,
		)
	}
	switch {
	case err != nil:
		diags.Append(invalidImport(err))
	case !id.IsNull():
		run.CheckImportID("id", id, diags)
	}
	if diags.HasError() {
		return
	}
	g := importedGroup(r.Data, id, pairs)
	diags.Append(resp.State.Set(ctx, g.encode())...)
	diags.Append(resp.Identity.Set(ctx, g.identity())...)
	diags.Append(framework.MarkImported(ctx, resp.Private)...)
}

// importOf returns the group that an import names, else null, and the pairs of
// key and generation, if any.
func importOf(
	ctx context.Context,
	req resource.ImportStateRequest,
	diags *diag.Diagnostics,
) (id types.String, pairs map[string]string, err error) {
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

func decodeImportID(id string) (pairs map[string]string, err error) {
	if json.Unmarshal([]byte(id), &pairs) != nil {
		return nil, errors.New(
			`the import id must be a JSON object of key and generation id, as jsonencode({ cover = "gen_1" }) gives`,
		)
	}
	return pairs, checkPairs(pairs)
}

// importedGroup returns a group with all defaults, before any read.
func importedGroup(data *run.ProviderData, id types.String, pairs map[string]string) *group {
	g := newGroup()
	g.values = groupValues{
		ID:                id,
		WaitForCompletion: types.BoolValue(true),
		RefreshFinished:   types.BoolValue(true),
		MaxAttempts:       types.Int64Value(defaultMaxAttempts),
		DeletionPolicy:    types.StringValue(framework.PolicyDelete),
		Labels:            types.MapNull(types.StringType),
		Timeouts:          framework.NoTimeouts(),
		Tally:             data.Tally(purchases.Tally{}, purchases.Purchase{Kind: purchases.KindGeneration}),
	}
	for key, generation := range pairs {
		g.Set(key, prompts.NewGeneration(generation))
	}
	return g
}

// isImportedCharacter reports whether an import decides about the character: it
// has read the stored character, so that a different character is an error, or
// it could not read a character, so that the configured character is taken
// over.
func isImportedCharacter(ctx context.Context, private framework.PrivateReader, stored types.String) bool {
	var state privateState
	_ = framework.LoadPrivate(ctx, private, &state)
	return framework.Imported(ctx, private) && (stored.IsNull() || stored.ValueString() == state.Character)
}

// adoptListed reads the list of an imported group. It adopts the generations
// that the import names; if it names none, all. In the first case it returns
// nil if there is no such list.
func (op *refresh) adoptListed(ctx context.Context) (listed *api.Group, err error) {
	g := op.group
	id := op.group.values.ID.ValueString()
	if len(g.Generations) > 0 {
		listed, err = op.data.Client.Groups.GetOptional(ctx, id)
	} else {
		listed, err = op.data.Client.Groups.Get(ctx, id)
		if err == nil {
			err = op.nameAll(listed)
		}
	}
	if err != nil || listed == nil {
		return nil, err
	}
	g.values.Title = run.ConfigurableText(types.StringPointerValue(listed.Title))
	g.values.CharacterID = run.ConfigurableText(types.StringPointerValue(listed.CharacterID))
	g.private.Character = g.values.CharacterID.ValueString()
	g.values.GenerationType = framework.TextOf(listed.GroupType)
	for id, generation := range listed.ByID() {
		if err := op.adopt(id, generation); err != nil {
			return nil, err
		}
	}
	return listed, nil
}

// nameAll gives each generation of a list a key, made from its prompt. A list
// that is cut short is an error: the missing generations would be bought again.
func (op *refresh) nameAll(listed *api.Group) error {
	switch {
	case !listed.AllListed:
		return evidence.ErrIncompleteList
	case len(listed.Generations) == 0:
		return errEmptyGroup
	}
	for key, id := range deriveKeys(listed.Generations) {
		op.group.Set(key, prompts.NewGeneration(id))
	}
	return nil
}

// deriveKeys returns the ids of a whole group's generations, by keys in the
// order of creation.
func deriveKeys(generations []*api.Generation) map[string]string {
	ordered := slices.SortedFunc(slices.Values(generations), func(a, b *api.Generation) int { // variant: lists-reversed
		at, _ := framework.CreatedAt(a.CreatedAt)
		other, _ := framework.CreatedAt(b.CreatedAt)
		return cmp.Or(at.Compare(other), cmp.Compare(*a.GenerationID, *b.GenerationID))
	})
	texts := make([]string, len(ordered))
	ids := map[string]string{}
	for i, generation := range ordered {
		texts[i] = orEmpty(generation.Prompt)
	}
	for i, key := range prompts.DeriveKeys(texts) {
		ids[key] = *ordered[i].GenerationID
	}
	return ids
}

// adopt records the status of an imported generation. The next plan takes its
// inputs from the configuration.
func (op *refresh) adopt(id string, status *api.Generation) error {
	g := op.group
	for _, key := range g.KeysOf(id) {
		if group := orEmpty(status.GroupID); group != "" && g.hasID() && group != g.values.ID.ValueString() {
			return fmt.Errorf(
				"the generations to import belong to different groups: %q is of the group %q, another one of %q; "+
					"import each group by itself",
				id,
				group,
				g.values.ID.ValueString(),
			)
		}
		if g.values.GenerationType.IsNull() {
			g.values.GenerationType = framework.TextOf(status.GenerationType)
		}
		g.Prompts[key] = prompts.Prompt{Text: asText.of(types.StringPointerValue(status.Prompt))}
		g.Set(key, prompts.NewGeneration(id))
	}
	return nil
}

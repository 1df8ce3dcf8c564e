package generation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// errEmptyGroup: there is nothing to import.
var errEmptyGroup = errors.New("the group has no generations")

// adoptListed reads the list of an imported group, and adopts the generations that the
// import names, else all. It returns nil for the former without such a list.
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

// deriveKeys returns the ids of a whole group's generations by their keys after an import.
func deriveKeys(generations []*api.Generation) map[string]string {
	ordered := slices.SortedFunc(slices.Values(generations), earlier) // variant: lists-reversed
	texts, ids := make([]string, len(ordered)), map[string]string{}
	for i, generation := range ordered {
		texts[i] = orEmpty(generation.Prompt)
	}
	for i, key := range prompts.DeriveKeys(texts) {
		ids[key] = *ordered[i].GenerationID
	}
	return ids
}

// earlier compares by creation, as far as the service tells it, then by id.
func earlier(a, b *api.Generation) int {
	at, _ := framework.CreatedAt(a.CreatedAt)
	other, _ := framework.CreatedAt(b.CreatedAt)
	return cmp.Or(at.Compare(other), cmp.Compare(*a.GenerationID, *b.GenerationID))
}

// adopt records what a status says of an imported generation. The next plan takes its
// inputs over from the configuration.
func (g *group) adopt(key, id string, status *api.Generation) error {
	if group := orEmpty(status.GroupID); group != "" && g.hasID() && group != g.model.ID.ValueString() {
		return fmt.Errorf("the generations to import belong to different groups: %q is of the group %q, another one of %q; import each group by itself", id, group, g.model.ID.ValueString())
	}
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringPointerValue(status.GenerationType)
	}
	g.Prompts[key] = prompts.Prompt{Text: asText.of(types.StringPointerValue(status.Prompt))}
	g.Set(key, prompts.NewGeneration(id))
	return nil
}

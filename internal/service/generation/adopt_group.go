package generation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/text/unicode/norm"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

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

// adopt takes over what a status says about an imported generation. Its inputs
// come from the configuration at the next plan.
func (g *group) adopt(key, id string, status *api.Generation) error {
	if group := orEmpty(status.GroupID); group != "" && g.hasID() && group != g.model.ID.ValueString() {
		return fmt.Errorf("the generations to import belong to different groups: %q is of the group %q, another one of %q; import each group by itself", id, group, g.model.ID.ValueString())
	}
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringPointerValue(status.GenerationType)
	}
	g.Prompts[key] = prompts.Prompt{Text: textOf(types.StringPointerValue(status.Prompt))}
	g.Set(key, prompts.NewGeneration(id))
	return nil
}

// maxKey limits the keys that are made of prompts, in characters.
const maxKey = 60

// noKey matches the slugs that are no keys: empty ones, and those that look like a
// number.
var noKey = regexp.MustCompile(`^(p[0-9]+)?$`)

// deriveKeys returns the ids of generations by the keys that an import of their whole
// group gives them: the slug of the prompt, or as many of its words as make a key,
// where no other has the same; else "p" and the number in the order of creation,
// which later generations do not change.
func deriveKeys(generations []*api.Generation) map[string]string {
	ordered := slices.SortedFunc(slices.Values(generations), earlier) // variant: lists-reversed
	slugs, count := make([]string, len(ordered)), map[string]int{}
	for i, generation := range ordered {
		slugs[i] = beginningOfSlug(generation.Prompt)
		count[slugs[i]]++
	}
	ids := map[string]string{}
	for i, key := range slugs {
		if count[key] > 1 || noKey.MatchString(key) {
			key = fmt.Sprintf("p%d", i+1)
		}
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

func beginningOfSlug(prompt *string) string {
	whole := []rune(prompts.Slug(norm.NFC.String(orEmpty(prompt)))) // as CLIs write keys
	if len(whole) <= maxKey {
		return string(whole)
	}
	words := string(whole[:maxKey+1])
	if end := strings.LastIndex(words, "-"); end > 0 {
		return words[:end]
	}
	return string(whole[:maxKey])
}

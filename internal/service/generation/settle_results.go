package generation

import (
	"context"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// Whose a generation is. prompt_index decides. What the reply to a batch leaves open
// is placed in its order, and given, at the end of the same operation, to the keys
// whose texts the statuses show: all of it, or nothing.

// leaveOpen records that the reply to a batch does not tell whose its generations
// are. If it names one twice, no status will.
func (op *operation) leaveOpen(keys []string) {
	g, ids := op.group, op.group.idsOf(keys)
	g.private.Open = append(g.private.Open, ids...)
	if !slices.ContainsFunc(ids, func(id string) bool { return len(g.keysOf(id)) > 1 }) {
		op.openBatches = append(op.openBatches, keys)
	}
}

// settle gives the open generations of each batch of the operation to their keys.
func (op *operation) settle(ctx context.Context) {
	g := op.group
	for _, keys := range op.openBatches {
		ids := g.idsOf(keys)
		unread := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return op.statuses[id] != nil })
		if op.readAwaited(ctx, unread) == nil {
			g.give(keys, op.owners(keys, ids))
		}
	}
	if len(op.bought) > 0 {
		g.warnOfOpen(op.diags)
	}
}

// owners returns the generations by the keys whose texts their statuses show; nil
// unless each is exactly one's.
func (op *operation) owners(keys, ids []string) map[string]string {
	g, owners := op.group, map[string]string{}
	for _, id := range ids {
		status := op.statuses[id]
		if status == nil || status.Prompt == nil {
			return nil
		}
		alike := slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !prompts.SameWords(g.prompts[key].subject(), *status.Prompt) })
		free := slices.IndexFunc(alike, func(key string) bool { return owners[key] == "" })
		if free < 0 || !g.areEqual(alike) {
			return nil
		}
		owners[alike[free]] = id
	}
	return owners
}

// give gives the generations of a batch to their owners, and what has no id to its
// other keys. Attempts stay with their key.
func (g *group) give(keys []string, owners map[string]string) {
	if owners == nil {
		return
	}
	byID, rest := map[string]generationModel{}, []generationModel{}
	for _, key := range keys {
		if generation := g.generations[key]; generation.ID.IsNull() {
			rest = append(rest, generation)
		} else {
			byID[generation.ID.ValueString()] = generation
		}
	}
	for _, key := range keys {
		attempts := g.generations[key].Attempts
		generation, owned := byID[owners[key]]
		if !owned {
			generation, rest = rest[0], rest[1:]
		}
		generation.Attempts = attempts
		g.set(key, generation)
		g.private.Open = without(g.private.Open, owners[key])
	}
}

// open returns those of the keys whose generations may be another key's.
func (g *group) open(keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return !slices.Contains(g.private.Open, g.generations[key].ID.ValueString())
	})
}

// replaced reports whether the generations that a key had before can be deleted.
// It is the only condition for that: its own generation has results, and if that may
// be another key's, so have all that may.
func (g *group) replaced(key string) bool {
	inDoubt := []string{key}
	if keys := sortedKeys(g.generations); len(g.open([]string{key})) > 0 {
		inDoubt = append(g.open(keys), g.unconfirmed()...)
	}
	return len(g.keysIn(inDoubt, phaseSucceeded)) == len(inDoubt)
}

package generation

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Which generations a group still needs.

// needed tells which generations must stay for now: a key holds them, or has
// nothing to replace them yet, or another object holds them.
func (g *group) needed() func(id string) bool {
	kept := map[string]bool{}
	for key, superseded := range g.private.Superseded {
		replaced := g.replaced(key)
		for _, id := range superseded {
			kept[id] = kept[id] || !replaced
		}
	}
	return func(id string) bool { return len(g.keysOf(id)) > 0 || kept[id] || g.isShared(id) }
}

// deletable returns the superseded generations no longer needed, by key.
func (g *group) deletable() map[string][]string {
	needed, deletable := g.needed(), map[string][]string{}
	for key, superseded := range g.private.Superseded {
		for _, id := range superseded {
			if !needed(id) {
				deletable[key] = append(deletable[key], id)
			}
		}
	}
	return deletable
}

// withSuperseded returns all generations of some keys, each once: the present ones
// and those that they have superseded.
func (g *group) withSuperseded(keys ...string) (ids []string) {
	for _, key := range keys {
		ids = append(ids, g.private.Superseded[key]...)
		if id := g.generations[key].ID.ValueString(); id != "" {
			ids = append(ids, id)
		}
	}
	return unique(ids)
}

// allIDs returns all generations of the group, with superseded ones, each once.
func (g *group) allIDs() []string { return g.withSuperseded(sortedKeys(g.prompts)...) }

// deletedBy returns the generations that the update to a planned group deletes, if all
// that it buys or awaits succeeds: those of removed keys, and superseded ones.
func (g *group) deletedBy(want *group, diff difference) (removed, superseded []string) {
	if want.keeps() {
		return nil, nil
	}
	then := *want
	then.setAll(nil)
	for key, generation := range want.generations {
		if generation.Status.IsUnknown() { // bought or awaited
			generation.Succeeded = types.BoolValue(true)
		}
		then.set(key, generation)
	}
	deletable := slices.Concat(slices.Collect(maps.Values(then.deletable()))...)
	return slices.DeleteFunc(g.withSuperseded(diff.removed...), want.needed()), deletable
}

// sharing returns those of the keys that have, or had, one of the generations, unless
// that has no media: a service may have named one for several keys.
func (g *group) sharing(keys, ids []string) []string {
	shared := map[string]bool{}
	for _, id := range ids {
		shared[id] = !g.hasFailed(id)
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return !slices.ContainsFunc(g.withSuperseded(key), func(id string) bool { return shared[id] })
	})
}

// hasFailed reports whether a generation has ended without media.
func (g *group) hasFailed(id string) bool {
	key, held := g.keyOf(id)
	return held && g.phaseOf(key) == phaseFailed
}

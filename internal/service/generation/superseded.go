package generation

import "slices"

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

// withSuperseded returns all generations of a key: the present one and those
// that it has superseded.
func (g *group) withSuperseded(key string) []string {
	ids := slices.Clone(g.private.Superseded[key])
	if id := g.generations[key].ID.ValueString(); id != "" {
		ids = append(ids, id)
	}
	return ids
}

// allIDs returns all generations of the group, with superseded ones, each once.
func (g *group) allIDs() []string {
	var ids []string
	for _, key := range sortedKeys(g.prompts) {
		ids = append(ids, g.withSuperseded(key)...)
	}
	return unique(ids)
}

// deletedBy returns the generations that the update to a planned group deletes, if
// it succeeds.
func (g *group) deletedBy(want *group, diff difference) []string {
	if want.keeps() {
		return nil
	}
	needed, ids := want.needed(), []string{}
	for _, key := range diff.removed {
		ids = append(ids, slices.DeleteFunc(g.withSuperseded(key), needed)...)
	}
	superseded := want.supersededBy(want.superseding(diff, nil))
	return append(ids, slices.DeleteFunc(superseded, func(id string) bool { return len(want.keysOf(id)) > 0 || want.isShared(id) })...)
}

// losing returns those of the removed keys whose generations are no longer
// needed and may have media.
func (g *group) losing(want *group, removed []string) []string {
	needed, failed := want.needed(), g.failedIDs()
	return slices.DeleteFunc(slices.Clone(removed), func(key string) bool {
		return !slices.ContainsFunc(g.withSuperseded(key), func(id string) bool { return !needed(id) && !failed[id] })
	})
}

// superseding returns the keys of a planned group whose former generations, but
// those that failed, are deleted by the update if it succeeds.
func (g *group) superseding(diff difference, failed map[string]bool) []string {
	waits := g.model.WaitForCompletion.ValueBool() || g.model.WaitForCompletion.IsUnknown()
	learns := len(diff.buy) > 0 || waits && len(g.awaited()) > 0
	deletable := g.deletable()
	return slices.DeleteFunc(sortedKeys(g.private.Superseded), func(key string) bool {
		phase := g.phaseOf(key)
		ends := phase.isAwaited() && (waits || slices.Contains(diff.buy, key))
		if !ends && (phase != phaseSucceeded || !learns && len(deletable[key]) == 0) {
			return true
		}
		return !slices.ContainsFunc(g.private.Superseded[key], func(id string) bool { return len(g.keysOf(id)) == 0 && !g.isShared(id) && !failed[id] })
	})
}

// supersededBy returns the generations that the keys have superseded.
func (g *group) supersededBy(keys []string) (ids []string) {
	for _, key := range keys {
		ids = append(ids, g.private.Superseded[key]...)
	}
	return ids
}

// sharing returns those of the keys that have, or had, one of the generations:
// a service may have named one for several keys.
func (g *group) sharing(keys, ids []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
		return !slices.ContainsFunc(g.withSuperseded(key), func(id string) bool { return slices.Contains(ids, id) })
	})
}

// failedIDs returns the generations that ended without media.
func (g *group) failedIDs() map[string]bool {
	failed := map[string]bool{}
	for _, key := range g.keysIn(sortedKeys(g.generations), phaseFailed) {
		failed[g.generations[key].ID.ValueString()] = true
	}
	return failed
}

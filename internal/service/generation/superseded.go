package generation

import "slices"

// Which generations a group still needs, and which it can do without.

// needed tells which generations must stay, as things stand now: a key holds
// them, or has nothing to replace them yet.
func (g *group) needed() func(id string) bool {
	replaced, kept := g.replaced(), map[string]bool{}
	for key, superseded := range g.private.Superseded {
		for _, id := range superseded {
			kept[id] = kept[id] || !replaced[key]
		}
	}
	return func(id string) bool { return len(g.keysOf(id)) > 0 || kept[id] }
}

// deletable are, by key, the superseded generations that nothing needs any more.
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

// withSuperseded are all the generations of a key: the present one and those
// that it has superseded.
func (g *group) withSuperseded(key string) []string {
	ids := slices.Clone(g.private.Superseded[key])
	if id := g.generations[key].ID.ValueString(); id != "" {
		ids = append(ids, id)
	}
	return ids
}

// allIDs are all the generations of the group, superseded ones too, each once.
func (g *group) allIDs() []string {
	var ids []string
	for _, key := range sortedKeys(g.prompts) {
		ids = append(ids, g.withSuperseded(key)...)
	}
	return unique(ids)
}

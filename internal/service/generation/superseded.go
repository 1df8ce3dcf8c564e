package generation

import "slices"

// Which generations a group still needs, and which it can do without.

// replaced reports whether a key's own generation surely has results, so that
// what it had before can go.
func (g *group) replaced(key string) bool {
	return g.phaseOf(key) == phaseSucceeded && g.confirmed(key)
}

// needs reports whether a generation must stay: a key holds it, or has nothing
// to replace it yet.
func (g *group) needs(id string) bool {
	if _, held := g.keyOf(id); held {
		return true
	}
	for key, superseded := range g.private.Superseded {
		if slices.Contains(superseded, id) && !g.replaced(key) {
			return true
		}
	}
	return false
}

// deletable are, by key, the superseded generations that nothing needs any more.
func (g *group) deletable() map[string][]string {
	kept := map[string]bool{}
	for key, superseded := range g.private.Superseded {
		if !g.replaced(key) {
			for _, id := range superseded {
				kept[id] = true
			}
		}
	}
	deletable := map[string][]string{}
	for key, superseded := range g.private.Superseded {
		for _, id := range superseded {
			if _, held := g.keyOf(id); !held && !kept[id] {
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

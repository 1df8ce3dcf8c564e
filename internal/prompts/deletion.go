package prompts

import (
	"maps"
	"slices"
)

// When old media are deleted. A former generation of a key is deleted once the
// key's present generation certainly has results (Generation.IsFinal in end.go:
// success, and addresses). It stays while another key has it, while another key
// waits for a replacement of it, or while another object holds it.

// hasResults reports whether a key certainly has results: their addresses were
// shown. A success without addresses proves none.
func (g *Group) hasResults(key string) bool { return g.Generations[key].IsFinal() }

// AwaitsResults reports whether a key's old media are kept only because no
// status has shown the results of its success yet.
func (g *Group) AwaitsResults(key string) bool {
	return len(g.Superseded[key]) > 0 && g.Generations[key].Succeeded.Get() && !g.hasResults(key)
}

// Deletable returns the superseded generations that are no longer needed, by
// key.
func (g *Group) Deletable() map[string][]string { return g.deletable(g.hasResults) }

// Needed returns a function that reports whether a generation must stay for
// now.
func (g *Group) Needed() func(id string) bool { return g.needed(g.hasResults) }

// deletable is Deletable; hasResults decides which keys have results.
func (g *Group) deletable(hasResults func(key string) bool) map[string][]string {
	needed := g.needed(hasResults)
	deletable := map[string][]string{}
	for key, superseded := range g.Superseded {
		for _, id := range superseded {
			if !needed(id) {
				deletable[key] = append(deletable[key], id)
			}
		}
	}
	return deletable
}

// needed is Needed; hasResults decides which keys have results.
func (g *Group) needed(hasResults func(key string) bool) func(id string) bool {
	unreplaced := map[string]bool{}
	for key, superseded := range g.Superseded {
		inDoubt := []string{key}
		// If the key's generation may belong to a different key, all keys that
		// may have it need results first.
		if len(g.OpenKeys(inDoubt)) > 0 {
			inDoubt = append(g.OpenKeys(g.GenerationKeys()), g.Unconfirmed()...)
		}
		isReplaced := true
		for _, doubtful := range inDoubt {
			isReplaced = isReplaced && hasResults(doubtful)
		}
		for _, id := range superseded {
			unreplaced[id] = unreplaced[id] || !isReplaced
		}
	}
	return func(id string) bool { return len(g.KeysOf(id)) > 0 || unreplaced[id] || g.IsShared(id) }
}

// KeysSharing returns the given keys that have, or had, one of the generations.
// A generation without media does not count, because a service may have named
// it for several keys.
func (g *Group) KeysSharing(keys, ids []string) (sharing []string) {
	shared := map[string]bool{}
	for _, id := range ids {
		shared[id] = !g.HasFailed(id)
	}
	isShared := func(id string) bool { return shared[id] }
	for _, key := range keys {
		if slices.ContainsFunc(g.WithSuperseded(key), isShared) {
			sharing = append(sharing, key)
		}
	}
	return sharing
}

// NoteDeleted removes a deleted generation from the group.
func (g *Group) NoteDeleted(id string) {
	for _, key := range g.KeysOf(id) {
		g.Remove(key)
	}
	for key, former := range g.Superseded {
		g.Superseded[key] = Without(former, id)
	}
	maps.DeleteFunc(g.Superseded, func(_ string, former []string) bool { return len(former) == 0 })
}

// TakeBack returns a removed key to the group, with its generations that could
// not be deleted. If the key has a new prompt by now, the new prompt supersedes
// these generations.
func (g *Group) TakeBack(prior *Group, key string, leftovers []string) {
	if _, taken := g.Prompts[key]; !taken {
		g.Prompts[key] = prior.Prompts[key]
		g.Set(key, prior.Generations[key])
		leftovers = Without(leftovers, prior.Generations[key].ID.Get())
	}
	if len(leftovers) > 0 {
		g.Superseded[key] = append(g.Superseded[key], leftovers...)
	}
}

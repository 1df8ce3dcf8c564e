package prompts

import (
	"maps"
	"slices"
)

// When old media are deleted. A generation that a key had before is deleted
// once the key's present one certainly has results, unless another key has it,
// or still waits for its own to replace it, or another object holds it.

// Deletable returns the superseded generations that are no longer needed, by key.
func (g *Group) Deletable() map[string][]string {
	needed := g.Needed()
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

// Needed tells which generations must stay for now.
func (g *Group) Needed() func(id string) bool {
	kept := map[string]bool{}
	for key, superseded := range g.Superseded {
		inDoubt := []string{key}
		if len(g.OpenKeys(inDoubt)) > 0 { // what it has may be another key's: all that may need results
			inDoubt = append(g.OpenKeys(g.HeldKeys()), g.Unconfirmed()...)
		}
		replaced := len(g.KeysIn(inDoubt, PhaseSucceeded)) == len(inDoubt)
		for _, id := range superseded {
			kept[id] = kept[id] || !replaced
		}
	}
	return func(id string) bool { return len(g.KeysOf(id)) > 0 || kept[id] || g.IsShared(id) }
}

// DeletedBy returns the generations that the update to a planned group deletes,
// if all that it buys or awaits succeeds: those of removed keys, and superseded
// ones.
func (g *Group) DeletedBy(want *Group, diff Difference) (removed, superseded []string) {
	then := *want
	then.SetAll(nil)
	for key, generation := range want.Generations {
		if generation.Status.IsUnknown() { // bought or awaited
			generation.Succeeded = Known(true)
		}
		then.Set(key, generation)
	}
	deletable := slices.Concat(slices.Collect(maps.Values(then.Deletable()))...)
	return slices.DeleteFunc(g.WithSuperseded(diff.Removed...), want.Needed()), deletable
}

// Sharing returns those of the keys that have, or had, one of the generations,
// unless that has no media: a service may have named one for several keys.
func (g *Group) Sharing(keys, ids []string) (sharing []string) {
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

// Drop removes a generation that was deleted.
func (g *Group) Drop(id string) {
	for _, key := range g.KeysOf(id) {
		g.Remove(key)
	}
	for key, former := range g.Superseded {
		g.Superseded[key] = Without(former, id)
	}
	maps.DeleteFunc(g.Superseded, func(_ string, former []string) bool { return len(former) == 0 })
}

// TakeBack returns a removed key to the group, with generations of it that
// could not be deleted. A key that another prompt has by now supersedes them.
func (g *Group) TakeBack(prior *Group, key string, left []string) {
	if _, taken := g.Prompts[key]; !taken {
		g.Prompts[key] = prior.Prompts[key]
		g.Set(key, prior.Generations[key])
		left = Without(left, prior.Generations[key].ID.Get())
	}
	if len(left) > 0 {
		g.Superseded[key] = append(g.Superseded[key], left...)
	}
}

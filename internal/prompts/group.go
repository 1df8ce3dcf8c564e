// Package prompts has the rules of a generation group: which prompts are
// bought, and which generations are kept and deleted, to turn a group into the
// wanted group. It knows neither Terraform nor the service.
package prompts

import (
	"maps"
	"slices"
)

// Group is the knowledge of a group during an operation.
type Group struct {
	Prompts map[string]Prompt
	// Generations are written only by Set, SetAll, Remove and their callers.
	Generations map[string]Generation
	// keysByID maps a generation's id to the sorted keys that have it.
	keysByID map[string][]string
	// Superseded are the former generations of a key, and generations that
	// may belong to the key.
	Superseded map[string][]string
	// Open are the generations of which neither reply nor statuses tell to
	// which key they belong.
	Open []string
	// SharedIDs are generations that another object holds too.
	SharedIDs []string
	// Seen are the generations that a status has shown, Gone the generations
	// that this operation has proven gone.
	Seen, Gone map[string]bool
}

// New returns an empty group.
func New() Group {
	return Group{
		Prompts:     map[string]Prompt{},
		Generations: map[string]Generation{},
		keysByID:    map[string][]string{},
		Superseded:  map[string][]string{},
		Seen:        map[string]bool{},
		Gone:        map[string]bool{},
	}
}

// Keys returns the sorted keys of the prompts.
func (g *Group) Keys() []string { return SortedKeys(g.Prompts) }

// GenerationKeys returns the sorted keys that have a generation.
func (g *Group) GenerationKeys() []string { return SortedKeys(g.Generations) }

// Set gives a key its generation.
func (g *Group) Set(key string, generation Generation) {
	former := g.Generations[key].ID.Get()
	id := generation.ID.Get()
	g.Generations[key] = generation
	if former == id {
		return
	}
	g.release(key, former)
	if id != "" {
		place, _ := slices.BinarySearch(g.keysByID[id], key)
		g.keysByID[id] = slices.Insert(slices.Clone(g.keysByID[id]), place, key)
	}
}

// SetAll replaces the generations.
func (g *Group) SetAll(generations map[string]Generation) {
	g.Generations = map[string]Generation{}
	g.keysByID = map[string][]string{}
	for key, generation := range generations {
		g.Set(key, generation)
	}
}

// Remove removes a key's generation.
func (g *Group) Remove(key string) {
	g.release(key, g.Generations[key].ID.Get())
	delete(g.Generations, key)
}

// release removes a key from the keys of a generation.
func (g *Group) release(key, id string) {
	// The slice is not changed in place, because the caller may be iterating
	// over it.
	g.keysByID[id] = Without(g.keysByID[id], key)
	if len(g.keysByID[id]) == 0 {
		delete(g.keysByID, id)
	}
}

// KeysOf returns the sorted keys that have a generation: equal prompts may
// share one.
func (g *Group) KeysOf(id string) []string { return g.keysByID[id] }

// KeyOf returns a key that has the generation, else "", which is no key.
func (g *Group) KeyOf(id string) (key string) {
	if keys := g.KeysOf(id); len(keys) > 0 {
		key = keys[0]
	}
	return key
}

// Of returns a generation by its id.
func (g *Group) Of(id string) Generation { return g.Generations[g.KeyOf(id)] }

// IDs returns the known ids of generations, by key.
func (g *Group) IDs() map[string]string {
	ids := map[string]string{}
	for key, generation := range g.Generations {
		if id := generation.ID.Get(); id != "" {
			ids[key] = id
		}
	}
	return ids
}

// IDsOf returns the ids of some keys without duplicates, in the order of the
// keys.
func (g *Group) IDsOf(keys []string) (ids []string) {
	for _, key := range keys {
		ids = append(ids, g.Generations[key].ID.Get())
	}
	return Unique(ids)
}

// PresentIDs returns the ids of all keys without duplicates, in the order of
// the keys.
func (g *Group) PresentIDs() []string { return g.IDsOf(g.GenerationKeys()) }

// WithSuperseded returns the generations of some keys, and the generations that
// these have superseded, without duplicates.
func (g *Group) WithSuperseded(keys ...string) (ids []string) {
	for _, key := range keys {
		ids = append(append(ids, g.Superseded[key]...), g.Generations[key].ID.Get())
	}
	return Unique(ids)
}

// AllIDs returns all generations of the group, including superseded ones,
// without duplicates.
func (g *Group) AllIDs() []string { return g.WithSuperseded(g.Keys()...) }

// Has reports whether a generation already belongs to the group.
func (g *Group) Has(id string) bool { return id != "" && slices.Contains(g.AllIDs(), id) }

// IsShared reports whether another object holds the generation too.
func (g *Group) IsShared(id string) bool { return slices.Contains(g.SharedIDs, id) }

// OwnIDs returns the generations that no other object is known to hold.
func (g *Group) OwnIDs() []string { return slices.DeleteFunc(g.AllIDs(), g.IsShared) }

// Media counts the known results of generations.
func (g *Group) Media(ids []string) (count int) {
	for _, id := range ids {
		count += len(g.Of(id).ResultURLs)
	}
	return count
}

// AreEqual reports whether the service was sent equal prompts for all keys.
func (g *Group) AreEqual(keys []string) bool {
	return !slices.ContainsFunc(keys, func(key string) bool {
		return !g.Prompts[key].isSentAs(g.Prompts[keys[0]])
	})
}

// SortedKeys returns the keys of a map, sorted.
func SortedKeys[V any](values map[string]V) []string {
	return slices.Sorted(maps.Keys(values))
}

// Without returns the texts without the unwanted ones.
func Without(texts []string, unwanted ...string) (wanted []string) {
	for _, text := range texts {
		if !slices.Contains(unwanted, text) {
			wanted = append(wanted, text)
		}
	}
	return wanted
}

// Unique returns the texts in their order, without duplicates and empty texts.
func Unique(texts []string) (once []string) {
	seen := map[string]bool{"": true}
	for _, text := range texts {
		if !seen[text] {
			once = append(once, text)
		}
		seen[text] = true
	}
	return once
}

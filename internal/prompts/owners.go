package prompts

import (
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// To which key a generation belongs. If the reply to a batch does not tell,
// the generations are assigned to the keys whose texts the statuses show: all
// of them, or none.

// OpenKeys returns the given keys whose generations may belong to a different
// key.
func (g *Group) OpenKeys(keys []string) (open []string) {
	for _, key := range keys {
		if slices.Contains(g.Open, g.Generations[key].ID.Get()) {
			open = append(open, key)
		}
	}
	return open
}

// MayHave returns the ids that the unconfirmed prompts may have, by the words
// of their texts. pairs has, by key, the ids that can belong to no other key.
func (g *Group) MayHave(ids map[string][]string) (all []string, pairs map[string]string) {
	keys := map[string][]string{}
	pairs = map[string]string{}
	for _, key := range g.Unconfirmed() {
		text := words(g.Prompts[key].Text.Get())
		keys[text] = append(keys[text], key)
	}
	for _, text := range SortedKeys(keys) {
		all = append(all, ids[text]...)
		for i, key := range keys[text] {
			if len(ids[text]) == len(keys[text]) && g.AreEqual(keys[text]) {
				pairs[key] = ids[text][i]
			}
		}
	}
	return all, pairs
}

// WordsShown returns the words by which MayHave finds a text that the service
// shows: unchanged if an unconfirmed prompt has them, else without escapes.
func (g *Group) WordsShown(text string) string {
	shown := words(text)
	for _, key := range g.Unconfirmed() {
		if words(g.Prompts[key].Text.Get()) == shown {
			return shown
		}
	}
	return words(same.Unescaped(text))
}

// Settle assigns the open generations of a batch to the keys whose texts their
// statuses show, provided that each matches exactly one key. The other keys get
// the entries without an id. Attempts stay with their key.
func (g *Group) Settle(keys []string, texts map[string]*string) {
	owned := g.idsByKey(keys, texts)
	if owned == nil {
		return
	}
	byID := map[string]Generation{}
	rest := []Generation{}
	for _, key := range keys {
		if generation := g.Generations[key]; generation.ID.IsNull() {
			rest = append(rest, generation)
		} else {
			byID[generation.ID.Get()] = generation
		}
	}
	for _, key := range keys {
		attempts := g.Generations[key].Attempts
		generation, found := byID[owned[key]]
		if !found {
			generation = rest[0]
			rest = rest[1:]
		}
		generation.Attempts = attempts
		g.Set(key, generation)
		g.Open = Without(g.Open, owned[key])
	}
}

// keysShownBy returns those of the keys whose prompt has the words that a status
// shows.
func (g *Group) keysShownBy(text *string, keys []string) (shown []string) {
	if text == nil {
		return nil
	}
	for _, key := range keys {
		if sameWordsShown(g.Prompts[key].shownText(), *text) {
			shown = append(shown, key)
		}
	}
	return shown
}

// idsByKey returns the ids by the keys whose texts they show; nil unless each
// id matches exactly one key.
func (g *Group) idsByKey(keys []string, texts map[string]*string) map[string]string {
	owned := map[string]string{}
	for _, id := range g.IDsOf(keys) {
		alike := g.keysShownBy(texts[id], keys)
		free := slices.IndexFunc(alike, func(key string) bool { return owned[key] == "" })
		if free < 0 || !g.AreEqual(alike) {
			return nil
		}
		owned[alike[free]] = id
	}
	return owned
}

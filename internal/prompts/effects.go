package prompts

import "slices"

// Effects are the consequences of a batch's reply for the keys of the batch.
type Effects struct {
	// InDoubt are the keys that may have been bought.
	InDoubt []string
	// Equal are the generations that the service gave to several prompts which are
	// all equal: such prompts may share a generation. Different are the generations
	// that it gave to prompts of which at least two differ: nobody knows whose such
	// a generation is.
	Equal, Different []SharedID
}

// SharedID is a generation that several keys have.
type SharedID struct {
	ID   string
	Keys []string
	// Submitted are the keys that were in the batch. An earlier batch has
	// bought the others.
	Submitted []string
}

// RecordEffects gives the keys of a batch their generations, and returns the
// effects. areOpen is true if the reply does not tell which generation belongs
// to which key. A service may retry a failed prompt under its old id; such a
// generation is no longer superseded.
func (g *Group) RecordEffects(keys []string, generations []Generation, areOpen bool) (effects Effects) {
	for i, key := range keys {
		id := generations[i].ID.Get()
		g.Set(key, generations[i])
		if former := g.Superseded[key]; id != "" && slices.Contains(former, id) {
			g.Superseded[key] = Without(former, id)
		}
	}
	ids := g.IDsOf(keys)
	if areOpen {
		g.Open = append(g.Open, ids...)
	}
	effects.InDoubt = g.KeysIn(keys, PhaseUnconfirmed)
	for _, id := range ids {
		shared := g.sharedBy(id, keys)
		switch {
		case len(shared.Keys) < 2:
		case g.AreEqual(shared.Keys):
			effects.Equal = append(effects.Equal, shared)
		default:
			effects.Different = append(effects.Different, shared)
		}
	}
	return effects
}

// sharedBy returns the keys of a generation. submitted are the keys of the
// batch.
func (g *Group) sharedBy(id string, submitted []string) SharedID {
	shared := SharedID{ID: id, Keys: g.KeysOf(id)}
	for _, key := range shared.Keys {
		if slices.Contains(submitted, key) {
			shared.Submitted = append(shared.Submitted, key)
		}
	}
	return shared
}

// HasShared reports whether the service gave a generation to several keys. Then
// the texts in statuses cannot tell which generation belongs to which key.
func (e Effects) HasShared() bool { return len(e.Equal) > 0 || len(e.Different) > 0 }

// Disown gives up a generation that the service gave to different prompts. Each
// prompt that was just submitted becomes unconfirmed, and supersedes the
// generation, which is deleted with the last of them.
func (g *Group) Disown(shared SharedID, reason string) {
	for _, key := range shared.Submitted {
		g.Set(key, Unconfirmed(g.Generations[key].Attempts.Get(), reason))
		g.Superseded[key] = append(Without(g.Superseded[key], shared.ID), shared.ID)
	}
}

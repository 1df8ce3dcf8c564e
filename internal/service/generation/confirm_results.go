package generation

import "strings"

// Whose prompt a result renders, according to its status: the reply to a batch
// may leave this open, or be wrong.

// verify compares the prompt in a status with the key's, before anything is
// concluded from the result or deleted for it, and moves the generation to the
// key that it really belongs to.
func (g *group) verify(key, id string, echo *string, movable bool) {
	own, unverified := g.private.Unverified[id]
	if !unverified || echo == nil || *echo == "" {
		return
	}
	if own.Certain && couldBe(g.prompts[key], *echo) {
		delete(g.private.Unverified, id)
		return
	}
	for _, same := range []func(promptModel, string) bool{sameText, sameWords} {
		if same(g.prompts[key], *echo) {
			delete(g.private.Unverified, id)
			return
		}
		for _, other := range sortedKeys(g.generations) {
			if other != key && same(g.prompts[other], *echo) && g.mixable(other, own) && !g.shares(key) && !g.shares(other) {
				g.exchange(key, other, id, movable)
				return
			}
		}
	}
}

// shares reports whether another key holds the same generation.
func (g *group) shares(key string) bool {
	id := g.generations[key].ID.ValueString()
	return id != "" && len(g.keysOf(id)) > 1
}

// exchange moves a generation to the key whose prompt it renders.
func (g *group) exchange(key, other, id string, movable bool) {
	if _, promised := g.promised[other]; movable && !promised {
		here, there := g.generations[key], g.generations[other]
		g.set(key, there)
		g.set(other, here)
		delete(g.private.Unverified, id)
		return
	}
	// The next refresh moves it; until then nothing is concluded from it.
	own := g.private.Unverified[id]
	own.Certain = false
	g.private.Unverified[id] = own
}

func sameText(prompt promptModel, echo string) bool {
	return strings.TrimSpace(prompt.Prompt.ValueString()) == strings.TrimSpace(echo)
}

// sameWords ignores case and white space, which services may change.
func sameWords(prompt promptModel, echo string) bool {
	return words(prompt.Prompt.ValueString()) == words(echo)
}

// couldBe is sameWords for an echo that may be truncated.
func couldBe(prompt promptModel, echo string) bool {
	return strings.HasPrefix(words(prompt.Prompt.ValueString()), words(echo))
}

func words(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// mixable reports whether a key's result may have been confused with one of the
// given batch.
func (g *group) mixable(key string, own match) bool {
	batch, anywhere := g.doubtfulBatch(key)
	return anywhere || batch == own.Batch
}

// doubtfulBatch returns the batch whose results may be confused with a key's:
// its own until it is confirmed, any if it was submitted without an id.
func (g *group) doubtfulBatch(key string) (batch string, anywhere bool) {
	id := g.generations[key].ID.ValueString()
	if id == "" {
		return "", g.phaseOf(key) != phaseUnsubmitted
	}
	return g.private.Unverified[id].Batch, false
}

// replaced returns the keys whose own generation certainly has results, so that
// their former ones can be deleted: the match is certain, or all results that
// may have been confused have arrived.
func (g *group) replaced() map[string]bool {
	open, anyOpen := map[string]bool{}, false
	for key := range g.generations {
		if g.phaseOf(key) != phaseSucceeded {
			batch, anywhere := g.doubtfulBatch(key)
			open[batch], anyOpen = true, anyOpen || anywhere
		}
	}
	replaced := map[string]bool{}
	for key, generation := range g.generations {
		own, unverified := g.private.Unverified[generation.ID.ValueString()]
		sure := !unverified || own.Certain || !anyOpen && !open[own.Batch]
		replaced[key] = sure && g.phaseOf(key) == phaseSucceeded
	}
	return replaced
}

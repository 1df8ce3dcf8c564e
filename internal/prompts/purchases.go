package prompts

import "slices"

// What a plan shows as bought: the generations that are unknown as a whole.

// PlanAwaited shows as unknown how those end that run, and reports whether there are any.
func (g *Group) PlanAwaited() bool {
	awaited := g.Awaited()
	for _, key := range awaited {
		g.Set(key, toBeAwaited(g.Generations[key]))
	}
	return len(awaited) > 0
}

// PlanBought shows what is bought.
func (g *Group) PlanBought(diff Difference) {
	uncertain := diff.Buy
	if g.AnyUnknown(diff.Buy) {
		// It may turn out to be the prompt of a generation that another key seems to get,
		// and an apply must not break the plan's promise.
		uncertain = slices.Concat(diff.Buy, diff.renamed())
	}
	for _, key := range uncertain {
		g.Set(key, ToBeBought())
	}
}

// Announced returns the sorted keys that a plan shows as bought.
func (g *Group) Announced() []string {
	return slices.DeleteFunc(g.HeldKeys(), func(key string) bool { return !g.Generations[key].ID.IsUnknown() })
}

// AnyUnknown reports whether a prompt is not known yet.
func (g *Group) AnyUnknown(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return !g.Prompts[key].IsKnown() })
}

// NextAttempt returns the attempt number of the key's next submission.
func (g *Group) NextAttempt(key string) int64 { return g.Generations[key].Attempts.Get() + 1 }

// Promised returns the generations that the plan of an update shows unchanged: neither
// bought nor, if it waits, awaited.
func (g *Group) Promised(diff Difference, waits bool) map[string]Generation {
	promised := map[string]Generation{}
	for key, generation := range g.Generations {
		if !slices.Contains(diff.Buy, key) && (!waits || !g.PhaseOf(key).IsAwaited()) {
			promised[key] = generation
		}
	}
	return promised
}

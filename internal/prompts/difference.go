package prompts

import (
	"maps"
	"slices"
)

// Difference is what an update has to do.
type Difference struct {
	// Kept maps a key to the key that its generation had before: itself, or
	// another if it was renamed.
	Kept map[string]string
	// Buy holds the keys to submit, sorted: new, changed, deleted elsewhere,
	// never submitted, or with attempts left.
	Buy []string
	// Changed: the keys of Buy whose present generation has another prompt.
	Changed []string
	// Removed holds the former keys whose generations are given up.
	Removed []string
	// Forgotten holds the generations that deletion_policy leaves at the service.
	Forgotten []string
	// Imported: the prior group has the import mark. What could not be read is
	// taken over, what has failed counts as tried max_attempts times, and purchases
	// leave the former generations at the service.
	Imported bool
}

// Compare returns what must be bought and given up to get from the existing generations
// to the wanted prompts. A key whose prompt is not known yet counts as changed.
func Compare(prior *Group, want map[string]Prompt, maxAttempts int64, imported bool) Difference {
	diff := Difference{Kept: map[string]string{}, Imported: imported}
	left := maps.Clone(prior.Prompts)
	for key, prompt := range want {
		if before, found := left[key]; found && (before.Wanted() == prompt.Wanted() || imported && prompt.couldBe(before)) {
			diff.Kept[key] = key
			delete(left, key)
		}
	}
	diff.matchRenamed(prior, want, left)
	for _, key := range sortedKeys(want) {
		before, kept := diff.Kept[key]
		_, changed := left[key]
		switch {
		case !kept && changed:
			diff.Changed = append(diff.Changed, key)
			delete(left, key)
		case kept && (imported && prior.PhaseOf(before) == PhaseFailed || !prior.IsToBeBought(before, maxAttempts)):
			continue
		}
		diff.Buy = append(diff.Buy, key)
	}
	diff.Removed = sortedKeys(left)
	return diff
}

// IsToBeBought reports whether a key with an unchanged prompt is submitted.
func (g *Group) IsToBeBought(key string, maxAttempts int64) bool {
	switch phase := g.PhaseOf(key); {
	case phase == PhaseUnsubmitted, phase == PhaseGone:
		return true
	case phase.IsRetryable():
		return g.Generations[key].Attempts.Get() < maxAttempts
	}
	return false
}

// matchRenamed gives wanted keys without a generation the former ones of other
// keys with equal inputs, of an import as far as it could read them, first those that
// have, or will have, results.
func (d *Difference) matchRenamed(prior *Group, want, left map[string]Prompt) {
	same := Prompt.Wanted
	if d.Imported {
		same = Prompt.read
	}
	formers := map[Prompt][]string{}
	alive := prior.KeysIn(sortedKeys(left), PhaseNotYetSeen, PhaseRunning, PhaseSucceeded)
	for _, former := range Unique(slices.Concat(alive, sortedKeys(left))) {
		prompt := same(left[former])
		formers[prompt] = append(formers[prompt], former)
	}
	for _, key := range sortedKeys(want) {
		prompt := same(want[key])
		if _, kept := d.Kept[key]; kept || !want[key].IsKnown() {
			continue
		}
		// Of equal texts, a failed update of an imported group may have stored options.
		found := slices.IndexFunc(formers[prompt], func(former string) bool { return !d.Imported || want[key].couldBe(left[former]) })
		if found >= 0 {
			d.Kept[key] = formers[prompt][found]
			formers[prompt] = slices.Delete(formers[prompt], found, found+1)
			delete(left, d.Kept[key])
		}
	}
}

// renamed returns the keys that have got another key's generation.
func (d Difference) renamed() []string {
	return slices.DeleteFunc(sortedKeys(d.Kept), func(key string) bool { return d.Kept[key] == key })
}

// Again returns the former keys whose prompts are bought again as they are.
func (d Difference) Again() (formers []string) {
	for _, key := range d.Buy {
		if former, kept := d.Kept[key]; kept {
			formers = append(formers, former)
		}
	}
	return formers
}

// LeftBehind returns the imported generations that purchases replace in the state, and
// that stay at the service.
func (d Difference) LeftBehind(prior *Group) []string {
	if !d.Imported {
		return nil
	}
	return prior.IDsOf(d.Changed)
}

// CarryOver gives the group of an update what the prior one has: kept generations
// under their new keys, those to be bought as unsubmitted, and for each bought key
// what it supersedes.
func (g *Group) CarryOver(prior *Group, diff Difference, maxAttempts Value[int64]) {
	generations, superseded := map[string]Generation{}, map[string][]string{}
	for key := range g.Prompts {
		if former, kept := diff.Kept[key]; kept {
			generation, made := prior.Generations[former]
			if diff.Imported && !generation.Succeeded.Get() {
				generation = generation.tried(maxAttempts)
			}
			if made {
				generations[key] = generation
			}
			superseded[key] = prior.Superseded[former]
		}
	}
	behind := diff.LeftBehind(prior)
	for _, key := range diff.Changed {
		superseded[key] = Without(prior.WithSuperseded(key), behind...)
	}
	for _, key := range diff.Buy {
		attempts := int64(0)
		if former, again := diff.Kept[key]; again {
			attempts = prior.Generations[former].Attempts.Get()
			superseded[key] = prior.WithSuperseded(former)
		}
		generations[key] = Unsubmitted(attempts)
	}
	maps.DeleteFunc(superseded, func(_ string, ids []string) bool { return len(ids) == 0 })
	g.SetAll(generations)
	g.Superseded, g.Open, g.SharedIDs, g.Seen = superseded, prior.Open, prior.SharedIDs, prior.Seen
}

// Forget returns the generations of the prior group that are neither needed nor
// remembered any more, since nothing of it is to be deleted.
func (g *Group) Forget(prior *Group, diff Difference) []string {
	g.Superseded = map[string][]string{}
	return slices.DeleteFunc(Without(prior.AllIDs(), diff.LeftBehind(prior)...), g.Needed())
}

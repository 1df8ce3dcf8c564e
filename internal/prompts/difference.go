package prompts

import (
	"maps"
	"slices"
)

// Difference is what an update has to do.
type Difference struct {
	// Kept maps a key to the key that its generation had before: another if it
	// was renamed.
	Kept map[string]string
	// Buy holds the sorted keys to submit: new, changed, deleted elsewhere, or
	// failed with attempts left.
	Buy []string
	// Changed: the keys of Buy whose present generation has another prompt.
	Changed []string
	// Removed holds the former keys whose generations are given up.
	Removed []string
	// Forgotten holds the generations that deletion_policy leaves at the service.
	Forgotten []string
	// Imported: the prior group has the import mark. What could not be read is
	// taken over, what has failed counts as tried max_attempts times, and
	// purchases leave the former generations.
	Imported bool
}

// Compare returns what must be bought and given up to get from the existing
// generations to the wanted prompts. A key whose prompt is not known yet counts
// as changed.
func Compare(prior *Group, want map[string]Prompt, maxAttempts int64, imported bool) Difference {
	diff := Difference{Kept: map[string]string{}, Imported: imported}
	left := maps.Clone(prior.Prompts)
	for key, prompt := range want {
		before, found := left[key]
		isKept := prompt.IsSame(before) || imported && prompt.couldBe(before)
		if found && isKept {
			diff.Kept[key] = key
			delete(left, key)
		}
	}
	diff.matchRenamed(prior, want, left)
	for _, key := range SortedKeys(want) {
		before, kept := diff.Kept[key]
		_, changed := left[key]
		stays := diff.countsAsTried(prior, before) || !prior.IsToBeBought(before, maxAttempts)
		switch {
		case !kept && changed:
			diff.Changed = append(diff.Changed, key)
			delete(left, key)
		case kept && stays:
			continue
		}
		diff.Buy = append(diff.Buy, key)
	}
	diff.Removed = SortedKeys(left)
	return diff
}

// countsAsTried reports whether an import has found that the prompt failed: that
// was somebody's attempt, and is not repeated unasked.
func (d Difference) countsAsTried(prior *Group, key string) bool {
	return d.Imported && prior.PhaseOf(key) == PhaseFailed
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
// keys with equal inputs, of an import as far as it could read them; first
// those that have, or will have, results.
func (d *Difference) matchRenamed(prior *Group, want, left map[string]Prompt) {
	keyOf := Prompt.key
	matches := Prompt.IsSame
	if d.Imported {
		// Of equal texts, a failed update of an imported group may have stored
		// options.
		keyOf = Prompt.readKey
		matches = Prompt.couldBe
	}
	formers := map[Prompt][]string{}
	alive := prior.KeysIn(SortedKeys(left), PhaseNotYetSeen, PhaseRunning, PhaseSucceeded)
	for _, former := range Unique(slices.Concat(alive, SortedKeys(left))) {
		prompt := keyOf(left[former])
		formers[prompt] = append(formers[prompt], former)
	}
	// What is written alike goes first: a former one may be the same as several
	// wanted ones.
	isAlike := func(wanted, former Prompt) bool {
		return wanted.Wanted() == former.Wanted() && matches(wanted, former)
	}
	open := renaming{
		want:    want,
		left:    left,
		formers: formers,
		keyOf:   keyOf,
	}
	d.rename(open, isAlike)
	d.rename(open, matches)
}

// renaming is what matchRenamed matches: the former keys are by what keyOf says
// of their prompts.
type renaming struct {
	want, left map[string]Prompt
	formers    map[Prompt][]string
	keyOf      func(Prompt) Prompt
}

// rename gives wanted keys the former ones that match, in the order of their
// names, so that each plan matches them alike.
func (d *Difference) rename(open renaming, matches func(wanted, former Prompt) bool) {
	for _, key := range SortedKeys(open.want) {
		wanted := open.want[key]
		_, kept := d.Kept[key]
		if kept || !wanted.IsKnown() {
			continue
		}
		formers := open.formers[open.keyOf(wanted)]
		found := slices.IndexFunc(formers, func(former string) bool { return matches(wanted, open.left[former]) })
		if found < 0 {
			continue
		}
		d.Kept[key] = formers[found]
		delete(open.left, formers[found])
		open.formers[open.keyOf(wanted)] = slices.Delete(formers, found, found+1)
	}
}

// Untouched returns the sorted keys that keep their generation under their
// name, and are not bought again: their prompts stay as they are stored where
// they are the same.
func (d Difference) Untouched() (keys []string) {
	for _, key := range SortedKeys(d.Kept) {
		if d.Kept[key] == key && !slices.Contains(d.Buy, key) {
			keys = append(keys, key)
		}
	}
	return keys
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

// Leftover returns the imported generations that purchases replace in the
// state alone.
func (d Difference) Leftover(prior *Group) []string {
	if !d.Imported {
		return nil
	}
	return prior.IDsOf(d.Changed)
}

// CarryOver gives the group of an update what the prior one has: kept
// generations under their new keys, those to be bought as unsubmitted, and for
// each bought key what it supersedes.
func (g *Group) CarryOver(prior *Group, diff Difference, maxAttempts Value[int64]) {
	generations := map[string]Generation{}
	superseded := map[string][]string{}
	for key, former := range diff.Kept {
		generation := prior.Generations[former]
		isTried := !maxAttempts.IsUnknown() && maxAttempts.Get() <= generation.Attempts.Get()
		if diff.Imported && !generation.Succeeded.Get() && !isTried {
			generation.Attempts = maxAttempts
		}
		generations[key] = generation
		superseded[key] = prior.Superseded[former]
	}
	leftover := diff.Leftover(prior)
	for _, key := range diff.Changed {
		superseded[key] = Without(prior.WithSuperseded(key), leftover...)
	}
	for _, key := range diff.Buy {
		former, again := diff.Kept[key]
		if again {
			superseded[key] = prior.WithSuperseded(former)
		}
		generations[key] = Unsubmitted(prior.Generations[former].Attempts.Get())
	}
	maps.DeleteFunc(superseded, func(_ string, ids []string) bool { return len(ids) == 0 })
	g.SetAll(generations)
	g.Superseded = superseded
	g.Open = prior.Open
	g.SharedIDs = prior.SharedIDs
	g.Seen = prior.Seen
}

// Forget returns the generations of the prior group that are neither needed nor
// remembered any more, since nothing of it is to be deleted.
func (g *Group) Forget(prior *Group, diff Difference) []string {
	g.Superseded = map[string][]string{}
	return slices.DeleteFunc(Without(prior.AllIDs(), diff.Leftover(prior)...), g.Needed())
}

// What a plan shows as bought: the generations that are unknown as a whole.

// PlanAwaited shows as unknown how those end that run, and reports whether
// there are any.
func (g *Group) PlanAwaited() bool {
	awaited := g.Awaited()
	for _, key := range awaited {
		planned := ToBeBought()
		running := g.Generations[key]
		planned.ID = running.ID
		planned.Attempts = running.Attempts // known, as it is paid for
		g.Set(key, planned)
	}
	return len(awaited) > 0
}

// PlanBought shows what is bought.
func (g *Group) PlanBought(diff Difference) {
	uncertain := diff.Buy
	if g.AnyUnknown(diff.Buy) {
		// It may turn out to be the prompt of a generation that another key
		// seems to get, and an apply must not break the plan's promise.
		uncertain = slices.Concat(diff.Buy, diff.renamed())
	}
	for _, key := range uncertain {
		g.Set(key, ToBeBought())
	}
}

// renamed returns the sorted keys that get the generation of another key.
func (d Difference) renamed() (keys []string) {
	for _, key := range SortedKeys(d.Kept) {
		if d.Kept[key] != key {
			keys = append(keys, key)
		}
	}
	return keys
}

// Announced returns the sorted keys that a plan shows as bought.
func (g *Group) Announced() (bought []string) {
	for _, key := range g.HeldKeys() {
		if g.Generations[key].ID.IsUnknown() {
			bought = append(bought, key)
		}
	}
	return bought
}

// AnyUnknown reports whether a prompt is not known yet.
func (g *Group) AnyUnknown(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return !g.Prompts[key].IsKnown() })
}

// NextAttempt returns the attempt number of the key's next submission.
func (g *Group) NextAttempt(key string) int64 { return g.Generations[key].Attempts.Get() + 1 }

// Promised returns the generations that an update's plan shows unchanged: not
// bought nor awaited.
func (g *Group) Promised(diff Difference, waits bool) map[string]Generation {
	promised := map[string]Generation{}
	for key, generation := range g.Generations {
		if !slices.Contains(diff.Buy, key) && (!waits || !g.PhaseOf(key).IsAwaited()) {
			promised[key] = generation
		}
	}
	return promised
}

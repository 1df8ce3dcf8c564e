package generation

import (
	"maps"
	"slices"
)

// difference is what an update has to do.
type difference struct {
	// kept maps a key to the key that its generation had before: itself, or
	// another if it was renamed.
	kept map[string]string
	// buy holds the keys to submit, sorted: new, changed, deleted elsewhere,
	// never submitted, or with attempts left.
	buy []string
	// changed: the keys of buy whose present generation has another prompt.
	changed []string
	// removed holds the former keys whose generations are to be deleted.
	removed []string
	// left holds the generations that deletion_policy leaves at the service.
	left []string
	// imported: the prior group has the import mark. What could not be read is
	// taken over, what has failed counts as tried max_attempts times, and purchases
	// leave the former generations at the service.
	imported bool
}

// compare returns what must be bought and deleted to get from the existing
// generations to the wanted prompts. A key whose prompt is not known yet counts
// as changed.
func compare(prior *group, want map[string]promptModel, maxAttempts int64, imported bool) difference {
	diff := difference{kept: map[string]string{}, imported: imported}
	left := maps.Clone(prior.prompts)
	for key, prompt := range want {
		if before, found := left[key]; found && (before.wanted() == prompt.wanted() || imported && prompt.couldBe(before)) {
			diff.kept[key] = key
			delete(left, key)
		}
	}
	diff.matchRenamed(prior, want, left)
	for _, key := range sortedKeys(want) {
		before, kept := diff.kept[key]
		_, changed := left[key]
		switch {
		case !kept && changed:
			diff.changed = append(diff.changed, key)
			delete(left, key)
		case kept && (imported && prior.phaseOf(before) == phaseFailed || !prior.isToBeBought(before, maxAttempts)):
			continue
		}
		diff.buy = append(diff.buy, key)
	}
	diff.removed = sortedKeys(left)
	return diff
}

// isToBeBought reports whether a key with an unchanged prompt is submitted.
func (g *group) isToBeBought(key string, maxAttempts int64) bool {
	switch g.phaseOf(key) {
	case phaseUnsubmitted, phaseGone:
		return true
	case phaseFailed, phaseRejected, phaseUnconfirmed:
		return g.generations[key].Attempts.ValueInt64() < maxAttempts
	case phaseNotYetSeen, phaseRunning, phaseSucceeded:
	}
	return false
}

// matchRenamed gives wanted keys without a generation the former ones of other
// keys with equal inputs, of an import as far as it could read them, first those that
// have, or will have, results.
func (d *difference) matchRenamed(prior *group, want, left map[string]promptModel) {
	same := promptModel.wanted
	if d.imported {
		same = promptModel.read
	}
	formers := map[promptModel][]string{}
	alive := prior.keysIn(sortedKeys(left), phaseNotYetSeen, phaseRunning, phaseSucceeded)
	for _, former := range unique(slices.Concat(alive, sortedKeys(left))) {
		prompt := same(left[former])
		formers[prompt] = append(formers[prompt], former)
	}
	for _, key := range sortedKeys(want) {
		prompt := same(want[key])
		if _, kept := d.kept[key]; kept || !want[key].known() {
			continue
		}
		// Of equal texts, a failed update of an imported group may have stored options.
		found := slices.IndexFunc(formers[prompt], func(former string) bool { return !d.imported || want[key].couldBe(left[former]) })
		if found >= 0 {
			d.kept[key] = formers[prompt][found]
			formers[prompt] = slices.Delete(formers[prompt], found, found+1)
			delete(left, d.kept[key])
		}
	}
}

// renamed returns the keys that take over another key's generation.
func (d difference) renamed() []string {
	return slices.DeleteFunc(sortedKeys(d.kept), func(key string) bool { return d.kept[key] == key })
}

// again returns the former keys whose prompts are bought again as they are.
func (d difference) again() (formers []string) {
	for _, key := range d.buy {
		if former, kept := d.kept[key]; kept {
			formers = append(formers, former)
		}
	}
	return formers
}

// carryOver fills the working copy of an update: kept generations under their
// new keys, those to be bought as unsubmitted, and for each bought key what it
// supersedes. Under the policy keep that is nothing: it returns what is left.
func (g *group) carryOver(prior *group, diff difference) (left []string) {
	generations, superseded := map[string]generationModel{}, map[string][]string{}
	for key := range g.prompts {
		if former, kept := diff.kept[key]; kept {
			generation, made := prior.generations[former]
			if diff.imported && !generation.Succeeded.ValueBool() {
				generation = generation.tried(g.model.MaxAttempts)
			}
			if made {
				generations[key] = generation
			}
			superseded[key] = prior.private.Superseded[former]
		}
	}
	behind := diff.leftBehind(prior)
	for _, key := range diff.changed {
		superseded[key] = without(prior.withSuperseded(key), behind...)
	}
	for _, key := range diff.buy {
		attempts := int64(0)
		if former, again := diff.kept[key]; again {
			attempts = prior.generations[former].Attempts.ValueInt64()
			superseded[key] = prior.withSuperseded(former)
		}
		generations[key] = unsubmitted(attempts)
	}
	maps.DeleteFunc(superseded, func(_ string, ids []string) bool { return len(ids) == 0 })
	g.setAll(generations)
	g.private = prior.private
	g.private.Superseded = superseded
	if !g.keeps() {
		return nil
	}
	g.private.Superseded = map[string][]string{}
	return slices.DeleteFunc(without(prior.allIDs(), behind...), g.needed())
}

// leftBehind returns the imported generations that purchases replace in the
// state, and that stay at the service.
func (d difference) leftBehind(prior *group) []string {
	if !d.imported {
		return nil
	}
	return prior.idsOf(d.changed)
}

package generation

import (
	"maps"
	"slices"
)

// difference is what an update has to do to a group.
type difference struct {
	// kept maps a key to the key that its generation had before: the same one,
	// or another if it was renamed.
	kept map[string]string
	// buy are the keys to submit, sorted: new, changed, deleted elsewhere,
	// never submitted, or with attempts left.
	buy []string
	// retried maps a key of buy to the key whose failed generation it repeats.
	retried map[string]string
	// changed are the keys of buy whose present generation has another prompt.
	changed []string
	// removed are the former keys whose generations are to be deleted.
	removed []string
	// imported: the prior group was imported, and no apply has followed. What it
	// could not read is taken over, and what is bought anew supersedes nothing.
	imported bool
}

// compare finds what must be bought and deleted to get from the generations
// that were made to the prompts that are wanted. A key whose prompt is not
// known yet counts as changed.
func compare(prior *group, want map[string]promptModel, maxAttempts int64, imported bool) difference {
	diff := difference{kept: map[string]string{}, retried: map[string]string{}, imported: imported}
	left := maps.Clone(prior.prompts)
	for key, prompt := range want {
		if before, found := left[key]; found && (before == prompt || imported && prompt.couldBe(before)) {
			diff.kept[key] = key
			delete(left, key)
		}
	}
	diff.matchRenamed(want, left)
	for _, key := range sortedKeys(want) {
		before, kept := diff.kept[key]
		generation, made := prior.generations[before]
		_, changed := left[key]
		switch {
		case !kept && changed:
			diff.changed = append(diff.changed, key)
			delete(left, key)
		case !kept, !made, generation.isUnsubmitted():
		case generation.isRetryable() && generation.Attempts.ValueInt64() < maxAttempts:
			diff.retried[key] = before
		default:
			continue
		}
		diff.buy = append(diff.buy, key)
	}
	diff.removed = sortedKeys(left)
	return diff
}

// matchRenamed gives wanted keys that have no generation yet the former ones
// of other keys with equal inputs.
func (d *difference) matchRenamed(want, left map[string]promptModel) {
	for _, key := range sortedKeys(want) {
		if _, kept := d.kept[key]; kept || !want[key].known() {
			continue
		}
		formers := sortedKeys(left)
		if i := slices.IndexFunc(formers, func(former string) bool { return left[former] == want[key] }); i >= 0 {
			d.kept[key] = formers[i]
			delete(left, formers[i])
		}
	}
}

// renamed are the keys that keep the generation of another key.
func (d difference) renamed() []string {
	return slices.DeleteFunc(sortedKeys(d.kept), func(key string) bool { return d.kept[key] == key })
}

// ended are the former keys whose generations the update gives up.
func (d difference) ended() []string {
	return slices.Concat(d.removed, d.changed, slices.Sorted(maps.Values(d.retried)))
}

// carry makes the working copy that an update begins with: what is kept under
// its new key, what is to be bought as unsubmitted, and for each bought key
// what it supersedes.
func (d difference) carry(prior *group, want map[string]promptModel) (map[string]generationModel, map[string][]string) {
	generations, superseded := map[string]generationModel{}, map[string][]string{}
	for key := range want {
		if former, kept := d.kept[key]; kept {
			if generation, made := prior.generations[former]; made {
				generations[key] = generation
			}
			superseded[key] = prior.private.Superseded[former]
		}
	}
	for _, key := range d.changed {
		superseded[key] = prior.withSuperseded(key)
	}
	for _, key := range d.buy {
		attempts := int64(0)
		if former, retried := d.retried[key]; retried {
			attempts = prior.generations[former].Attempts.ValueInt64()
			superseded[key] = prior.withSuperseded(former)
		}
		generations[key] = unsubmitted(attempts)
	}
	if d.imported {
		clear(superseded)
	}
	maps.DeleteFunc(superseded, func(_ string, ids []string) bool { return len(ids) == 0 })
	return generations, superseded
}

// leftBehind are the imported generations that purchases replace in the state,
// and that stay at the service.
func (d difference) leftBehind(prior *group) []string {
	var left []string
	if d.imported {
		for _, key := range slices.Concat(d.changed, slices.Sorted(maps.Values(d.retried))) {
			left = append(left, prior.withSuperseded(key)...)
		}
	}
	return left
}

// withSuperseded are all the generations of a key: the present one and those
// that it has superseded.
func (g *group) withSuperseded(key string) []string {
	ids := slices.Clone(g.private.Superseded[key])
	if id := g.generations[key].ID.ValueString(); id != "" {
		ids = append(ids, id)
	}
	return ids
}

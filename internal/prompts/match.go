package prompts

import (
	"maps"
	"slices"
)

// Which generation of the prior group a wanted key keeps: its own, if its
// prompt is the same, else that of another key with equal inputs, which was
// renamed.

// match finds them, and returns the former prompts that no wanted key has.
func (p *Plan) match(prior *Group) (unmatched map[string]Prompt) {
	unmatched = maps.Clone(prior.Prompts)
	for key, prompt := range p.Next.Prompts {
		before, found := unmatched[key]
		isKept := prompt.IsSame(before) || p.Imported && prompt.couldBe(before)
		if found && isKept {
			p.Former[key] = key
			delete(unmatched, key)
		}
	}
	p.matchRenamed(prior, unmatched)
	return unmatched
}

// matchRenamed gives wanted keys without a generation the former ones of other
// keys with equal inputs, of an import as far as it could read them; first
// those that have, or will have, results.
func (p *Plan) matchRenamed(prior *Group, unmatched map[string]Prompt) {
	keyOf := Prompt.key
	matches := Prompt.IsSame
	if p.Imported {
		// Of equal texts, a failed update of an imported group may have stored
		// options.
		keyOf = Prompt.readKey
		matches = Prompt.couldBe
	}
	formers := map[Prompt][]string{}
	alive := prior.KeysIn(SortedKeys(unmatched), PhaseNotYetSeen, PhaseRunning, PhaseSucceeded)
	for _, former := range Unique(slices.Concat(alive, SortedKeys(unmatched))) {
		prompt := keyOf(unmatched[former])
		formers[prompt] = append(formers[prompt], former)
	}
	// What is written alike goes first: a former one may be the same as several
	// wanted ones.
	isAlike := func(wanted, former Prompt) bool {
		return wanted.Wanted() == former.Wanted() && matches(wanted, former)
	}
	open := renaming{
		want:      p.Next.Prompts,
		unmatched: unmatched,
		formers:   formers,
		keyOf:     keyOf,
	}
	p.rename(open, isAlike)
	p.rename(open, matches)
}

// renaming is what matchRenamed matches: the former keys are by what keyOf says
// of their prompts.
type renaming struct {
	want, unmatched map[string]Prompt
	formers         map[Prompt][]string
	keyOf           func(Prompt) Prompt
}

// rename gives wanted keys the former ones that match, in the order of their
// names, so that each plan matches them alike.
func (p *Plan) rename(open renaming, matches func(wanted, former Prompt) bool) {
	for _, key := range SortedKeys(open.want) {
		wanted := open.want[key]
		_, kept := p.Former[key]
		if kept || !wanted.IsKnown() {
			continue
		}
		formers := open.formers[open.keyOf(wanted)]
		found := slices.IndexFunc(formers, func(former string) bool { return matches(wanted, open.unmatched[former]) })
		if found < 0 {
			continue
		}
		p.Former[key] = formers[found]
		delete(open.unmatched, formers[found])
		open.formers[open.keyOf(wanted)] = slices.Delete(formers, found, found+1)
	}
}

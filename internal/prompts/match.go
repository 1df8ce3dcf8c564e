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
		isKept := prompt.IsSame(before) || p.Imported && prompt.mayBe(before)
		if found && isKept {
			p.Former[key] = key
			delete(unmatched, key)
		}
	}
	p.matchRenames(prior, unmatched)
	return unmatched
}

// matchRenames gives wanted keys without a generation the former ones of other
// keys with equal inputs, of an import as far as it could read them; first
// those that have, or will have, results.
func (p *Plan) matchRenames(prior *Group, unmatched map[string]Prompt) {
	keyOf := Prompt.key
	matches := Prompt.IsSame
	if p.Imported {
		// Of equal texts, a failed update of an imported group may have stored
		// options.
		keyOf = Prompt.readKey
		matches = Prompt.mayBe
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
	open := unmatchedPrompts{
		want:         p.Next.Prompts,
		unmatched:    unmatched,
		keysByPrompt: formers,
		keyOf:        keyOf,
	}
	p.matchBy(open, isAlike)
	p.matchBy(open, matches)
}

// unmatchedPrompts is what matchRenames matches: the former keys are by what
// keyOf says of their prompts.
type unmatchedPrompts struct {
	want, unmatched map[string]Prompt
	keysByPrompt    map[Prompt][]string
	keyOf           func(Prompt) Prompt
}

// matchBy gives wanted keys the former ones that match, in the order of their
// names, so that each plan matches them alike.
func (p *Plan) matchBy(open unmatchedPrompts, matches func(wanted, former Prompt) bool) {
	for _, key := range SortedKeys(open.want) {
		wanted := open.want[key]
		_, kept := p.Former[key]
		if kept || !wanted.IsKnown() {
			continue
		}
		formers := open.keysByPrompt[open.keyOf(wanted)]
		found := slices.IndexFunc(formers, func(former string) bool { return matches(wanted, open.unmatched[former]) })
		if found < 0 {
			continue
		}
		p.Former[key] = formers[found]
		delete(open.unmatched, formers[found])
		open.keysByPrompt[open.keyOf(wanted)] = slices.Delete(formers, found, found+1)
	}
}

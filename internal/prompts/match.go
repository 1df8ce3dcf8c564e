package prompts

import (
	"maps"
	"slices"
)

// A wanted key keeps a generation of the prior group: its own, if its prompt
// means the same, else the generation of another key with equal inputs, whose
// key was renamed.

// match finds the kept generations, and returns the former prompts that belong
// to no wanted key.
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

// matchRenames gives wanted keys without a generation the former generations of
// other keys with equal inputs. After an import, only the inputs that it could
// read count. Generations that have results, or will have, go first.
func (p *Plan) matchRenames(prior *Group, unmatched map[string]Prompt) {
	keyOf := Prompt.key
	matches := Prompt.IsSame
	if p.Imported {
		// After a failed update of an imported group, some of several equal
		// texts may have stored options.
		keyOf = Prompt.readKey
		matches = Prompt.mayBe
	}
	formers := map[Prompt][]string{}
	alive := prior.KeysIn(SortedKeys(unmatched), PhaseNotYetSeen, PhaseRunning, PhaseSucceeded)
	for _, former := range Unique(slices.Concat(alive, SortedKeys(unmatched))) {
		prompt := keyOf(unmatched[former])
		formers[prompt] = append(formers[prompt], former)
	}
	// Equally written prompts are matched first, because a former prompt may
	// mean the same as several wanted ones.
	isAlike := func(wanted, former Prompt) bool {
		return wanted.Wanted() == former.Wanted() && matches(wanted, former)
	}
	rest := unmatchedPrompts{
		want:         p.Next.Prompts,
		unmatched:    unmatched,
		keysByPrompt: formers,
		keyOf:        keyOf,
	}
	p.matchBy(rest, isAlike)
	p.matchBy(rest, matches)
}

// unmatchedPrompts is the input of matchRenames. The former keys are by the key
// that keyOf gives their prompts.
type unmatchedPrompts struct {
	want, unmatched map[string]Prompt
	keysByPrompt    map[Prompt][]string
	keyOf           func(Prompt) Prompt
}

// matchBy gives wanted keys the matching former keys, in the order of their
// names, so that each plan makes the same choice.
func (p *Plan) matchBy(rest unmatchedPrompts, matches func(wanted, former Prompt) bool) {
	for _, key := range SortedKeys(rest.want) {
		wanted := rest.want[key]
		_, kept := p.Former[key]
		if kept || !wanted.IsKnown() {
			continue
		}
		formers := rest.keysByPrompt[rest.keyOf(wanted)]
		found := slices.IndexFunc(formers, func(former string) bool { return matches(wanted, rest.unmatched[former]) })
		if found < 0 {
			continue
		}
		p.Former[key] = formers[found]
		delete(rest.unmatched, formers[found])
		rest.keysByPrompt[rest.keyOf(wanted)] = slices.Delete(formers, found, found+1)
	}
}

package prompts

import (
	"maps"
	"math"
	"slices"
)

// Options say how a group is planned.
type Options struct {
	// MaxAttempts is how often a prompt is submitted. While it is unknown, all
	// that may be submitted again is planned: rather too much than too little.
	MaxAttempts Value[int64]
	// Waits: the apply waits for what runs, or may do so.
	Waits bool
	// Keeps: deletion_policy leaves at the service what is given up.
	Keeps bool
	// Imported: the prior group has the import mark. What could not be read is
	// taken over, what has failed counts as tried max_attempts times, and
	// purchases leave the former generations.
	Imported bool
}

// Reason is why a prompt is bought.
type Reason int

// The reasons.
const (
	ReasonAdded   Reason = iota // the key is new
	ReasonChanged               // its present generation has another prompt
	ReasonGone                  // its generation was deleted elsewhere
	ReasonRetried               // it failed or was rejected, and attempts are left
	ReasonDue                   // it was planned before, and never submitted
)

// Plan is what has to be done to get from what a group has to what is wanted
// of it. A plan and its apply compute it alike: the first shows it, the second
// executes it, and nothing else.
type Plan struct {
	Options
	// Next is the group as the update begins: what is kept under its new keys,
	// what is to be bought as unsubmitted, and what each key supersedes.
	Next Group
	// Former maps a kept key to the key that its generation had before: another
	// if it was renamed.
	Former map[string]string
	// Buy holds the sorted keys to submit, and Reasons why each is.
	Buy     []string
	Reasons map[string]Reason
	// Await holds the sorted keys whose generations run, and are waited for.
	Await []string
	// Keep holds the generations that stay as they are, by key.
	Keep map[string]Generation
	// Removed holds the former keys whose generations are given up.
	Removed []string
	// Delete holds the generations that are deleted if all that is bought or
	// awaited succeeds.
	Delete PlannedDeletion
	// Forget holds the generations that deletion_policy leaves at the service.
	Forget []string
	// Leftover holds the imported generations that purchases replace in the
	// state alone.
	Leftover []string
}

// PlannedDeletion is what an update deletes, by reason.
type PlannedDeletion struct {
	Removed    []string // their keys are no longer wanted
	Superseded []string // their keys have others by then
}

// IDs returns all of them.
func (d PlannedDeletion) IDs() []string { return slices.Concat(d.Removed, d.Superseded) }

// NewPlan plans how to get from a group to the wanted prompts. A key whose
// prompt is not known yet counts as changed.
func NewPlan(prior *Group, want map[string]Prompt, options Options) Plan {
	plan := Plan{
		Options: options,
		Next:    New(),
		Former:  map[string]string{},
		Reasons: map[string]Reason{},
	}
	plan.Next.Prompts = want
	unmatched := plan.match(prior)
	plan.buy(prior, unmatched)
	plan.Removed = SortedKeys(unmatched)
	if options.Imported {
		plan.Leftover = prior.IDsOf(plan.BoughtAs(ReasonChanged))
	}
	plan.fillNext(prior)
	plan.Keep = maps.Clone(plan.Next.Generations)
	if options.Waits {
		plan.Await = plan.Next.awaited()
	}
	for _, key := range slices.Concat(plan.Buy, plan.Await) {
		delete(plan.Keep, key)
	}
	if options.Keeps {
		plan.forget(prior)
	} else {
		plan.delete(prior)
	}
	return plan
}

// HasToSend reports whether the apply sends anything.
func (p *Plan) HasToSend() bool {
	return len(p.Buy) > 0 || len(p.Await) > 0 || len(p.Removed) > 0 || len(p.Next.Deletable()) > 0
}

// BoughtAs returns the sorted keys that are bought for one of the reasons.
func (p *Plan) BoughtAs(reasons ...Reason) (keys []string) {
	for _, key := range p.Buy {
		if slices.Contains(reasons, p.Reasons[key]) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Again returns the former keys whose prompts are bought again as they are.
func (p *Plan) Again() (formers []string) {
	for _, key := range p.BoughtAs(ReasonGone, ReasonRetried, ReasonDue) {
		formers = append(formers, p.Former[key])
	}
	return formers
}

// UnchangedKeys returns the sorted keys that keep their generation under their
// name, and are not bought again: their prompts stay as they are stored where
// they are the same.
func (p *Plan) UnchangedKeys() (keys []string) {
	for _, key := range SortedKeys(p.Former) {
		if p.Former[key] == key && !slices.Contains(p.Buy, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Shown returns the generations as a plan shows them: unknown as a whole where
// the key is bought; where it is awaited, all but what is paid for.
func (p *Plan) Shown() map[string]Generation {
	shown := maps.Clone(p.Next.Generations)
	for _, key := range p.Await {
		planned := ToBeBought()
		planned.ID = shown[key].ID
		planned.Attempts = shown[key].Attempts
		shown[key] = planned
	}
	for _, key := range p.mayBeBought() {
		shown[key] = ToBeBought()
	}
	return shown
}

// mayBeBought returns the keys that are bought, or may be. A prompt that is not
// known yet may turn out to be that of a generation that another key seems to
// get, and an apply must not break the plan's promise.
func (p *Plan) mayBeBought() []string {
	keys := slices.Clone(p.Buy)
	if !p.Next.AnyUnknown(p.Buy) {
		return keys
	}
	for _, key := range SortedKeys(p.Former) {
		if p.Former[key] != key {
			keys = append(keys, key)
		}
	}
	return keys
}

// buy decides what is bought, and why. It takes from the unmatched prompts the
// changed ones of keys that stay.
func (p *Plan) buy(prior *Group, unmatched map[string]Prompt) {
	for _, key := range p.Next.Keys() {
		reason, isBought := p.reason(prior, key, unmatched)
		if !isBought {
			continue
		}
		p.Buy = append(p.Buy, key)
		p.Reasons[key] = reason
		if reason == ReasonChanged {
			delete(unmatched, key)
		}
	}
}

// reason is why a key is bought, if it is.
func (p *Plan) reason(prior *Group, key string, unmatched map[string]Prompt) (reason Reason, isBought bool) {
	former, isKept := p.Former[key]
	_, isThere := unmatched[key]
	switch {
	case !isKept && isThere:
		return ReasonChanged, true
	case !isKept:
		return ReasonAdded, true
	case p.countsAsTried(prior, former) || !prior.IsToBeBought(former, p.attemptLimit()):
		return 0, false
	}
	switch prior.PhaseOf(former) {
	case PhaseGone:
		return ReasonGone, true
	case PhaseUnsubmitted:
		return ReasonDue, true
	default:
		return ReasonRetried, true
	}
}

// attemptLimit is how often a prompt is submitted at most.
func (p *Plan) attemptLimit() int64 {
	if p.MaxAttempts.IsUnknown() {
		return math.MaxInt64
	}
	return p.MaxAttempts.Get()
}

// countsAsTried reports whether an import has found that the prompt failed: that
// was somebody's attempt, and is not repeated unasked.
func (p *Plan) countsAsTried(prior *Group, key string) bool {
	return p.Imported && prior.PhaseOf(key) == PhaseFailed
}

// IsToBeBought reports whether a key with an unchanged prompt is submitted.
func (g *Group) IsToBeBought(key string, maxAttempts int64) bool {
	switch phase := g.PhaseOf(key); {
	case phase == PhaseUnsubmitted, phase == PhaseGone:
		return true
	case phase.isRetryable():
		return g.Generations[key].Attempts.Get() < maxAttempts
	}
	return false
}

// fillNext gives the next group what the prior one has: kept generations
// under their new keys, those to be bought as unsubmitted, and for each bought
// key what it supersedes.
func (p *Plan) fillNext(prior *Group) {
	next := &p.Next
	for key, former := range p.Former {
		next.Set(key, p.kept(prior.Generations[former]))
		next.Superseded[key] = prior.Superseded[former]
	}
	for _, key := range p.Buy {
		attempts := int64(0)
		switch p.Reasons[key] {
		case ReasonAdded:
		case ReasonChanged:
			next.Superseded[key] = Without(prior.WithSuperseded(key), p.Leftover...)
		case ReasonGone, ReasonRetried, ReasonDue:
			former := p.Former[key]
			next.Superseded[key] = prior.WithSuperseded(former)
			attempts = prior.Generations[former].Attempts.Get()
		}
		next.Set(key, Unsubmitted(attempts))
	}
	maps.DeleteFunc(next.Superseded, func(_ string, ids []string) bool { return len(ids) == 0 })
	next.Open = prior.Open
	next.SharedIDs = prior.SharedIDs
	next.Seen = prior.Seen
}

// kept is a kept generation. Of an import, what has no results counts as
// tried as often as it may be.
func (p *Plan) kept(generation Generation) Generation {
	isTried := !p.MaxAttempts.IsUnknown() && p.MaxAttempts.Get() <= generation.Attempts.Get()
	if p.Imported && !generation.Succeeded.Get() && !isTried {
		generation.Attempts = p.MaxAttempts
	}
	return generation
}

// forget gives up all that is not needed, since nothing of it is to be deleted.
func (p *Plan) forget(prior *Group) {
	p.Next.Superseded = map[string][]string{}
	needed := p.Next.Needed()
	for _, id := range Without(prior.AllIDs(), p.Leftover...) {
		if !needed(id) {
			p.Forget = append(p.Forget, id)
		}
	}
}

// delete plans the deletions: at once what removed keys alone had, and, once
// there are results, what is superseded.
func (p *Plan) delete(prior *Group) {
	shown := p.Next
	shown.SetAll(p.Shown())
	needed := shown.Needed()
	for _, id := range prior.WithSuperseded(p.Removed...) {
		if !needed(id) {
			p.Delete.Removed = append(p.Delete.Removed, id)
		}
	}
	willHaveResults := func(key string) bool {
		return shown.Generations[key].Status.IsUnknown() || shown.hasResults(key)
	}
	deletable := shown.deletable(willHaveResults)
	for _, key := range SortedKeys(deletable) {
		p.Delete.Superseded = append(p.Delete.Superseded, deletable[key]...)
	}
}

// ShownAsBought returns the sorted keys that a plan shows as bought.
func (g *Group) ShownAsBought() (bought []string) {
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

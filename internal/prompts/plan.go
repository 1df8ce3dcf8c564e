package prompts

import (
	"maps"
	"math"
	"slices"
)

// Options say how a group is planned.
type Options struct {
	// MaxAttempts is how often a prompt is submitted. While it is unknown,
	// everything that may be submitted again is planned, because a plan must
	// not promise too little.
	MaxAttempts Value[int64]
	// Waits is true if the apply waits for running generations, or may do so.
	Waits bool
	// Keeps is true if deletion_policy leaves generations at the service.
	Keeps bool
	// Imported is true if the prior group has the import mark. Inputs that the
	// import could not read are then taken over, a failed prompt counts as
	// tried max_attempts times, and purchases leave the former generations in
	// place.
	Imported bool
}

// Reason is why a prompt is bought.
type Reason int

// The reasons.
const (
	ReasonAdded   Reason = iota // the key is new
	ReasonChanged               // the key's present generation is of a different prompt
	ReasonGone                  // its generation was deleted elsewhere
	ReasonRetried               // it failed or was rejected, and attempts are left
	ReasonDue                   // it was planned before, and never submitted
)

// Plan is the list of steps that turn a group into the wanted group. A plan and
// its apply compute it by the same code: the plan shows it, and the apply
// executes it and nothing else.
type Plan struct {
	Options
	// Next is the group at the beginning of the update: kept generations under
	// their new keys, prompts to be bought as unsubmitted, and the generations
	// that each key supersedes.
	Next Group
	// Former maps a kept key to the key that its generation had before. The two
	// differ if the key was renamed.
	Former map[string]string
	// Buy has the sorted keys to submit, and Reasons the reason for each.
	Buy     []string
	Reasons map[string]Reason
	// Await has the sorted keys whose generations are running and awaited.
	Await []string
	// Keep has the unchanged generations, by key.
	Keep map[string]Generation
	// Removed has the former keys whose generations are given up.
	Removed []string
	// Delete has the generations that are deleted if everything that is
	// bought or awaited succeeds.
	Delete PlannedDeletion
	// Forget has the generations that deletion_policy leaves at the service.
	Forget []string
	// Leftover has the imported generations that purchases replace only in
	// the state.
	Leftover []string
}

// PlannedDeletion has the generations that an update deletes, by reason.
type PlannedDeletion struct {
	Removed    []string // their keys are no longer wanted
	Superseded []string // their keys have new generations by then
}

// IDs returns all ids.
func (d PlannedDeletion) IDs() []string { return slices.Concat(d.Removed, d.Superseded) }

// NewPlan plans the steps from a group to the wanted prompts. A key whose
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

// Again returns the former keys whose prompts are bought again without a
// change.
func (p *Plan) Again() (formers []string) {
	for _, key := range p.BoughtAs(ReasonGone, ReasonRetried, ReasonDue) {
		formers = append(formers, p.Former[key])
	}
	return formers
}

// UnchangedKeys returns the sorted keys that keep their generation under their
// name, and are not bought again. If their prompts mean the same as the stored
// ones, they stay in the stored form.
func (p *Plan) UnchangedKeys() (keys []string) {
	for _, key := range SortedKeys(p.Former) {
		if p.Former[key] == key && !slices.Contains(p.Buy, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// Shown returns the generations in the form that a plan shows: unknown as a
// whole if the key is bought. If the key is awaited, only the id and the
// attempts are known.
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

// mayBeBought returns the keys that are bought, or may be. An unknown prompt
// may turn out to be the prompt of a generation that a renamed key seems to
// get. The renamed key then has to be bought, and an apply must not break the
// plan's promise.
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

// buy decides which prompts are bought, and why. It removes the changed prompts
// of existing keys from the unmatched prompts.
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

// reason returns the reason why a key is bought, if it is bought.
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

// attemptLimit returns how often a prompt is submitted at most.
func (p *Plan) attemptLimit() int64 {
	if p.MaxAttempts.IsUnknown() {
		return math.MaxInt64
	}
	return p.MaxAttempts.Get()
}

// countsAsTried reports whether an import has found that the prompt failed.
// Somebody else made that attempt, and the provider does not repeat it unasked.
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

// fillNext fills the next group from the prior group: kept generations under
// their new keys, prompts to be bought as unsubmitted, and for each bought key
// the generations that it supersedes.
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

// kept returns a kept generation. After an import, a generation without results
// counts as tried max_attempts times.
func (p *Plan) kept(generation Generation) Generation {
	isTried := !p.MaxAttempts.IsUnknown() && p.MaxAttempts.Get() <= generation.Attempts.Get()
	if p.Imported && !generation.Succeeded.Get() && !isTried {
		generation.Attempts = p.MaxAttempts
	}
	return generation
}

// forget gives up all generations that are not needed, and deletes none of
// them.
func (p *Plan) forget(prior *Group) {
	p.Next.Superseded = map[string][]string{}
	needed := p.Next.Needed()
	for _, id := range Without(prior.AllIDs(), p.Leftover...) {
		if !needed(id) {
			p.Forget = append(p.Forget, id)
		}
	}
}

// delete plans the deletions: generations that only removed keys had are
// deleted at once, superseded generations once there are new results.
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
	for _, key := range g.GenerationKeys() {
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

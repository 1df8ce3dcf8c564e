package prompts

import "slices"

// Phase is how far a prompt is. It is derived whenever needed, and never stored.
type Phase int

const (
	// PhaseUnsubmitted says that the service has nothing of it. It is always planned.
	PhaseUnsubmitted Phase = iota
	// PhaseNotYetSeen says that it is bought, and no status has shown it yet.
	PhaseNotYetSeen
	// PhaseRunning says that a status has shown it, and it has not ended.
	PhaseRunning
	// PhaseSucceeded says that it has results, or a status of success without them yet.
	PhaseSucceeded
	// PhaseFailed says that it was bought, and ended without results.
	PhaseFailed
	// PhaseRejected says that the service refused it. It was not bought.
	PhaseRejected
	// PhaseUnconfirmed says that the reply was lost or unclear, so it may have been bought.
	PhaseUnconfirmed
	// PhaseGone says that it was deleted elsewhere before it was known to have ended.
	// The next plan shows it again.
	PhaseGone
)

// PhaseOf returns the phase of a key's generation. Values still unknown in a
// plan count as bought.
func (g *Group) PhaseOf(key string) Phase {
	generation, found := g.Generations[key]
	id := generation.ID.Get()
	switch {
	case !found:
		return PhaseGone
	case generation.ID.IsNull() && generation.Error.IsNull():
		return PhaseUnsubmitted
	case generation.ID.IsNull() && generation.Status.Get() == StatusUnconfirmed:
		return PhaseUnconfirmed
	case generation.ID.IsNull():
		return PhaseRejected
	case generation.Succeeded.Get():
		return PhaseSucceeded
	case generation.Succeeded.IsKnown():
		return PhaseFailed
	case g.Vanished[id]:
		return PhaseGone
	case g.Seen[id]:
		return PhaseRunning
	default:
		return PhaseNotYetSeen
	}
}

// IsAwaited reports whether it is bought and has not ended.
func (p Phase) IsAwaited() bool { return p == PhaseNotYetSeen || p == PhaseRunning }

// IsFinished reports whether it was bought and has ended.
func (p Phase) IsFinished() bool { return p == PhaseSucceeded || p == PhaseFailed }

// IsRetryable reports whether it is submitted again while attempts are left.
func (p Phase) IsRetryable() bool {
	return p == PhaseFailed || p == PhaseRejected || p == PhaseUnconfirmed
}

// KeysIn returns those keys that are in one of the phases.
func (g *Group) KeysIn(keys []string, phases ...Phase) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.Contains(phases, g.PhaseOf(key)) })
}

// Awaited returns the sorted keys that are bought and have not ended.
func (g *Group) Awaited() []string { return g.KeysIn(g.HeldKeys(), PhaseNotYetSeen, PhaseRunning) }

// Unconfirmed returns the sorted keys that may have been bought.
func (g *Group) Unconfirmed() []string { return g.KeysIn(g.Keys(), PhaseUnconfirmed) }

// Running returns the ids that are bought and have not ended, in the order of
// their keys.
func (g *Group) Running() []string { return g.IDsOf(g.Awaited()) }

// Runs reports whether a generation is bought and has not ended.
func (g *Group) Runs(id string) bool {
	key, found := g.KeyOf(id)
	return found && g.PhaseOf(key).IsAwaited()
}

// HasFailed reports whether a generation has ended without media.
func (g *Group) HasFailed(id string) bool {
	key, held := g.KeyOf(id)
	return held && g.PhaseOf(key) == PhaseFailed
}

// WithoutResults returns those ids that have succeeded without results yet.
func (g *Group) WithoutResults(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		key, found := g.KeyOf(id)
		return !found || g.Vanished[id] || g.PhaseOf(key) != PhaseSucceeded || len(g.Generations[key].ResultURLs) > 0
	})
}

// WasDeleted reports whether the group was deleted elsewhere: something of it
// vanished, and nothing that is left exists or may exist.
func (g *Group) WasDeleted() bool {
	nothing := g.KeysIn(g.HeldKeys(), PhaseUnsubmitted, PhaseRejected, PhaseGone)
	return len(g.Vanished) > 0 && len(nothing) == len(g.Generations)
}

// Counts are the prompts of a group by how far they are.
type Counts struct{ Succeeded, Failed, Pending, Unconfirmed int64 }

// Complete reports whether every prompt has an outcome.
func (c Counts) Complete() bool { return c.Pending+c.Unconfirmed == 0 }

// Count counts the prompts.
func (g *Group) Count() (counts Counts) {
	for key := range g.Prompts {
		switch g.PhaseOf(key) {
		case PhaseUnsubmitted, PhaseNotYetSeen, PhaseRunning, PhaseGone:
			counts.Pending++
		case PhaseSucceeded:
			counts.Succeeded++
		case PhaseFailed, PhaseRejected:
			counts.Failed++
		case PhaseUnconfirmed:
			counts.Unconfirmed++
		}
	}
	return counts
}

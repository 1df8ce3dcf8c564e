package prompts

import "slices"

// Phase says how far a prompt is. It is derived whenever needed, and never
// stored.
type Phase int

// The phases of a prompt.
const (
	PhaseUnsubmitted Phase = iota // unknown to the service; it is always planned
	PhaseNotYetSeen               // it is bought, and no status has shown it yet
	PhaseRunning                  // a status has shown it, and it has not ended
	PhaseSucceeded                // it has results, or a status of success without results yet
	PhaseFailed                   // it was bought, and ended without results
	PhaseRejected                 // the service refused it; it was not bought
	PhaseUnconfirmed              // the reply was lost or unclear, so it may have been bought
	PhaseGone                     // it was deleted elsewhere, and is planned again
)

// PhaseOf returns the phase of a key's generation. A generation with values
// that are unknown in a plan counts as bought.
func (g *Group) PhaseOf(key string) Phase {
	generation, found := g.Generations[key]
	id := generation.ID.Get()
	switch {
	case !found:
		return PhaseGone
	case generation.ID.IsNull() && generation.Error.IsNull():
		return PhaseUnsubmitted
	case generation.ID.IsNull() && generation.Status.Get() == statusUnconfirmed:
		return PhaseUnconfirmed
	case generation.ID.IsNull():
		return PhaseRejected
	case generation.Succeeded.Get():
		return PhaseSucceeded
	case generation.Succeeded.IsKnown():
		return PhaseFailed
	case g.Gone[id]:
		return PhaseGone
	case g.Seen[id]:
		return PhaseRunning
	default:
		return PhaseNotYetSeen
	}
}

// isAwaited reports whether the prompt is bought and has not ended.
func (p Phase) isAwaited() bool { return p == PhaseNotYetSeen || p == PhaseRunning }

// isRetryable reports whether the prompt is submitted again while attempts are
// left: the service has told how it ended. An unconfirmed prompt may have been
// bought, and is never repeated unchanged.
func (p Phase) isRetryable() bool { return p == PhaseFailed || p == PhaseRejected }

// KeysIn returns the given keys that are in one of the phases.
func (g *Group) KeysIn(keys []string, phases ...Phase) (found []string) {
	for _, key := range keys {
		if slices.Contains(phases, g.PhaseOf(key)) {
			found = append(found, key)
		}
	}
	return found
}

// awaited returns the sorted keys of prompts that are bought and have not
// ended.
func (g *Group) awaited() []string {
	return g.KeysIn(g.GenerationKeys(), PhaseNotYetSeen, PhaseRunning)
}

// Unconfirmed returns the sorted keys of prompts that may have been bought.
func (g *Group) Unconfirmed() []string { return g.KeysIn(g.Keys(), PhaseUnconfirmed) }

// Running returns the ids of generations that have not ended, in the order of
// their keys.
func (g *Group) Running() []string { return g.IDsOf(g.awaited()) }

// Runs reports whether a generation has not ended.
func (g *Group) Runs(id string) bool { return g.PhaseOf(g.KeyOf(id)).isAwaited() }

// HasFailed reports whether a generation has ended without media.
func (g *Group) HasFailed(id string) bool { return g.PhaseOf(g.KeyOf(id)) == PhaseFailed }

// WithoutResults returns the given ids that have succeeded without results yet.
func (g *Group) WithoutResults(ids []string) (without []string) {
	for _, id := range ids {
		hasSucceeded := !g.Gone[id] && g.PhaseOf(g.KeyOf(id)) == PhaseSucceeded
		if hasSucceeded && len(g.Of(id).ResultURLs) == 0 {
			without = append(without, id)
		}
	}
	return without
}

// WasDeleted reports whether the group was deleted elsewhere: a generation has
// vanished, and no other exists or may exist.
func (g *Group) WasDeleted() bool {
	nothing := g.KeysIn(g.GenerationKeys(), PhaseUnsubmitted, PhaseRejected, PhaseGone)
	return len(g.Gone) > 0 && len(nothing) == len(g.Generations)
}

// Counts are the numbers of a group's prompts by their progress.
type Counts struct{ Succeeded, Failed, Pending, Unconfirmed int64 }

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

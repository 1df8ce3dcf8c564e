package generation

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

// phase is the phase of a prompt. It is derived from state and private state
// whenever needed, and never stored.
type phase int

const (
	// phaseUnsubmitted: the service has nothing of it. It is always planned.
	phaseUnsubmitted phase = iota
	// phaseNotYetSeen: it is bought, and no status has shown it yet.
	phaseNotYetSeen
	// phaseRunning: a status has shown it, and it has not ended.
	phaseRunning
	// phaseSucceeded: it has results, or a status of success without them yet.
	phaseSucceeded
	// phaseFailed: it was bought, and ended without results.
	phaseFailed
	// phaseRejected: the service refused it. It was not bought.
	phaseRejected
	// phaseUnconfirmed: the reply was lost or unclear, so it may have been bought.
	phaseUnconfirmed
	// phaseGone: it was deleted elsewhere before it was known to have ended.
	// The next plan shows it again.
	phaseGone
)

// phaseOf returns the phase of a key's generation. Values still unknown in a
// plan count as bought.
func (g *group) phaseOf(key string) phase {
	generation, found := g.generations[key]
	id := generation.ID.ValueString()
	switch {
	case !found:
		return phaseGone
	case generation.ID.IsNull() && generation.Error.IsNull():
		return phaseUnsubmitted
	case generation.ID.IsNull() && generation.Status.ValueString() == statusUnconfirmed:
		return phaseUnconfirmed
	case generation.ID.IsNull():
		return phaseRejected
	case generation.Succeeded.ValueBool():
		return phaseSucceeded
	case !generation.Succeeded.IsNull() && !generation.Succeeded.IsUnknown():
		return phaseFailed
	case g.vanished[id]:
		return phaseGone
	case g.private.Of(id).Shown:
		return phaseRunning
	default:
		return phaseNotYetSeen
	}
}

// isAwaited reports whether it is bought and has not ended.
func (p phase) isAwaited() bool { return p == phaseNotYetSeen || p == phaseRunning }

// isFinished reports whether it was bought and has ended.
func (p phase) isFinished() bool { return p == phaseSucceeded || p == phaseFailed }

// isRetryable reports whether it is submitted again while attempts are left.
func (p phase) isRetryable() bool {
	return p == phaseFailed || p == phaseRejected || p == phaseUnconfirmed
}

// count updates the counts and complete.
func (g *group) count() {
	var succeeded, failed, pending, unconfirmed int64
	for key := range g.prompts {
		switch g.phaseOf(key) {
		case phaseUnsubmitted, phaseNotYetSeen, phaseRunning, phaseGone:
			pending++
		case phaseSucceeded:
			succeeded++
		case phaseFailed, phaseRejected:
			failed++
		case phaseUnconfirmed:
			unconfirmed++
		}
	}
	g.model.SucceededCount, g.model.FailedCount = types.Int64Value(succeeded), types.Int64Value(failed)
	g.model.PendingCount, g.model.UnconfirmedCount = types.Int64Value(pending), types.Int64Value(unconfirmed)
	g.model.Complete = types.BoolValue(pending+unconfirmed == 0)
}

// keysIn returns those keys that are in one of the phases.
func (g *group) keysIn(keys []string, phases ...phase) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !slices.Contains(phases, g.phaseOf(key)) })
}

// awaited returns the sorted keys that are bought and have not ended.
func (g *group) awaited() []string {
	return g.keysIn(sortedKeys(g.generations), phaseNotYetSeen, phaseRunning)
}

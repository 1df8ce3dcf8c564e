package wait

import (
	"math"
	"time"
)

// Forecast decides when to poll next for work that runs at the service. Its
// intervals grow in proportion to the time waited, so that the delay after the
// end is a fraction of the duration. Progress and estimates can make a poll
// earlier, never later: progress moves in steps or stalls, and an estimate may
// be wrong or in another unit.
type Forecast struct {
	// Shortest and Longest bound the intervals; those of the beginning grow from
	// firstInterval to Shortest. 0 is no bound.
	Shortest, Longest time.Duration
	// Estimate is the service's estimate of the whole duration; 0 is unknown.
	Estimate time.Duration

	first, last sample
	// early: the next poll is earlier than its interval says. misses counts the
	// early polls that found the work still running.
	early  bool
	misses int
}

// sample is the progress seen by one poll.
type sample struct {
	waited  time.Duration
	percent int64
}

const (
	firstInterval = 1500 * time.Millisecond
	// share is the next interval as a fraction of the time waited.
	share = 0.145
	// The end is expected between these fractions of an estimate, so that an
	// estimate that is off by a fifth still helps.
	windowFrom, windowUntil = 0.8, 1.25
	// toleratedMisses is the number of misses after which early polls are spread
	// out.
	toleratedMisses = 4
)

// Observe records a poll that found the work running, waited after it began.
// percent is its progress, 0 or less if unknown.
func (f *Forecast) Observe(waited time.Duration, percent int64) {
	if f.early {
		f.misses++
	}
	if percent <= 0 || percent >= 100 {
		return
	}
	now := sample{waited, percent}
	if f.first == (sample{}) || percent < f.last.percent {
		f.first = now
	}
	f.last = now
}

// Next is how long to sleep before the next poll.
func (f *Forecast) Next(waited time.Duration) time.Duration {
	regular := max(f.Shortest, part(waited, share))
	if waited < f.Shortest {
		regular = max(firstInterval, waited)
	}
	if f.Longest > 0 {
		regular = min(regular, f.Longest)
	}
	end, known := f.End()
	if !known {
		return min(regular, f.towardsEstimate(waited))
	}
	soonest := max(f.Shortest/2, part(waited, share/6))
	if f.misses > toleratedMisses {
		soonest <<= min(f.misses-toleratedMisses, 10)
	}
	next := max(end-waited, soonest)
	f.early = next < regular
	return min(regular, next)
}

// towardsEstimate sleeps until the estimated end may be near, and polls more
// often while it may be.
func (f *Forecast) towardsEstimate(waited time.Duration) time.Duration {
	from, until := part(f.Estimate, windowFrom), part(f.Estimate, windowUntil)
	switch {
	case waited >= until:
		return math.MaxInt64
	case waited < from:
		return max(from-waited, f.Shortest/2)
	default:
		return max(f.Shortest/2, part(waited, share/3))
	}
}

// End extrapolates the progress to the end of the work: from its beginning, or
// from the first poll that showed any progress.
func (f *Forecast) End() (time.Duration, bool) {
	if f.last.percent == 0 {
		return 0, false
	}
	since, done := f.last.waited, f.last.percent
	if f.first.percent < f.last.percent && f.first.waited < f.last.waited {
		since, done = since-f.first.waited, done-f.first.percent
	}
	return f.last.waited + since*time.Duration(100-f.last.percent)/time.Duration(done), true
}

func part(d time.Duration, factor float64) time.Duration { return time.Duration(float64(d) * factor) }

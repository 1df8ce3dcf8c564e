package wait

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"time"
)

// Schedule decides when a wait polls next. Its intervals double from First to
// Min, and then grow in proportion to the time waited, up to Max, so that the
// delay after the end is a fraction of the duration. Progress and estimates can
// make a poll earlier, never later: progress moves in steps or stalls, and an
// estimate may be wrong or in a different unit.
type Schedule struct {
	// First is the first interval. Min and Max bound the later ones; 0
	// is no bound.
	First, Min, Max time.Duration
	Estimate        time.Duration // the service's estimate of the whole duration; 0 is unknown

	first, last sample
	early       bool // the next poll is earlier than its regular interval
	earlyPolls  int  // early polls that found the work still running
}

// sample is the progress that a poll has shown.
type sample struct {
	waited  time.Duration
	percent int64
}

const (
	share = 0.145 // the next interval, as a share of the time waited
	// The end is expected between these parts of an estimate: an estimate that
	// is wrong by a fifth still helps.
	windowFrom, windowUntil = 0.8, 1.25
	maxEarlyPolls           = 4 // after more of them, early polls are spread out
)

// Observe records a poll that found the work running; without progress, percent
// is 0 or less.
func (s *Schedule) Observe(waited time.Duration, percent int64) {
	if s.early {
		s.earlyPolls++
	}
	if percent <= 0 || percent >= 100 {
		return
	}
	now := sample{waited, percent}
	if s.first == (sample{}) || percent < s.last.percent {
		s.first = now
	}
	s.last = now
}

// Next returns how long to sleep before the next poll.
func (s *Schedule) Next(waited time.Duration) time.Duration {
	regular := max(s.First, min(waited, s.Min), part(waited, share))
	if s.Max > 0 {
		regular = min(regular, s.Max)
	}
	end, known := s.End()
	if !known {
		return min(regular, s.byEstimate(waited))
	}
	soonest := max(s.Min/2, part(waited, share/6))
	if s.earlyPolls > maxEarlyPolls {
		soonest <<= min(s.earlyPolls-maxEarlyPolls, 10)
	}
	next := max(end-waited, soonest)
	s.early = next < regular
	return min(regular, next)
}

// byEstimate sleeps until the estimated end may be near, and then polls more
// often until it must have passed.
func (s *Schedule) byEstimate(waited time.Duration) time.Duration {
	from := part(s.Estimate, windowFrom)
	until := part(s.Estimate, windowUntil)
	switch {
	case waited >= until:
		return math.MaxInt64
	case waited < from:
		return max(from-waited, s.Min/2)
	default:
		return max(s.Min/2, part(waited, share/3))
	}
}

// End extrapolates the progress to the end of the work: from the beginning of
// the work, or from the first poll that showed progress.
func (s *Schedule) End() (time.Duration, bool) {
	if s.last.percent == 0 {
		return 0, false
	}
	since := s.last.waited
	done := s.last.percent
	if s.first.percent < s.last.percent && s.first.waited < s.last.waited {
		since -= s.first.waited
		done -= s.first.percent
	}
	return s.last.waited + since*time.Duration(100-s.last.percent)/time.Duration(done), true
}

func part(d time.Duration, factor float64) time.Duration { return time.Duration(float64(d) * factor) }

// Limiter limits the polls of all waits in a plan or apply: all groups and
// trainings together send a limited number of polls per minute.
type Limiter struct {
	clock Clock
	apart time.Duration // the least time between two polls

	mutex    sync.Mutex
	reserved []time.Time // of the next polls, in order
}

// PollsPerMinute returns how many polls a limit of requests per minute leaves
// room for: half of them, and at most thirty. 0 is no limit of requests.
func PollsPerMinute(maxRequests int64) float64 {
	const usual = 60
	return min(30, float64(cmp.Or(maxRequests, usual))/2)
}

// NewLimiter allows a number of polls per minute.
func NewLimiter(clock Clock, perMinute float64) *Limiter {
	return &Limiter{clock: clock, apart: time.Duration(float64(time.Minute) / perMinute)}
}

// Limit returns the intervals of a wait. Each is extended to the first time
// that is far enough from all other polls.
func (l *Limiter) Limit(next func(waited time.Duration) time.Duration) func(waited time.Duration) time.Duration {
	return func(waited time.Duration) time.Duration {
		now := l.clock.Now()
		wanted := now.Add(next(waited))
		l.mutex.Lock()
		defer l.mutex.Unlock()
		l.reserved = slices.DeleteFunc(l.reserved, func(other time.Time) bool { return other.Add(l.apart).Before(now) })
		place := len(l.reserved)
		for i, other := range l.reserved {
			if other.Sub(wanted) >= l.apart {
				place = i
				break
			}
			if wanted.Sub(other) < l.apart {
				wanted = other.Add(l.apart)
			}
		}
		l.reserved = slices.Insert(l.reserved, place, wanted)
		return wanted.Sub(now)
	}
}

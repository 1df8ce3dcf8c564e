package wait

import (
	"slices"
	"sync"
	"time"
)

// Limiter limits the polls of all waits in a plan or apply: however many groups
// and trainings there are, together they poll so many times a minute.
type Limiter struct {
	clock Clock
	// apart is the least time between two polls.
	apart time.Duration

	mutex sync.Mutex
	// reserved are the times of the next polls, in order.
	reserved []time.Time
}

// NewLimiter allows a number of polls per minute.
func NewLimiter(clock Clock, perMinute float64) *Limiter {
	return &Limiter{clock: clock, apart: time.Duration(float64(time.Minute) / perMinute)}
}

// Limit returns the intervals of a wait, each lengthened to the first time that no
// other wait has reserved.
func (l *Limiter) Limit(next func(waited time.Duration) time.Duration) func(waited time.Duration) time.Duration {
	return func(waited time.Duration) time.Duration {
		now := l.clock.Now()
		return l.reserve(now, now.Add(next(waited))).Sub(now)
	}
}

// reserve returns the first time, from the wanted one on, that is apart enough
// from all others.
func (l *Limiter) reserve(now, wanted time.Time) time.Time {
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
	return wanted
}

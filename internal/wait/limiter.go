package wait

import (
	"time"

	"golang.org/x/time/rate"
)

// Limiter limits the polls of all waits in a plan or apply: however many groups
// and trainings there are, together they poll so many times a minute.
type Limiter struct {
	clock   Clock
	limiter *rate.Limiter
}

// NewLimiter allows a number of polls per minute.
func NewLimiter(clock Clock, perMinute float64) *Limiter {
	return &Limiter{clock: clock, limiter: rate.NewLimiter(rate.Limit(perMinute/60), 1)}
}

// Limit returns the intervals, lengthened while other waits poll.
func (l *Limiter) Limit(intervals Intervals) Intervals { return limited{l, intervals} }

type limited struct {
	*Limiter
	intervals Intervals
}

// Next reserves the first free slot after the interval.
func (l limited) Next(waited time.Duration) time.Duration {
	interval, now := l.intervals.Next(waited), l.clock.Now()
	return interval + l.limiter.ReserveN(now.Add(interval), 1).DelayFrom(now.Add(interval))
}

// Package waittest is the clock of tests.
package waittest

import (
	"context"
	"sync"
	"time"
)

// Clock moves only when a goroutine sleeps, and then at once: hours of training
// pass in no time.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
	slept time.Duration
}

// NewClock returns a clock that starts at a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Sleep moves the clock by the whole sleep. Sleeps that begin together add up,
// unlike sleeps in real time: code that depends on that is tested in a bubble.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.Advance(d)
	return nil
}

// Advance lets time pass.
func (c *Clock) Advance(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(max(d, 0))
	c.slept += max(d, 0)
}

// Slept returns the sum of all sleeps so far.
func (c *Clock) Slept() time.Duration {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.slept
}

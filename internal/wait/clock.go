// Package wait polls the service until a job has ended, and tells apart the
// ways in which a wait can end: done, failed, out of time, cancelled.
package wait

import (
	"context"
	"time"
)

// Clock is the time that waits, backoffs and limits go by. Tests inject one
// that advances by itself, so that hours of training cost no real time.
type Clock interface {
	// Now is the current time.
	Now() time.Time
	// Sleep returns after d, or with the context's cause once ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the machine's own clock.
var System Clock = systemClock{}

type systemClock struct{}

func (systemClock) Now() time.Time { return time.Now() }

func (systemClock) Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Package wait polls the service until a job has ended. Its errors distinguish
// timeout, cancellation and failure.
package wait

import (
	"context"
	"time"
)

// Clock is the clock of waits, backoffs and limits. Tests inject one that
// advances by itself, so that hours of training take no real time.
type Clock interface {
	// Now returns the current time.
	Now() time.Time
	// Sleep returns after d, or with the context's cause once ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the system's clock.
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

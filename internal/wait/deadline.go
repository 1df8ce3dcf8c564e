package wait

import (
	"context"
	"time"
)

// Grace is how long, in real time, a paid request in flight may still be
// answered after its operation was cancelled. CI systems kill what has not
// returned a few seconds after SIGTERM.
const Grace = 2500 * time.Millisecond

type deadlineKey struct{}

// WithDeadline bounds everything that is done with the returned context by a
// moment of the injected clock. Unlike context.WithDeadline it cancels
// nothing: whoever waits on the clock gives up when the moment would pass. The
// zero time lifts the bound.
func WithDeadline(ctx context.Context, deadline time.Time) context.Context {
	return context.WithValue(ctx, deadlineKey{}, deadline)
}

// Deadline is the moment set by WithDeadline.
func Deadline(ctx context.Context) (deadline time.Time, ok bool) {
	deadline, _ = ctx.Value(deadlineKey{}).(time.Time)
	return deadline, !deadline.IsZero()
}

// Within bounds a wait by limit from now on, unless ctx bounds it closer.
func Within(ctx context.Context, clock Clock, limit time.Duration) context.Context {
	until := clock.Now().Add(limit)
	if deadline, ok := Deadline(ctx); ok && deadline.Before(until) {
		return ctx
	}
	return WithDeadline(ctx, until)
}

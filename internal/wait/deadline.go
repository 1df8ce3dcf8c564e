package wait

import (
	"context"
	"time"
)

// Grace is how long, in real time, a paid request in flight may still be
// answered after its operation was cancelled. CI systems kill a process a few
// seconds after SIGTERM.
const Grace = 2500 * time.Millisecond

type deadlineKey struct{}

// WithDeadline limits everything done with the returned context to a time of
// the injected clock. Unlike context.WithDeadline it cancels nothing: a wait on
// the clock gives up if the deadline would pass. The zero time removes the
// limit.
func WithDeadline(ctx context.Context, deadline time.Time) context.Context {
	return context.WithValue(ctx, deadlineKey{}, deadline)
}

// Deadline returns the deadline set by WithDeadline.
func Deadline(ctx context.Context) (deadline time.Time, ok bool) {
	deadline, _ = ctx.Value(deadlineKey{}).(time.Time)
	return deadline, !deadline.IsZero()
}

// Within limits a wait to the given duration, unless ctx has an earlier
// deadline.
func Within(ctx context.Context, clock Clock, limit time.Duration) context.Context {
	until := clock.Now().Add(limit)
	if deadline, ok := Deadline(ctx); ok && deadline.Before(until) {
		return ctx
	}
	return WithDeadline(ctx, until)
}

package wait

import (
	"context"
	"errors"
	"time"
)

// Grace is how long, in real time, a paid request in flight may still be
// answered after its operation was cancelled. CI systems kill a process a few
// seconds after SIGTERM.
const Grace = 2500 * time.Millisecond

type deadlineKey struct{}

// limit is a deadline, and the setting that it comes from.
type limit struct {
	at      time.Time
	setting string
}

// WithDeadline limits everything done with the returned context to a time of
// the injected clock. Unlike context.WithDeadline it cancels nothing: a wait on
// the clock gives up if the deadline would pass. The zero time removes the
// limit.
func WithDeadline(ctx context.Context, deadline time.Time) context.Context {
	return context.WithValue(ctx, deadlineKey{}, limit{at: deadline})
}

// WithTimeout is WithDeadline for a limit that a person can set: an error that it
// causes names the setting, as in timeouts.create.
func WithTimeout(ctx context.Context, clock Clock, timeout time.Duration, setting string) context.Context {
	return context.WithValue(ctx, deadlineKey{}, limit{at: clock.Now().Add(timeout), setting: setting})
}

// Deadline returns the deadline set by WithDeadline.
func Deadline(ctx context.Context) (deadline time.Time, ok bool) {
	set := limitOf(ctx)
	return set.at, !set.at.IsZero()
}

func limitOf(ctx context.Context) limit {
	set, _ := ctx.Value(deadlineKey{}).(limit)
	return set
}

// TimedOut is the error of a wait that the deadline of ctx ends.
func TimedOut(ctx context.Context, after time.Duration, last error) *TimeoutError {
	return &TimeoutError{After: after, Last: last, Setting: limitOf(ctx).setting}
}

// Bound returns a context that ends, in real time, with the deadline of ctx: for
// what may hang. What begins when little time is left, as the last poll of a wait
// does, still has Grace; what begins later than that ends at once.
func Bound(ctx context.Context, clock Clock) (context.Context, context.CancelFunc) {
	deadline, ok := Deadline(ctx)
	if !ok {
		return ctx, func() {}
	}
	left := deadline.Sub(clock.Now())
	if left > -Grace {
		left = max(left, Grace)
	}
	return context.WithTimeoutCause(ctx, left, TimedOut(ctx, max(left, 0), nil))
}

// Ended is the error of what an ended context has ended: a *TimeoutError if Bound
// did so, else a *CanceledError.
func Ended(ctx context.Context) error {
	if timeout, is := errors.AsType[*TimeoutError](context.Cause(ctx)); is {
		return timeout
	}
	return &CanceledError{Cause: context.Cause(ctx)}
}

// Within limits a wait to the given duration, unless ctx has an earlier
// deadline.
func Within(ctx context.Context, clock Clock, most time.Duration) context.Context {
	until := clock.Now().Add(most)
	if deadline, ok := Deadline(ctx); ok && deadline.Before(until) {
		return ctx
	}
	return WithDeadline(ctx, until)
}

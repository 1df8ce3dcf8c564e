// Package wait polls the service until a job has ended. Its errors distinguish
// timeout, cancellation and failure.
//
// On Ctrl-C, or a SIGTERM to the CLI, the CLI asks the provider to stop, and
// the framework cancels the context of each operation. A sleep and a request
// then end at once, a paid request after Grace. Resources must then store their
// state quickly: a CLI that is interrupted twice, or a CI system, kills the
// process seconds later.
package wait

import (
	"context"
	"errors"
	"time"
)

// Clock is the clock of waits, backoffs and limits. Tests inject a clock that
// advances by itself, so that hours of training take no real time.
type Clock interface {
	Now() time.Time
	// Sleep returns after d, or with the context's cause once ctx ends.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the system's clock.
var System Clock = systemClock{}

// systemClock is the clock of the machine.
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

// Grace is how long, in real time, a paid request in flight may still be
// answered after its operation was cancelled; transport bounds each attempt by
// it. CI systems kill a process a few seconds after SIGTERM.
const Grace = 2500 * time.Millisecond

// deadlineKey is the key of a context's limit.
type deadlineKey struct{}

// limit is the end of an operation's time, and the setting that determines it.
type limit struct {
	at      time.Time
	setting string
}

// WithTimeout limits everything done with the returned context to a time of the
// injected clock. Unlike context.WithTimeout it cancels nothing: a wait gives
// up if the deadline would pass. Its error names the setting, as in
// timeouts.create; setting is empty for a limit that no person can set.
func WithTimeout(ctx context.Context, clock Clock, timeout time.Duration, setting string) context.Context {
	return context.WithValue(ctx, deadlineKey{}, limit{at: clock.Now().Add(timeout), setting: setting})
}

// Deadline returns the deadline set by WithTimeout.
func Deadline(ctx context.Context) (deadline time.Time, ok bool) {
	set, ok := ctx.Value(deadlineKey{}).(limit)
	return set.at, ok
}

// TimedOut returns the error of a wait that the deadline of ctx ends.
func TimedOut(ctx context.Context, after time.Duration, last error) *TimeoutError {
	set, _ := ctx.Value(deadlineKey{}).(limit)
	return &TimeoutError{
		After:   after,
		Last:    last,
		Setting: set.setting,
	}
}

// Bound returns a context that ends, in real time, with the deadline of ctx. It
// is for requests that may hang. A request that begins shortly before the
// deadline, such as the last poll of a wait, still has Grace; a request that
// begins later than Grace after the deadline ends at once.
func Bound(ctx context.Context, clock Clock) (context.Context, context.CancelFunc) {
	deadline, ok := Deadline(ctx)
	if !ok {
		return ctx, func() {}
	}
	remaining := deadline.Sub(clock.Now())
	if remaining > -Grace {
		remaining = max(remaining, Grace)
	}
	return context.WithTimeoutCause(ctx, remaining, TimedOut(ctx, max(remaining, 0), nil))
}

// Ended returns the error of an ended context: a *TimeoutError if Bound ended
// it, else a *CanceledError.
func Ended(ctx context.Context) error {
	if timeout, is := errors.AsType[*TimeoutError](context.Cause(ctx)); is {
		return timeout
	}
	return &CanceledError{Cause: context.Cause(ctx)}
}

// Within limits a wait to the given duration, unless ctx has an earlier deadline.
func Within(ctx context.Context, clock Clock, most time.Duration) context.Context {
	if deadline, ok := Deadline(ctx); ok && deadline.Before(clock.Now().Add(most)) {
		return ctx
	}
	return WithTimeout(ctx, clock, most, "")
}

package wait

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// ErrInconclusive marks an error that proves nothing about the work, so that
// polling continues.
var ErrInconclusive = errors.New("nothing can be concluded")

// TimeoutError says that the operation timed out. The work may go on.
type TimeoutError struct {
	After   time.Duration
	Setting string // the setting of the time, as in timeouts.create; it may be empty
	Last    error  // why the last poll was inconclusive; nil if it was conclusive
}

// Error says how long the wait was, which setting ended it, and what the last
// poll saw.
func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("the wait was given up after %s", Lasted(e.After))
	if e.Setting != "" {
		text += fmt.Sprintf(" (%s sets the time)", e.Setting)
	}
	if e.Last != nil {
		text += "; the last poll: " + e.Last.Error()
	}
	return text
}

// Unwrap returns why the last poll was inconclusive.
func (e *TimeoutError) Unwrap() error { return e.Last }

// CanceledError says that the operation was interrupted, for instance by Ctrl-C.
type CanceledError struct{ Cause error }

func (e *CanceledError) Error() string { return "the wait was interrupted" }

// Unwrap returns the cause of the interruption.
func (e *CanceledError) Unwrap() error { return e.Cause }

// IsCanceled reports whether a context was cancelled. If its deadline ended it,
// that is a timeout instead.
func IsCanceled(err error) bool {
	_, is := errors.AsType[*CanceledError](err)
	return is
}

// IsTimeout reports whether the deadline set by WithTimeout has passed, or
// would have.
func IsTimeout(err error) bool {
	_, is := errors.AsType[*TimeoutError](err)
	return is
}

// pollingKey marks the requests of a wait. They give way to requests for which
// a person waits.
type pollingKey struct{}

// WithPolling marks requests with the returned context as part of a wait. A
// wait is about work that was paid for, and must outlast an outage of the
// service.
func WithPolling(ctx context.Context) context.Context {
	return context.WithValue(ctx, pollingKey{}, true)
}

// IsPolling reports whether ctx was marked by WithPolling.
func IsPolling(ctx context.Context) bool { return ctx.Value(pollingKey{}) != nil }

// Poll calls check at once, and again after intervals, until it is done or
// fails; an ErrInconclusive is not a failure. next returns the next interval,
// given the time since the wait began. The context of a check is marked by
// WithPolling. Poll returns a *TimeoutError when the deadline set by
// WithTimeout would pass, and a *CanceledError when ctx ends. If progress is
// not nil, it is updated after every check and during sleeps.
func Poll(
	ctx context.Context,
	clock Clock,
	next func(waited time.Duration) time.Duration,
	progress *Progress,
	check func(context.Context) (done bool, err error),
) error {
	started := clock.Now()
	polling := WithPolling(ctx)
	for {
		if ctx.Err() != nil {
			return &CanceledError{Cause: context.Cause(ctx)}
		}
		done, err := check(polling)
		waited := clock.Now().Sub(started)
		isFinal := err != nil && !errors.Is(err, ErrInconclusive)
		switch {
		case err != nil && ctx.Err() != nil:
			return &CanceledError{Cause: err}
		case IsTimeout(err):
			return TimedOut(ctx, waited, err)
		case done || isFinal:
			return err
		}
		remaining := untilDeadline(ctx, clock)
		if remaining <= 0 {
			return TimedOut(ctx, waited, err)
		}
		if err := progress.Sleep(ctx, clock, min(next(waited), remaining)); err != nil {
			return &CanceledError{Cause: err}
		}
	}
}

// untilDeadline returns the time until the deadline; the longest duration if
// there is none.
func untilDeadline(ctx context.Context, clock Clock) time.Duration {
	deadline, is := Deadline(ctx)
	if !is {
		return math.MaxInt64
	}
	return deadline.Sub(clock.Now())
}

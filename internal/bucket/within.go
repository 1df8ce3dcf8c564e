package bucket

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// patience bounds a call if the caller's context has no deadline, because
	// Google's client repeats a refused request until its context ends.
	patience = time.Minute
	// lastWords is how long a client may take to return after its context has
	// ended, with the last answer that it has received.
	lastWords = 50 * time.Millisecond
)

var errPatience = errors.New("no answer within a minute")

// result is the result of a client's call.
type result[T any] struct {
	value T
	err   error
}

// within calls do, and returns when the context ends, even if a client ignores
// the context: Google's client waits for a token without it. A request that was
// already sent may still arrive.
func within[T any](ctx context.Context, do func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errPatience)
	defer cancel()
	done := make(chan result[T], 1)
	go func() {
		value, err := do(ctx)
		done <- result[T]{value, err}
	}()
	select {
	case given := <-done:
		return given.value, given.because(ctx)
	case <-ctx.Done():
	}
	select {
	case given := <-done:
		return given.value, given.because(ctx)
	case <-time.After(lastWords):
		var none T
		return none, context.Cause(ctx)
	}
}

// because adds the cause of the context's end to the error, because the clients
// know only that it has ended.
func (r result[T]) because(ctx context.Context) error {
	cause := context.Cause(ctx)
	if r.err == nil || cause == nil || errors.Is(r.err, cause) {
		return r.err
	}
	return fmt.Errorf("%w: %w", cause, r.err)
}

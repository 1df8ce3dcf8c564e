package wait

import (
	"context"
	"sync"
)

// Flight is a call that all who want its result at the same time wait for. The
// zero value is ready for use.
type Flight[V any] struct {
	mutex   sync.Mutex
	current *call[V]
}

// call is one call. All but done and cancel is guarded by the flight's mutex.
type call[V any] struct {
	done   chan struct{}
	cancel context.CancelFunc
	// callers has the contexts of those that wait.
	callers map[*context.Context]struct{}
	value   V
	err     error
}

// Do waits for the call in progress or begins one; began says which. A call may
// have ended just before, so it looks first whether its result is there.
//
// The call has the values of its first caller's context, but neither its
// cancellation nor its deadline. It goes on while anybody waits for it, until
// the last of their deadlines. A caller whose ctx ends gets what Ended says.
func (f *Flight[V]) Do(ctx context.Context, run func(context.Context) (V, error)) (value V, began bool, err error) {
	if ctx.Err() != nil {
		return value, false, Ended(ctx)
	}
	f.mutex.Lock()
	joined := f.current
	if began = joined == nil || !joined.isAwaited(); began {
		joined = f.begin(ctx, run)
	}
	joined.callers[&ctx] = struct{}{}
	f.mutex.Unlock()
	select {
	case <-joined.done:
		return joined.value, began, joined.err
	case <-ctx.Done():
		f.leave(joined, &ctx)
		return value, began, Ended(ctx)
	}
}

// begin is called with the mutex held.
func (f *Flight[V]) begin(ctx context.Context, run func(context.Context) (V, error)) *call[V] {
	begun := &call[V]{done: make(chan struct{}), callers: map[*context.Context]struct{}{}}
	detached, cancel := context.WithCancel(&callContext[V]{context.WithoutCancel(ctx), f, begun})
	begun.cancel, f.current = cancel, begun
	go func() {
		defer cancel()
		value, err := run(detached)
		f.mutex.Lock()
		defer f.mutex.Unlock()
		begun.value, begun.err = value, err
		if f.current == begun {
			f.current = nil
		}
		close(begun.done)
	}()
	return begun
}

func (f *Flight[V]) leave(left *call[V], caller *context.Context) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(left.callers, caller)
	if len(left.callers) > 0 {
		return
	}
	left.cancel()
	if f.current == left {
		f.current = nil
	}
}

// isAwaited reports whether one of the callers has not been cancelled.
func (c *call[V]) isAwaited() bool {
	for caller := range c.callers {
		if (*caller).Err() == nil {
			return true
		}
	}
	return false
}

// limit is the last of the callers' limits; zero if one of them has none.
func (c *call[V]) limit() (last limit) {
	for caller := range c.callers {
		set := limitOf(*caller)
		if set.at.IsZero() {
			return limit{}
		}
		if set.at.After(last.at) {
			last = set
		}
	}
	return last
}

// callContext is the context of a call. Who joins may change its deadline.
type callContext[V any] struct {
	context.Context
	flight *Flight[V]
	call   *call[V]
}

// Value implements context.Context.
func (c *callContext[V]) Value(key any) any {
	if key != (deadlineKey{}) {
		return c.Context.Value(key)
	}
	c.flight.mutex.Lock()
	defer c.flight.mutex.Unlock()
	return c.call.limit()
}

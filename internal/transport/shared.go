package transport

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// outageHolds is how long the failure of a shared read in an outage is the
// result of those who want to read the same.
const outageHolds = 10 * time.Second

// Shared is a read that all who want its result at the same time do together,
// see wait.Flight. Those who wait for it share its failure as well, and in an
// outage also those who come soon after.
type Shared[V any] struct {
	clock  wait.Clock
	flight wait.Flight[landed[V]]

	mutex    sync.Mutex
	failure  error
	failedAt time.Time
}

// landed is a result with how persistent its read was.
type landed[V any] struct {
	value       V
	persistence persistence
}

// NewShared returns a read that goes by the clock.
func NewShared[V any](clock wait.Clock) *Shared[V] { return &Shared[V]{clock: clock} }

// Do waits for the read in progress or begins one; began says which. A read may
// have ended just before, so it looks first whether its result is there. What
// ended because of its own caller, or was sent less often than ctx asks for,
// fails nobody else.
func (s *Shared[V]) Do(ctx context.Context, read func(context.Context) (V, error)) (value V, began bool, err error) {
	ctx, end := wait.Bound(ctx, s.clock)
	defer end()
	for {
		if err := s.recent(ctx); err != nil {
			return value, false, err
		}
		result, began, err := s.flight.Do(ctx, func(ctx context.Context) (result landed[V], err error) {
			result.persistence = persistenceOf(ctx)
			if err = s.recent(ctx); err == nil {
				result.value, err = read(ctx)
				s.note(ctx, err)
			}
			return result, err
		})
		another := IsCanceled(err) || IsTimeout(err) || result.persistence < persistenceOf(ctx)
		if err == nil || began || ctx.Err() != nil || !another {
			return result.value, began, err
		}
	}
}

// recent is the failure of a read that has just ended, for all but polls.
func (s *Shared[V]) recent(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if persistenceOf(ctx) == polled || s.failure == nil || s.clock.Now().Sub(s.failedAt) >= outageHolds {
		return nil
	}
	return s.failure
}

func (s *Shared[V]) note(ctx context.Context, err error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	failure, is := errors.AsType[*Error](err)
	switch {
	case err == nil:
		s.failure = nil
	case is && failure.Outage != nil && persistenceOf(ctx) > sentOnce:
		s.failure, s.failedAt = err, s.clock.Now()
	}
}

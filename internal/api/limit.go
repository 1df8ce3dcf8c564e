package api

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// gate is what every attempt passes: the client's limit and the cooldown that
// the service asked for. All waits go by the injected clock.
type gate struct {
	clock   wait.Clock
	limiter *rate.Limiter // nil: no limit

	mutex    sync.Mutex
	cooldown time.Time
}

// newGate allows a small burst and takes it out of the rate, so that no minute
// sees more than perMinute requests.
func newGate(clock wait.Clock, perMinute int64) *gate {
	gate := &gate{clock: clock}
	if perMinute > 0 {
		burst := min(max(perMinute/20, 1), 5)
		gate.limiter = rate.NewLimiter(rate.Limit(float64(perMinute-burst+1)/60), int(burst))
	}
	return gate
}

// pass returns when the request may be sent: not before the given time, after
// the cooldown, in its turn. It ends with a *wait.CanceledError, or, at once,
// with a *wait.TimeoutError if ctx's deadline would pass.
func (g *gate) pass(ctx context.Context, notBefore time.Time) error {
	begun := g.clock.Now()
	if err := g.until(ctx, begun, notBefore); err != nil {
		return err
	}
	for {
		if err := g.until(ctx, begun, g.cooled()); err != nil {
			return err
		}
		if err := g.turn(ctx, begun); err != nil {
			return err
		}
		if !g.cooled().After(g.clock.Now()) {
			return nil
		}
	}
}

// turn takes a place in the limiter's queue and waits for it.
func (g *gate) turn(ctx context.Context, begun time.Time) error {
	if g.limiter == nil {
		return nil
	}
	now := g.clock.Now()
	place := g.limiter.ReserveN(now, 1)
	err := g.until(ctx, begun, now.Add(place.DelayFrom(now)))
	if err != nil {
		place.CancelAt(g.clock.Now())
	}
	return err
}

func (g *gate) until(ctx context.Context, begun, moment time.Time) error {
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	now := g.clock.Now()
	if !moment.After(now) {
		return nil
	}
	if deadline, ok := wait.Deadline(ctx); ok && moment.After(deadline) {
		return &wait.TimeoutError{After: now.Sub(begun)}
	}
	if err := g.clock.Sleep(ctx, moment.Sub(now)); err != nil {
		return &wait.CanceledError{Cause: err}
	}
	return nil
}

// cool keeps all requests back for d.
func (g *gate) cool(d time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if until := g.clock.Now().Add(d); until.After(g.cooldown) {
		g.cooldown = until
	}
}

func (g *gate) cooled() time.Time {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.cooldown
}

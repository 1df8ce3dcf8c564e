package api

import (
	"cmp"
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// minute is the service's, with room for what the network delays.
	minute = 61 * time.Second
	// gentle is a pace that suits services which only mind haste.
	gentle rate.Limit = 1
)

// gate is what every attempt passes: the client's limit, the cooldown that the
// service asked for, and the pace that its refusals have taught. All waits go
// by the injected clock.
type gate struct {
	clock wait.Clock
	// limiter queues requests, the first come first. Its limit is the client's
	// own, or less after a 429.
	limiter *rate.Limiter
	own     rate.Limit

	mutex    sync.Mutex
	cooldown time.Time
	// served is when the requests of the last minute were answered, the oldest
	// first; refusals counts the 429s since the last of them.
	served   []time.Time
	refusals int
	// opened is since when requests are counted, slowed when the pace was last
	// changed.
	opened, slowed time.Time
}

// newGate allows a small burst and takes it out of the rate, so that no minute
// sees more than perMinute requests. 0 is no limit.
func newGate(clock wait.Clock, perMinute int64) *gate {
	own, burst := rate.Inf, int64(1)
	if perMinute > 0 {
		burst = min(max(perMinute/20, 1), 5)
		own = aMinute(perMinute - burst + 1)
	}
	return &gate{clock: clock, own: own, limiter: rate.NewLimiter(own, int(burst)), opened: clock.Now()}
}

func aMinute(requests int64) rate.Limit { return rate.Limit(float64(requests) / minute.Seconds()) }

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

// answered takes note of an answer other than a 429. After a minute without
// one the pace is doubled, up to the client's own.
func (g *gate) answered() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.clock.Now()
	g.forget(now)
	g.served = append(g.served, now)
	g.refusals = 0
	if g.limiter.Limit() < g.own && now.Sub(g.slowed) >= minute {
		g.pace(now, 2*g.limiter.Limit())
	}
}

// refused takes note of a 429, and keeps all requests back: for as long as the
// service asks, or else until there should be room again. Most services allow a
// number of requests a minute and do not say which: it is as many as they have
// answered within the last one, once one has been watched.
func (g *gate) refused(asked time.Duration, backoff func(repetition int) time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.clock.Now()
	if asked == 0 && g.cooldown.After(now) {
		return // it was sent before another was refused
	}
	g.forget(now)
	g.refusals++
	rest := asked
	if n := len(g.served); n > 0 && now.Sub(g.opened) >= minute {
		g.pace(now, aMinute(int64(n)))
		rest = cmp.Or(rest, g.served[0].Add(minute).Sub(now))
	} else {
		g.pace(now, min(g.limiter.Limit(), gentle))
		rest = cmp.Or(rest, backoff(g.refusals-1))
	}
	g.coolUntil(now.Add(rest))
}

func (g *gate) pace(now time.Time, limit rate.Limit) {
	g.limiter.SetLimitAt(now, min(limit, g.own))
	g.slowed = now
}

func (g *gate) forget(now time.Time) {
	for len(g.served) > 0 && now.Sub(g.served[0]) >= minute {
		g.served = g.served[1:]
	}
}

// cool keeps all requests back for d.
func (g *gate) cool(d time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.coolUntil(g.clock.Now().Add(d))
}

func (g *gate) coolUntil(moment time.Time) {
	if moment.After(g.cooldown) {
		g.cooldown = moment
	}
}

func (g *gate) cooled() time.Time {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	return g.cooldown
}

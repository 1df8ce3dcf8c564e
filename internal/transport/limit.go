package transport

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
	// brisk is the least that is taken for running when a first 429 comes.
	brisk rate.Limit = 8
	// brief is how long refusals last that are no limit a minute: a stray one, or
	// some that minded haste.
	brief = 10 * time.Second
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
	// first; refusals counts the 429s since the last of them, from since on.
	served   []time.Time
	refusals int
	since    time.Time
	// trial is until when one request alone finds out whether refusals are over.
	trial time.Time
	// resumed is the pace when they are. It is doubled after each quiet time: a
	// second, some seconds after refusals that come back within a minute, and a
	// minute once they are taken for a limit a minute.
	resumed rate.Limit
	quiet   time.Duration
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
		if g.opens() {
			return nil
		}
	}
}

// opens lets a request go, unless the service asked for rest meanwhile. After a
// refusal one goes ahead of the others, a second each.
func (g *gate) opens() bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.clock.Now()
	if g.cooldown.After(now) || g.trial.After(now) {
		return false
	}
	if g.refusals > 0 {
		g.trial = now.Add(time.Second)
	}
	return true
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

// answered takes note of an answer other than a 429.
func (g *gate) answered() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.clock.Now()
	g.forget(now)
	g.served = append(g.served, now)
	if g.cooldown.After(now) {
		return // it was sent before another was refused
	}
	if g.refusals > 0 && g.quiet < minute {
		if now.Sub(g.since) < brief {
			g.pace(now, g.resumed)
		} else {
			g.pace(now, min(g.limiter.Limit(), gentle))
			g.quiet = minute
		}
	}
	g.refusals, g.trial = 0, now
	if limit := g.limiter.Limit(); limit < g.own && now.Sub(g.slowed) >= g.quiet {
		g.pace(now, 2*limit)
	}
}

// refused takes note of a 429, and keeps all requests back: for as long as the
// service asks, or else until there should be room again.
func (g *gate) refused(asked time.Duration, backoff func(repetition int) time.Duration) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	now := g.clock.Now()
	if g.cooldown.After(now) { // it was sent before another was refused
		g.coolUntil(now.Add(asked))
		return
	}
	g.forget(now)
	if g.refusals == 0 {
		g.aim(now)
		g.since = now
	}
	rest := cmp.Or(asked, backoff(g.refusals))
	g.refusals++
	if g.quiet == minute {
		room := g.learn(now)
		rest = cmp.Or(asked, room, rest)
	}
	g.coolUntil(now.Add(rest))
}

// aim decides, at the first of a row of refusals, how to go on after it: with
// half of what was running.
func (g *gate) aim(now time.Time) {
	running := rate.Limit(0)
	for _, at := range g.served {
		if now.Sub(at) <= time.Second {
			running++
		}
	}
	g.resumed = max(min(g.limiter.Limit(), max(running, brisk))/2, gentle)
	switch again := !g.since.IsZero() && now.Sub(g.since) < minute; {
	case again && g.watched(now):
		g.quiet = minute
	case again:
		g.quiet = min(4*g.quiet, minute/4)
	case g.quiet < minute:
		g.quiet = time.Second
	}
}

// learn sets the pace to what the service allows, and returns how long it is
// until there is room again. Most services allow a number of requests a minute
// and do not say which: it is as many as they have answered within the last
// one, once one has been watched.
func (g *gate) learn(now time.Time) time.Duration {
	if !g.watched(now) {
		g.pace(now, min(g.limiter.Limit(), gentle))
		return 0
	}
	g.pace(now, aMinute(int64(len(g.served))))
	return g.served[0].Add(minute).Sub(now)
}

func (g *gate) watched(now time.Time) bool { return len(g.served) > 0 && now.Sub(g.opened) >= minute }

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

// cooled is when the gate may open.
func (g *gate) cooled() time.Time {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.trial.After(g.cooldown) {
		return g.trial
	}
	return g.cooldown
}

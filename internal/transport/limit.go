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
	// minute is the service's, plus a margin for network delays.
	minute = 61 * time.Second
	// fewest is the lowest pace that is learned, per minute: a run that began
	// beside others may have been answered once only.
	fewest = 4
	// gentle is a pace for services that object only to bursts.
	gentle rate.Limit = 1
	// brisk is the lowest assumed rate of requests when a first 429 arrives.
	brisk rate.Limit = 8
	// brief is how long 429s last that do not mean a limit per minute: a
	// single one, or the response to a burst.
	brief = 10 * time.Second
)

// gate controls when attempts are sent: by the client's limit, by the cooldown
// that the service asked for, and by the pace learned from its 429s. All waits
// use the injected clock.
type gate struct {
	clock wait.Clock
	// limiter queues requests, first come, first served. Its limit is the
	// client's, or lower after a 429.
	limiter *rate.Limiter
	own     rate.Limit

	mutex    sync.Mutex
	cooldown time.Time
	// served holds the times of the replies of the last minute, oldest first;
	// refusals counts the 429s since the latest of them, the first at since.
	served   []time.Time
	refusals int
	since    time.Time
	// trial is when the single request that tests whether the 429s are over
	// times out.
	trial time.Time
	// resumed is the pace after that. It doubles after a period without a 429:
	// one second; some seconds if 429s return within a minute; a minute once they
	// are taken for a limit per minute. If none follows, other runs that shared
	// the limit may have ended: it doubles again after half the period.
	resumed rate.Limit
	quiet   time.Duration
	// opened is when counting began; slowed is when the pace last changed.
	opened, slowed time.Time
}

// newGate allows a small burst and subtracts it from the rate, so that no
// minute has more than perMinute requests. 0 means no limit.
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
// the cooldown, and in its order. It returns a *wait.CanceledError, or, at
// once, a *wait.TimeoutError if ctx's deadline would pass.
func (g *gate) pass(ctx context.Context, notBefore time.Time) error {
	begun := g.clock.Now()
	if err := g.until(ctx, begun, notBefore); err != nil {
		return err
	}
	for {
		if err := g.until(ctx, begun, g.cooled()); err != nil {
			return err
		}
		if err := g.queue(ctx, begun); err != nil {
			return err
		}
		if g.opens() {
			return nil
		}
	}
}

// opens lets a request through, unless the service has asked for a pause
// meanwhile. After a 429 one request per second goes ahead of the others.
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

// queue takes a place in the limiter's queue and waits for it.
func (g *gate) queue(ctx context.Context, begun time.Time) error {
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
		return wait.Ended(ctx)
	}
	now := g.clock.Now()
	if !moment.After(now) {
		return nil
	}
	if deadline, ok := wait.Deadline(ctx); ok && moment.After(deadline) {
		return wait.TimedOut(ctx, now.Sub(begun), nil)
	}
	if err := g.clock.Sleep(ctx, moment.Sub(now)); err != nil {
		return wait.Ended(ctx)
	}
	return nil
}

// answered records a reply other than a 429.
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
		g.slowed = now.Add(-g.quiet / 2)
	}
}

// refused records a 429 and holds back all requests: for as long as the service
// asks, or until it should accept requests again.
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

// aim decides, at the first of several 429s, how to continue after them: at
// half the current rate.
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

// learn sets the pace to what the service allows, and returns how long to wait
// until then. Most services allow a number of requests per minute without
// saying which: it is as many as they answered within the last minute, once a
// whole minute was observed.
func (g *gate) learn(now time.Time) time.Duration {
	if !g.watched(now) {
		g.pace(now, min(g.limiter.Limit(), gentle))
		return 0
	}
	g.pace(now, aMinute(max(int64(len(g.served)), fewest)))
	return g.served[0].Add(minute).Sub(now)
}

func (g *gate) watched(now time.Time) bool { return len(g.served) > 0 && now.Sub(g.opened) >= minute }

func (g *gate) pace(now time.Time, limit rate.Limit) {
	g.limiter.SetLimitAt(now, min(limit, g.own))
	g.slowed = now
}

// aSecond is how many requests the gate lets through in a second, at least 1.
func (g *gate) aSecond() float64 { return max(float64(g.limiter.Limit()), 1) }

func (g *gate) forget(now time.Time) {
	for len(g.served) > 0 && now.Sub(g.served[0]) >= minute {
		g.served = g.served[1:]
	}
}

// cool holds back all requests for d.
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

// cooled returns when the gate may open.
func (g *gate) cooled() time.Time {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.trial.After(g.cooldown) {
		return g.trial
	}
	return g.cooldown
}

package transport

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	minute = 61 * time.Second // the service's minute, plus a margin for network delays
	// minPerMinute is the lowest learned rate. A run beside others may have
	// been answered only once.
	minPerMinute             = 4
	slowPerSecond rate.Limit = 1 // for services that object only to bursts
	// fastPerSecond is the lowest assumed rate of requests when a first 429
	// arrives.
	fastPerSecond rate.Limit = 8
	// burstDuration is the longest time of 429s that are due to a burst, and
	// not to a limit per minute.
	burstDuration = 10 * time.Second
)

// limiter is the rate limiter of a host. Attempts wait for the client's limit,
// for the backoff in the service's Retry-After, and for the rate that was
// learned from its 429s.
type limiter struct {
	clock wait.Clock
	// queue lets requests through in their order at a rate: the client's own,
	// or a lower rate after a 429.
	queue   *rate.Limiter
	own     rate.Limit
	answers *answers // may end a wait

	mutex   sync.Mutex
	backoff time.Time // nothing is sent until then
	// served holds the times of the replies of the last minute, oldest first.
	// refusals counts the 429s since the latest reply; since is the time of the
	// first.
	served   []time.Time
	refusals int
	since    time.Time
	// trial is when the test request times out: a single request that finds out
	// whether the 429s are over.
	trial time.Time
	// resumed is the rate after the 429s. It doubles after a quiet period
	// without a 429. The period is one second, some seconds if 429s return
	// within a minute, and a minute once the 429s are taken for a limit per
	// minute. If no 429 follows, it doubles again after half the period,
	// because other runs that shared the limit may have ended.
	resumed rate.Limit
	quiet   time.Duration
	// opened is when counting began; slowed is when the rate last changed.
	opened, slowed time.Time
}

// newLimiter allows a small burst and subtracts it from the rate, so that no
// minute has more than perMinute requests. 0 means no limit.
func newLimiter(clock wait.Clock, perMinute int64, answers *answers) *limiter {
	own := rate.Inf
	burst := int64(1)
	if perMinute > 0 {
		burst = min(max(perMinute/20, 1), 5)
		own = aMinute(perMinute - burst + 1)
	}
	return &limiter{
		clock:   clock,
		own:     own,
		queue:   rate.NewLimiter(own, int(burst)),
		opened:  clock.Now(),
		answers: answers,
	}
}

func aMinute(requests int64) rate.Limit { return rate.Limit(float64(requests) / minute.Seconds()) }

// waitTurn returns when the request may be sent: not before the given time,
// after the backoff, and in its order. If ctx has ended, it returns a
// *wait.CanceledError, so that nothing is sent after an interrupt. If ctx's
// deadline would pass, it returns a *wait.TimeoutError at once. A storm ends it
// with errStorm.
func (l *limiter) waitTurn(ctx context.Context, notBefore time.Time) error {
	for begun := l.clock.Now(); ; {
		l.mutex.Lock()
		opensAt := latest(notBefore, l.backoff, l.trial)
		l.mutex.Unlock()
		if err := l.until(ctx, begun, opensAt); err != nil {
			return err
		}
		now := l.clock.Now()
		place := l.queue.ReserveN(now, 1)
		if err := l.until(ctx, begun, now.Add(place.DelayFrom(now))); err != nil {
			place.CancelAt(l.clock.Now())
			return err
		}
		if l.mayPass() {
			return nil
		}
	}
}

// mayPass lets a request through, unless the service has asked for a pause
// meanwhile. After a 429 it lets one request per second through before the
// others.
func (l *limiter) mayPass() bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.clock.Now()
	if l.backoff.After(now) || l.trial.After(now) {
		return false
	}
	if l.refusals > 0 {
		l.trial = now.Add(time.Second)
	}
	return true
}

// until sleeps until a moment. It gives up at once if the moment is after the
// deadline, and also when a storm ends the waiting requests.
func (l *limiter) until(ctx context.Context, begun, moment time.Time) error {
	if ctx.Err() != nil {
		return wait.Ended(ctx)
	}
	now := l.clock.Now()
	if !moment.After(now) {
		return nil
	}
	if deadline, ok := wait.Deadline(ctx); ok && moment.After(deadline) {
		return wait.TimedOut(ctx, now.Sub(begun), nil)
	}
	for ; moment.After(now); now = l.clock.Now() {
		if l.answers.stormIsTooLong(ctx, now) {
			return errStorm
		}
		if err := l.clock.Sleep(ctx, min(moment.Sub(now), time.Minute)); err != nil {
			return wait.Ended(ctx)
		}
	}
	return nil
}

// answered records a reply other than a 429.
func (l *limiter) answered() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.clock.Now()
	l.expire(now)
	l.served = append(l.served, now)
	if l.backoff.After(now) {
		return // it was sent before another request was refused
	}
	if l.refusals > 0 && l.quiet < minute {
		if now.Sub(l.since) < burstDuration {
			l.setRate(now, l.resumed)
		} else {
			l.setRate(now, min(l.queue.Limit(), slowPerSecond))
			l.quiet = minute
		}
	}
	l.refusals = 0
	l.trial = now
	if limit := l.queue.Limit(); limit < l.own && now.Sub(l.slowed) >= l.quiet {
		l.setRate(now, 2*limit)
		l.slowed = now.Add(-l.quiet / 2)
	}
}

// refused records a 429 and holds back all requests: for as long as the service
// asks, or until the service should accept requests again.
func (l *limiter) refused(asked time.Duration, backoff func(repetition int) time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := l.clock.Now()
	if l.backoff.After(now) { // it was sent before another request was refused
		l.backoff = latest(l.backoff, now.Add(asked))
		return
	}
	l.expire(now)
	if l.refusals == 0 {
		l.chooseRate(now)
		l.since = now
	}
	rest := cmp.Or(asked, backoff(l.refusals))
	l.refusals++
	if l.quiet == minute {
		room := l.learn(now)
		rest = cmp.Or(asked, room, rest)
	}
	l.backoff = now.Add(rest)
}

// chooseRate decides, at the first of several 429s, how to continue after them:
// at half the current rate.
func (l *limiter) chooseRate(now time.Time) {
	running := rate.Limit(0)
	for _, at := range l.served {
		if now.Sub(at) <= time.Second {
			running++
		}
	}
	l.resumed = max(min(l.queue.Limit(), max(running, fastPerSecond))/2, slowPerSecond)
	switch again := !l.since.IsZero() && now.Sub(l.since) < minute; {
	case again && l.watched(now):
		l.quiet = minute
	case again:
		l.quiet = min(4*l.quiet, minute/4)
	case l.quiet < minute:
		l.quiet = time.Second
	}
}

// learn sets the rate to the rate that the service allows, and returns how long
// to wait until then. Most services allow a number of requests per minute
// without saying the number. It is the number that they answered within the
// last minute, once a whole minute was observed.
func (l *limiter) learn(now time.Time) time.Duration {
	if !l.watched(now) {
		l.setRate(now, min(l.queue.Limit(), slowPerSecond))
		return 0
	}
	l.setRate(now, aMinute(max(int64(len(l.served)), minPerMinute)))
	return l.served[0].Add(minute).Sub(now)
}

func (l *limiter) watched(now time.Time) bool {
	return len(l.served) > 0 && now.Sub(l.opened) >= minute
}

func (l *limiter) setRate(now time.Time, limit rate.Limit) {
	l.queue.SetLimitAt(now, min(limit, l.own))
	l.slowed = now
}

// expire removes replies that are older than a minute.
func (l *limiter) expire(now time.Time) {
	for len(l.served) > 0 && now.Sub(l.served[0]) >= minute {
		l.served = l.served[1:]
	}
}

// backOff holds back all requests for d.
func (l *limiter) backOff(d time.Duration) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.backoff = latest(l.backoff, l.clock.Now().Add(d))
}

func latest(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }

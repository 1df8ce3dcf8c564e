package transport

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// host records whether a host has answered in this run, and how fast it takes
// requests. An outage begins when a request has failed with all its retries and
// no request was answered meanwhile. It lasts until the next answer. During an
// outage a request gets no retries, but still an attempt: the retries would
// fail as well, each after the same time.
type host struct {
	address string // scheme and host only: the rest may be secret
	limiter *limiter

	mutex  sync.Mutex
	given  int // answers
	outage bool
}

func newHost(address *url.URL, clock wait.Clock, perMinute int64, answers *answers) *host {
	origin := url.URL{Scheme: address.Scheme, Host: address.Host}
	return &host{address: origin.String(), limiter: newLimiter(clock, perMinute, answers)}
}

// state returns how many answers the host has given, and whether there is an
// outage.
func (h *host) state() (given int, outage bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.given, h.outage
}

// retriesAfter returns how often the request may be retried after the attempt.
// A poll keeps its retries in an outage, because its object was paid for.
func (s *sender) retriesAfter(ctx context.Context, now *attempt) int64 {
	most := s.client.config.MaxRetries
	given, outage := s.host.state()
	_, bounded := wait.Deadline(ctx)
	switch hung := errors.Is(now.failed(), reply.ErrNoAnswer) && !bounded && s.request.class != idempotent; {
	case wait.IsPolling(ctx):
		return most
	case outage, hung: // without a deadline, for example in a plan, it would hang as long again
		return 0
	case given == 0 && reply.IsHostDown(now.failed()): // the address is probably wrong
		return min(most, 1)
	default:
		return most
	}
}

// observe records the end of an attempt. The attempt is the last if step is
// stop. A request that the policy would not have retried proves no outage.
func (s *sender) observe(now *attempt, step step) {
	s.host.mutex.Lock()
	defer s.host.mutex.Unlock()
	switch {
	case now.outcome == interrupted:
	case now.outcome.isAnswer():
		s.host.given++
		s.host.outage = false
	case step == stop:
		now.err.Sent.Address = s.host.address
		now.err.Sent.Attempts = s.attempts
		now.err.Sent.Duration = s.client.clock.Now().Sub(s.begun)
		now.err.Proves.Unanswered = true
		now.err.Proves.Shared = s.client.Shared(now.err.Reason() + now.err.Said.Message)
		if next(s.request.class, now.outcome, remaining{mayRetry: true}) == retry && s.host.given == s.given {
			s.host.outage = true
		}
	}
}

// isAnswer reports whether the outcome shows that the host works, although it
// may not have done what was asked.
func (o outcome) isAnswer() bool {
	switch o {
	case interrupted, unreachable, neverSent, unanswered, timedOut, serverError, notImplemented:
		return false
	default:
		return true
	}
}

// patience is how long a storm of 429s may last before a request that changes
// nothing gives up.
const patience = 5 * time.Minute

var errStorm = errors.New("no request has had another answer for five minutes, so it was given up")

// answers records the answers of all hosts in this run. A storm is a time in
// which every answer is a 429.
type answers struct {
	found  atomic.Bool // see Found
	causes sync.Map    // shared causes of errors, by their reasons

	mutex    sync.Mutex
	since    time.Time // when the storm began; zero if there is none
	refusals int       // the 429s of the storm
	last     *reply.Error
	told     time.Time // when a person was last told of a storm
}

// Found reports whether the service has answered a request with the requested
// result.
func (a *answers) Found() bool { return a.found.Load() }

// Shared returns the cause that all errors with the same reason share.
func (a *answers) Shared(reason string) *reply.SharedCause {
	known, _ := a.causes.LoadOrStore(reason, &reply.SharedCause{})
	cause, _ := known.(*reply.SharedCause)
	return cause
}

// answered records an answer other than a 429, which ends the storm.
func (a *answers) answered() {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.since = time.Time{}
	a.refusals = 0
	a.last = nil
}

// refused counts a 429, and returns a line for a person: at the first, and then
// once a minute.
func (a *answers) refused(now time.Time, last *reply.Error) string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.last = last
	if a.since.IsZero() {
		a.since = now
	}
	a.refusals++
	if !a.told.IsZero() && now.Sub(a.told) < time.Minute {
		return ""
	}
	a.told = now
	if a.refusals == 1 {
		return fmt.Sprintf("The service limits requests (%d): all wait until it accepts them again. With "+
			"max_requests_per_minute it need not refuse any", last.Said.Status)
	}
	return fmt.Sprintf(
		"The service still limits requests: for %s it has answered nothing but %d, %d times",
		wait.Lasted(now.Sub(a.since)),
		last.Said.Status,
		a.refusals,
	)
}

// stormIsTooLong reports whether the storm has lasted too long for a request.
func (a *answers) stormIsTooLong(ctx context.Context, now time.Time) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return !a.since.IsZero() && now.Sub(a.since) >= patience && !isChange(ctx)
}

// stormError returns the error of a request that ends unanswered in a storm:
// the error of the last answer to any request. It is nil if there is no storm,
// or if the request ended for a different reason.
func (a *answers) stormError(err error) *reply.Error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.last == nil || reply.ErrorOf(err) != nil || !wait.IsCanceled(err) && !errors.Is(err, errStorm) {
		return nil
	}
	return &reply.Error{
		Sent: reply.Request{Operation: a.last.Sent.Operation},
		Said: reply.Answer{
			Status:  a.last.Said.Status,
			Code:    a.last.Said.Code,
			Message: a.last.Said.Message,
		},
		Proves: reply.Proof{Limited: true, Shared: a.last.Proves.Shared},
		Err:    err,
	}
}

// changeKey marks the requests of an apply.
type changeKey struct{}

// WithChange marks the requests with the returned context as part of a change
// at the service, which may have been paid for in part. In a storm, only the
// end of its time ends the change.
func WithChange(ctx context.Context) context.Context {
	return context.WithValue(ctx, changeKey{}, true)
}

func isChange(ctx context.Context) bool { return ctx.Value(changeKey{}) != nil || wait.IsPolling(ctx) }

package transport

import (
	"context"
	"errors"
	"net"
	"net/url"
	"sync"
	"syscall"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errWSARefused is Windows' ECONNREFUSED.
const errWSARefused = syscall.Errno(10061)

// host is what the client knows of one that it sends requests to.
type host struct {
	// address is its scheme and host: the rest of a URL may be secret.
	address string

	mutex   sync.Mutex
	answers int
	// outage is nil while the host works.
	outage *Outage
}

// Outage is the time from the failure of a request and all its retries, while
// the host answered nobody, to its next answer. Meanwhile other requests are
// not retried: they would fail as well, each after the same time.
type Outage struct{ SharedCause }

func newHost(address *url.URL) *host {
	return &host{address: (&url.URL{Scheme: address.Scheme, Host: address.Host}).String()}
}

// answered records an answer.
func (h *host) answered() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.answers++
	h.outage = nil
}

// state returns the number of answers so far, and the outage if there is one.
func (h *host) state() (answers int, now *Outage) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.answers, h.outage
}

// failed records a request that got no answer, with all its retries if it was
// persistent, since the host had given that many answers. It returns the outage
// that it is part of.
func (h *host) failed(err *Error, persistent bool, answers int) *Outage {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.outage != nil {
		return h.outage
	}
	begun := &Outage{SharedCause{operation: err.Operation, address: h.address, cause: err.cause()}}
	if persistent && h.answers == answers {
		h.outage = begun
	}
	return begun
}

// retries returns how often a request may be retried after the attempt. What is
// polled has been paid for: it outlasts outages. What hangs while nothing but the
// request's own time bounds it, as in a plan, would hang as long again.
func (s *sender) retries(ctx context.Context, now *attempt) int {
	most := int(s.client.config.MaxRetries)
	answers, outage := s.host.state()
	_, bounded := wait.Deadline(ctx)
	switch {
	case wait.IsPolling(ctx):
		return most
	case outage != nil:
		return 0
	case !bounded && s.request.class != idempotent && now.err != nil && errors.Is(now.err, errNoAnswer):
		return 0
	case answers == 0 && now.err != nil && isUnreachable(now.err):
		return min(most, 1) // probably, the address is wrong
	default:
		return most
	}
}

// isUnreachable reports a refused connection or an unknown host.
func isUnreachable(err error) bool {
	lookup, unknown := errors.AsType[*net.DNSError](err)
	return unknown && lookup.IsNotFound || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, errWSARefused)
}

// observe notes what the attempt, the last if step is stop, says about the
// host.
func (s *sender) observe(now *attempt, step step, past *history) {
	if now.outcome == abandoned {
		return
	}
	if now.outcome.isAnswer() {
		s.host.answered()
		return
	}
	if step != stop {
		return
	}
	now.err.Address, now.err.Attempts, now.err.Took = s.host.address, past.attempts, s.client.clock.Now().Sub(past.begun)
	again := next(s.request.class, now.outcome, leeway{mayRetry: true}) == retry
	persistent := again || now.outcome == hopeless
	now.err.Outage = s.host.failed(now.err, persistent, past.answers)
}

// isAnswer reports whether the host works, although it may not do what was
// asked.
func (o outcome) isAnswer() bool {
	switch o {
	case abandoned, hopeless, neverSent, lost, timedOut, serverError, notImplemented:
		return false
	default:
		return true
	}
}

// cause says briefly why there was no answer.
func (e *Error) cause() string {
	if e.Err != nil {
		return causeText(e.Err)
	}
	return statusText(e.Status)
}

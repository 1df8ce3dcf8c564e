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

// circuit is the circuit breaker of one host. It opens when a request fails with
// all its retries while the host answers nobody, and closes with the next answer.
// Open, it takes away retries and not the attempt: the other requests would fail
// as well, each after the same time.
type circuit struct {
	// address is the host's scheme and host: the rest of a URL may be secret.
	address string

	mutex   sync.Mutex
	answers int
	// open is why it is; nil while it is closed.
	open *SharedCause
}

func newCircuit(address *url.URL) *circuit {
	return &circuit{address: (&url.URL{Scheme: address.Scheme, Host: address.Host}).String()}
}

// answered closes the circuit.
func (c *circuit) answered() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.answers++
	c.open = nil
}

// state returns the number of answers so far, and whether the circuit is open.
func (c *circuit) state() (answers int, open bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.answers, c.open != nil
}

// failed records a request that got no answer, with all its retries if it was
// persistent, since the host had given that many answers. It returns the cause,
// which is that of all others while the circuit is open.
func (c *circuit) failed(persistent bool, answers int) *SharedCause {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.open != nil {
		return c.open
	}
	cause := &SharedCause{}
	if persistent && c.answers == answers {
		c.open = cause
	}
	return cause
}

// silence is an attempt without an answer, as far as its retries depend on it.
type silence struct {
	// polled: it was for something that has been paid for.
	polled bool
	// open: the circuit is. first: the host has not answered anybody yet.
	open, first bool
	// unreachable: the connection was refused, or there is no such host. hung:
	// no answer came within the time of an attempt, and nothing else bounds the
	// request, as in a plan.
	unreachable, hung bool
}

// retries is the circuit's decision: how often the request is retried in all. What
// is polled outlasts an open circuit. What hangs would hang as long again.
func (s silence) retries(most int64) int64 {
	switch {
	case s.polled:
		return most
	case s.open, s.hung:
		return 0
	case s.first && s.unreachable:
		return min(most, 1) // probably, the address is wrong
	default:
		return most
	}
}

// retriesAfter is how often the request may be retried after the attempt.
func (s *sender) retriesAfter(ctx context.Context, now *attempt) int64 {
	answers, open := s.circuit.state()
	_, bounded := wait.Deadline(ctx)
	hung := errors.Is(now.failed(), errNoAnswer) && !bounded && s.request.class != idempotent
	return silence{
		polled: wait.IsPolling(ctx), open: open, first: answers == 0, unreachable: isUnreachable(now.failed()), hung: hung,
	}.retries(s.client.config.MaxRetries)
}

// isUnreachable reports a refused connection or an unknown host.
func isUnreachable(err error) bool {
	lookup, unknown := errors.AsType[*net.DNSError](err)
	return unknown && lookup.IsNotFound || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, errWSARefused)
}

// observe tells the circuit how an attempt has ended, the last if step is stop. A
// request that the policy would not have retried does not open it.
func (s *sender) observe(now *attempt, step step) {
	switch {
	case now.outcome == abandoned:
	case now.outcome.isAnswer():
		s.circuit.answered()
	case step == stop:
		persistent := now.outcome == hopeless || next(s.request.class, now.outcome, leeway{mayRetry: true}) == retry
		now.err.Address, now.err.Attempts, now.err.Took = s.circuit.address, s.attempts, s.client.clock.Now().Sub(s.begun)
		now.err.Unanswered, now.err.Shared = true, s.circuit.failed(persistent, s.answers)
	}
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

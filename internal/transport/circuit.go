package transport

import (
	"context"
	"errors"
	"net/url"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// circuit is the circuit breaker of one host. It opens when a request fails with
// all its retries while the host answers nobody, and closes with the next answer.
// Open, it takes away retries and not the attempt: the other requests would fail
// as well, each after the same time.
type circuit struct {
	// address is the host's scheme and host: the rest of a URL may be secret.
	address string

	mutex   sync.Mutex
	answers int
	open    bool
}

func newCircuit(address *url.URL) *circuit {
	return &circuit{address: (&url.URL{Scheme: address.Scheme, Host: address.Host}).String()}
}

// answered closes the circuit.
func (c *circuit) answered() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.answers++
	c.open = false
}

// state returns the number of answers so far, and whether the circuit is open.
func (c *circuit) state() (answers int, open bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.answers, c.open
}

// failed records a request that failed with all its retries, since the host had
// given that many answers.
func (c *circuit) failed(answers int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.open = c.open || c.answers == answers
}

// retriesAfter is how often the request may be retried after the attempt. What is
// polled was paid for: it outlasts an open circuit.
func (s *sender) retriesAfter(ctx context.Context, now *attempt) int64 {
	most := s.client.config.MaxRetries
	answers, open := s.circuit.state()
	_, bounded := wait.Deadline(ctx)
	switch hung := errors.Is(now.failed(), reply.ErrNoAnswer) && !bounded && s.request.class != idempotent; {
	case wait.IsPolling(ctx):
		return most
	case open, hung: // as in a plan, it would hang as long again
		return 0
	case answers == 0 && reply.IsNobodyThere(now.failed()): // probably, the address is wrong
		return min(most, 1)
	default:
		return most
	}
}

// observe tells the circuit how an attempt has ended, the last if step is stop. A
// request that the policy would not have retried does not open it.
func (s *sender) observe(now *attempt, step step) {
	switch {
	case now.outcome == abandoned:
	case now.outcome.isAnswer():
		s.circuit.answered()
	case step == stop:
		now.err.Address, now.err.Attempts, now.err.Took = s.circuit.address, s.attempts, s.client.clock.Now().Sub(s.begun)
		now.err.Unanswered, now.err.Shared = true, s.client.Shared(now.err.Reason()+now.err.Message)
		if next(s.request.class, now.outcome, leeway{mayRetry: true}) == retry {
			s.circuit.failed(s.answers)
		}
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

// Shared is the cause that an error has in common with those for the same reason.
func (c *Client) Shared(reason string) *reply.SharedCause {
	known, _ := c.causes.LoadOrStore(reason, &reply.SharedCause{})
	cause, _ := known.(*reply.SharedCause)
	return cause
}

package transport

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// sender sends one request, in as many attempts as its class allows.
type sender struct {
	client  *Client
	request *Request
	gate    *gate
	circuit *circuit
	header  http.Header
	timeout time.Duration
	pool    http.RoundTripper
	// credential authorizes API requests; nil for the token requests themselves.
	credential *tokenSource
}

// history is what the previous attempts of a request leave for the next.
type history struct {
	// begun is when the first attempt began; answers is how many the host had
	// given before.
	begun    time.Time
	answers  int
	attempts int
	// retries counts those that the client's maximum limits.
	retries   int64
	redirects int
	// renewed: the token was rejected once and then renewed.
	renewed bool
	// refusedSince is when the first 429 arrived.
	refusedSince time.Time
	// notBefore is when the next attempt may be made.
	notBefore time.Time
	// last is the last failure: an attempt that was not sent keeps the reply
	// of the one before.
	last *Error
}

// send makes attempts until the retry policy ends it. If the reply says that the
// request has failed, it returns both the reply and an error.
func (s *sender) send(ctx context.Context, address *url.URL) (Object, error) {
	if !s.request.paid {
		bounded, end := wait.Bound(ctx, s.client.clock)
		defer end()
		ctx = bounded
	}
	past := history{begun: s.client.clock.Now()}
	past.answers, _ = s.circuit.state()
	for {
		now := s.attempt(ctx, address, &past)
		s.conclude(now)
		s.log(ctx, now, &past)
		step := next(s.request.class, now.outcome, s.leeway(ctx, now, &past))
		s.observe(now, step, &past)
		if step == stop {
			return now.reply, now.failed()
		}
		s.prepareFor(step, now, &past)
		if ctx.Err() != nil {
			// The reply asked for another attempt, but ctx has ended.
			now.err.Err = canceled(ctx)
			return nil, now.err
		}
		if isOneAttempt(ctx) && step != follow {
			return nil, now.err
		}
		if past.last = now.err; step == renew || step == follow {
			past.last = nil
		}
		if step == follow {
			address = now.location
		}
	}
}

// conclude says what is known of the attempt's effect.
func (s *sender) conclude(now *attempt) {
	effect := effectOf(ending{
		class: s.request.class, outcome: now.outcome, sent: now.sent, whole: !now.incomplete,
		counted: s.request.receipt.isCounted(now.reply), named: now.err != nil && len(now.err.IDs) > 0,
	})
	switch {
	case now.err == nil:
	case effect == OutcomeAccepted:
		now.outcome, now.err = succeeded, nil
	default:
		now.err.Outcome = effect
	}
}

// leeway returns what the policy considers besides the outcome.
func (s *sender) leeway(ctx context.Context, now *attempt, past *history) leeway {
	_, bounded := wait.Deadline(ctx)
	return leeway{
		mayRenew:  s.credential != nil && s.credential.renewable() && !past.renewed,
		mayFollow: past.redirects < maxRedirects && now.location != nil,
		mayRetry:  past.retries < s.retries(ctx, now),
		mayWait:   bounded || past.refusedSince.IsZero() || s.client.clock.Now().Sub(past.refusedSince) < maxRefused,
	}
}

// prepareFor prepares another attempt.
func (s *sender) prepareFor(step step, now *attempt, past *history) {
	switch step {
	case renew:
		s.credential.reject(now.token)
		past.renewed = true
	case follow:
		past.redirects++
	case yield:
		if past.refusedSince.IsZero() {
			past.refusedSince = s.client.clock.Now()
		}
		s.gate.refused(now.asked, s.client.config.Backoff)
	case retry:
		if now.asked > 0 {
			s.gate.cool(now.asked)
		} else {
			past.notBefore = s.client.clock.Now().Add(s.client.config.Backoff(int(past.retries)))
		}
		past.retries++
	case stop:
	}
}

// log logs the attempt: nothing in it can be a secret.
func (s *sender) log(ctx context.Context, now *attempt, past *history) {
	if s.client.config.Log == nil || now.begun.IsZero() {
		return
	}
	fields := map[string]any{
		"method": s.request.method, "route": s.request.route, "attempt": past.attempts,
		"status": now.status, "milliseconds": time.Since(now.begun).Milliseconds(),
	}
	if len(s.request.ids) > 0 {
		fields["ids"] = strings.Join(s.request.ids, ", ")
	}
	if now.err != nil && now.err.Err != nil {
		fields["error"] = causeText(now.err.Err)
	}
	s.client.config.Log(ctx, "Sent a request", fields)
}

package transport

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// sender sends a request, in as many attempts as its class allows.
type sender struct {
	client  *Client
	request *Request
	address *url.URL
	host    *host
	header  http.Header
	timeout time.Duration
	pool    http.RoundTripper
	// bearer returns the service's token, or, in a request for a token, the
	// proof of who asks; nil if none is sent.
	bearer func(context.Context) (Token, error)

	// The other fields are left by each attempt for the next.
	begun        time.Time // when the first attempt began
	given        int       // how many answers the host had given before
	attempts     int
	retries      int64 // the retries that count against the client's maximum
	redirects    int
	renewed      bool      // a 401 or 403 rejected the token, which was then renewed
	refusedSince time.Time // when the first 429 arrived
	busySince    time.Time // when the first answer said that the object is busy
	notBefore    time.Time // when the next attempt may be made
	// last is the last failure. An attempt that was not sent keeps the reply of
	// the attempt before.
	last *reply.Error
}

// Do sends the request and returns the decoded reply. If the reply says that
// the request has failed, Do returns both the reply and an error. Every error
// is a *reply.Error.
func (c *Client) Do(ctx context.Context, request *Request) (reply.Object, error) {
	if c.config.IsOffline() {
		return nil, c.notSent(request)
	}
	address, err := request.address(c.config.BaseURL)
	if err != nil {
		return nil, &reply.Error{Sent: reply.Request{Operation: request.Operation()}, Err: err}
	}
	header := http.Header{"Accept": {"application/json"}}
	if request.body.contentType != "" {
		header.Set("Content-Type", request.body.contentType)
	}
	sender := &sender{
		client:  c,
		request: request,
		address: address,
		host:    c.host,
		header:  header,
		timeout: c.config.RequestTimeout,
		pool:    c.transportFor(request.method, IsAfresh(ctx)),
		bearer:  c.token,
	}
	if request.class == once {
		sender.timeout = c.config.PaidRequestTimeout // variant: slow-batch
	}
	return sender.send(ctx)
}

// notSent returns the error of a request in a run that intentionally has no
// credential.
func (c *Client) notSent(request *Request) *reply.Error {
	return &reply.Error{
		Sent:   reply.Request{Operation: request.Operation()},
		Proves: reply.Proof{Shared: c.Shared(reply.ErrOffline.Error())},
		Err:    reply.ErrOffline,
	}
}

// send makes attempts until the retry policy ends the request.
func (s *sender) send(ctx context.Context) (reply.Object, error) {
	if !s.request.makes {
		bounded, end := wait.Bound(ctx, s.client.clock)
		defer end()
		ctx = bounded
	}
	s.begun = s.client.clock.Now()
	s.given, _ = s.host.state()
	for {
		now := s.attempt(ctx)
		s.conclude(now)
		s.noteToken(now)
		s.noteBusy(now)
		s.log(ctx, now)
		step := next(s.request.class, now.outcome, s.remaining(ctx, now))
		s.observe(now, step)
		if step == stop {
			s.sayBusy(ctx, now)
			return now.reply, now.failed()
		}
		s.prepareFor(ctx, step, now)
		if ctx.Err() != nil { // the reply asked for another attempt
			now.err.Err = wait.Ended(ctx)
			return nil, now.err
		}
		if persistenceOf(ctx) == sentOnce && step != follow {
			return nil, now.err
		}
	}
}

// conclude notes the known effect of the attempt.
func (s *sender) conclude(now *attempt) {
	effect := effectOf(ending{
		class:   s.request.class,
		outcome: now.outcome,
		sent:    now.connected,
		whole:   !now.incomplete,
		counted: s.request.receipt.IsCounted(now.reply),
		named:   now.err != nil && len(now.err.Said.IDs) > 0,
	})
	switch {
	case now.err == nil:
	case effect == reply.EffectAccepted:
		now.outcome = succeeded
		now.err = nil
	default:
		now.err.Proves.Effect = effect
	}
}

// remaining returns the policy's inputs besides the outcome.
func (s *sender) remaining(ctx context.Context, now *attempt) remaining {
	_, bounded := wait.Deadline(ctx)
	return remaining{
		mayRenew:  s.mayRenew(ctx, now),
		mayFollow: s.redirects < maxRedirects && now.location != nil,
		mayRetry:  s.retries < s.retriesAfter(ctx, now),
		mayWait:   bounded || s.refusedSince.IsZero() || s.client.clock.Now().Sub(s.refusedSince) < maxRefused,
		mayAwait:  s.client.clock.Now().Before(s.busyUntil(ctx)),
	}
}

// mayRenew reports whether a new token may be requested. Some gateways answer
// an expired token with a 403. A 403 may also mean that the caller has no right
// to the object. A best-effort read does not try.
func (s *sender) mayRenew(ctx context.Context, now *attempt) bool {
	canRenew := s.request.class != token && s.client.Credential.CanRenew() && !s.renewed
	if !canRenew || now.outcome != forbidden {
		return canRenew
	}
	return persistenceOf(ctx) != sentOnce && s.client.Credential.MayRenew(now.token, now.err.Said.NamesToken())
}

// noteToken notes the answer's verdict on the token that was used.
func (s *sender) noteToken(now *attempt) {
	switch {
	case s.request.class == token:
	case reply.IsSuccess(now.status):
		s.client.Credential.Accept(now.token)
	case now.outcome == forbidden && s.renewed:
		s.client.Credential.NoteStillRefused(now.token)
	}
}

// prepareFor prepares the next attempt. The limiter keeps the time in
// Retry-After, because it is meant for all requests.
func (s *sender) prepareFor(ctx context.Context, step step, now *attempt) {
	s.last = now.err
	switch step {
	case renew:
		s.client.Credential.Reject(now.token)
		s.renewed = true
		s.last = nil
	case follow:
		s.redirects++
		s.address = now.location
		s.last = nil
	case waitForService:
		if s.refusedSince.IsZero() {
			s.refusedSince = s.client.clock.Now()
		}
		s.host.limiter.refused(now.retryAfter, s.client.config.Backoff)
	case retry:
		if now.retryAfter > 0 {
			s.host.limiter.backOff(now.retryAfter)
		} else {
			s.notBefore = s.client.clock.Now().Add(s.client.config.Backoff(int(s.retries)))
		}
		s.retries++
	case await:
		s.awaitTurn(ctx, now.retryAfter)
	case stop:
	}
}

// log logs the attempt. Nothing in the line can be a secret.
func (s *sender) log(ctx context.Context, now *attempt) {
	if s.client.config.Log == nil || now.begun.IsZero() {
		return
	}
	fields := map[string]any{
		"method": s.request.method, "route": s.request.route, "attempt": s.attempts,
		"status": now.status, "milliseconds": time.Since(now.begun).Milliseconds(),
	}
	if len(s.request.ids) > 0 {
		fields["ids"] = strings.Join(s.request.ids, ", ")
	}
	if now.err != nil && now.err.Err != nil {
		fields["error"] = reply.CauseText(now.err.Err)
	}
	s.client.config.Log(ctx, "Sent a request", fields)
}

package transport

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	maxReply     = 32 << 20
	maxErrorBody = 64 << 10 // only the beginning of a larger body is read
	maxRedirects = 5
)

// attempt is a single sending of a request, with its result.
type attempt struct {
	outcome    outcome
	begun      time.Time // zero if it never passed the rate limiter
	token      Token
	status     int           // 0 means no reply
	retryAfter time.Duration // from Retry-After
	location   *url.URL      // of a redirect within the same origin
	// connected is true if there was a connection, and incomplete if the end of
	// the request was withheld.
	connected, incomplete bool
	reply                 reply.Object
	err                   *reply.Error
}

// failed returns the attempt's error as an interface, which is nil after a
// success.
func (a *attempt) failed() error {
	if a.err == nil {
		return nil
	}
	return a.err
}

// attempt sends the request once, and returns the result.
func (s *sender) attempt(ctx context.Context) *attempt {
	now := &attempt{}
	outgoing, err := s.prepare(ctx, now)
	if err != nil {
		now.outcome = interrupted
		now.err = s.unanswered(err, now)
		return now
	}
	s.attempts++
	now.begun = time.Now()
	bounded, end := s.bound(ctx)
	defer end()
	file, _ := outgoing.Body.(*fileReader)
	if file != nil {
		file.over = bounded.Done()
	}
	var sent atomic.Bool
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
	response, err := s.pool.RoundTrip(outgoing.WithContext(httptrace.WithClientTrace(bounded, trace)))
	now.connected = sent.Load()
	if err != nil {
		var problem error
		now.incomplete, problem = file.stop()
		now.err = s.unanswered(cmp.Or(problem, s.explain(bounded, err)), now)
		now.outcome = outcomeWithoutAnswer(now, problem)
		return now
	}
	defer func() { _ = response.Body.Close() }()
	s.receive(bounded, response, file, now)
	if now.outcome != tooManyRequests {
		s.host.limiter.answered()
		s.client.answered()
	} else if line := s.client.refused(s.client.clock.Now(), now.err); line != "" && s.client.config.Inform != nil {
		s.client.config.Inform(ctx, line)
	}
	return now
}

// prepare waits for the rate limiter first, and asks for the token afterwards: a
// token could expire during the wait.
func (s *sender) prepare(ctx context.Context, now *attempt) (*http.Request, error) {
	if err := s.host.limiter.waitTurn(ctx, s.notBefore); err != nil {
		return nil, err
	}
	outgoing, err := http.NewRequestWithContext(ctx, s.request.method, s.address.String(), http.NoBody)
	if err != nil {
		return nil, plain(err)
	}
	outgoing.Header = s.header.Clone()
	outgoing.Header.Set("User-Agent", s.client.config.UserAgent)
	if s.bearer != nil {
		now.token, err = s.bearer(ctx)
		if err != nil {
			return nil, err
		}
		outgoing.Header.Set("Authorization", "Bearer "+now.token.Value)
	}
	if s.request.body.open != nil {
		outgoing.Body, err = s.request.body.open()
		if err != nil {
			return nil, err
		}
		outgoing.ContentLength = s.request.body.size
	}
	return outgoing, nil
}

// bound limits an attempt in real time, in addition to the remaining time of
// its operation: see send. A request that makes something outlives its operation
// by wait.Grace.
func (s *sender) bound(parent context.Context) (context.Context, func()) {
	if !s.request.makes {
		return context.WithTimeoutCause(parent, s.timeout, reply.ErrNoAnswer)
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	timer := time.AfterFunc(s.timeout, func() { cancel(reply.ErrNoAnswer) })
	stop := context.AfterFunc(parent, func() {
		time.AfterFunc(wait.Grace, func() { cancel(wait.Ended(parent)) })
	})
	return ctx, func() {
		stop()
		timer.Stop()
		cancel(nil)
	}
}

// explain gives the reason why an attempt failed, because a bare "context
// deadline exceeded" helps nobody.
func (s *sender) explain(ctx context.Context, err error) error {
	switch cause := context.Cause(ctx); {
	case cause == nil && s.request.class == token:
		return withoutQuotes(reply.InWords(plain(err)))
	case cause == nil:
		return reply.InWords(plain(err))
	case errors.Is(cause, reply.ErrNoAnswer):
		name := "request_timeout"
		if s.request.class == once {
			name = "paid_request_timeout"
		}
		return fmt.Errorf("%w within %s (%s)", reply.ErrNoAnswer, s.timeout, name)
	}
	err = wait.Ended(ctx)
	if timeout, is := errors.AsType[*wait.TimeoutError](err); is {
		return &wait.TimeoutError{
			After:   timeout.After,
			Setting: timeout.Setting,
			Last:    reply.ErrNoAnswer,
		}
	}
	return err
}

// unanswered returns the error of an attempt without a reply. It contains the
// service's last reply, if any.
func (s *sender) unanswered(err error, now *attempt) *reply.Error {
	failure := &reply.Error{Sent: reply.Request{Operation: s.request.Operation()}, Said: reply.Answer{By: s.request.by}}
	if s.last != nil && (s.request.class != once || !now.connected) {
		last := *s.last
		failure = &last
	} else if other := s.client.stormError(err); other != nil && s.request.class != once {
		failure = other
	}
	failure.Sent.Connected = now.connected
	failure.Err = err
	if text := s.client.secrets.Redact(err.Error()); text != err.Error() {
		failure.Err = reply.WithText(text, err)
	}
	if inner := reply.ErrorOf(err); inner != nil {
		failure.Sent.Credential = inner.Sent.Credential
		failure.Proves.Unanswered = inner.Proves.Unanswered
		failure.Proves.Shared = inner.Proves.Shared
	}
	return failure
}

// plain removes the address from an error, because the address of a token
// provider may contain secrets.
func plain(err error) error {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		return wrapped.Err
	}
	return err
}

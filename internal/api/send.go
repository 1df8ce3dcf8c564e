package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// maxReply is the largest reply that is read.
	maxReply = 32 << 20
	// maxErrorBody is as much of an error body as is looked at.
	maxErrorBody = 64 << 10
	maxRedirects = 5
)

var errNoAnswer = errors.New("no answer in time")

// sending is one call on its way: its attempts, the waits between them, and
// the last answer. It is the http.Client's transport, so that redirects pass
// the gate too.
type sending struct {
	client    *Client
	call      *call
	gate      *gate
	header    http.Header
	timeout   time.Duration
	transport http.RoundTripper
	// credential authorizes API requests; nil for the token requests themselves.
	credential *tokenSource

	attempts, failures int
	// refusedSince is when the first 429 came.
	refusedSince, notBefore time.Time
	token                   issuedToken
	renewed                 bool

	// Of the current attempt:
	begun  time.Time
	status int
	sent   *atomic.Bool
	file   *fileReader // that is being sent
	// attempted: the gate was passed. received: there is an answer. broken: its
	// body ended early. incomplete: the end of the request was held back from the
	// service. settled: this is the end, whatever the class.
	attempted, received, broken, incomplete, settled bool
	// failure is the last one; an attempt that never left keeps the answer of the
	// one before.
	failure *Error
	reply   object
}

// run sends the call until its class says that it is over. The loop is
// retryablehttp's; what is repeated and how long it waits is ours.
func (s *sending) run(ctx context.Context, address *url.URL) error {
	request, err := http.NewRequestWithContext(ctx, s.call.method, address.String(), nil)
	if err != nil {
		return &Error{Operation: s.call.operation(), Err: plain(err)}
	}
	retryable, err := retryablehttp.FromRequest(request)
	if err != nil {
		return &Error{Operation: s.call.operation(), Err: err}
	}
	retryable.SetResponseHandler(s.receive)
	loop := &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: s, CheckRedirect: s.redirect},
		RetryMax:     math.MaxInt,
		CheckRetry:   s.again,
		Backoff:      func(time.Duration, time.Duration, int, *http.Response) time.Duration { return 0 },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	response, err := loop.Do(retryable)
	if response != nil {
		_ = response.Body.Close()
	}
	if err == nil {
		return nil
	}
	if s.failure == nil {
		s.failure = s.fail(err)
	}
	if !s.settled && ctx.Err() != nil && !IsCanceled(s.failure) {
		// The last answer asked for another attempt, which the end of ctx prevented.
		s.failure.Err = canceled(ctx)
	}
	return s.failure
}

// RoundTrip makes one attempt, once the gate is open.
func (s *sending) RoundTrip(request *http.Request) (*http.Response, error) {
	s.attempted, s.received, s.broken, s.status, s.sent = false, false, false, 0, new(atomic.Bool)
	outgoing, err := s.prepare(request)
	if err != nil {
		s.settled = true
		return nil, err
	}
	s.attempted, s.begun = true, time.Now()
	s.attempts++
	ctx, end := s.attemptContext(request.Context())
	if file, is := outgoing.Body.(*fileReader); is {
		s.file, file.over = file, ctx.Done()
	}
	sent := s.sent
	trace := &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { sent.Store(true) }}
	response, err := s.transport.RoundTrip(outgoing.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if err != nil {
		err = cmp.Or(s.stop(), s.explain(ctx, err))
		end()
		return nil, err
	}
	response.Body = &body{ReadCloser: response.Body, end: end, explain: func(err error) error { return s.explain(ctx, err) }}
	return response, nil
}

// prepare waits for token and gate. The token comes first, for a wrong
// credential should not use up the limit; and again after the gate, for it may
// have expired meanwhile.
func (s *sending) prepare(request *http.Request) (*http.Request, error) {
	ctx := request.Context()
	if err := s.authorize(ctx); err != nil {
		return nil, err
	}
	if err := s.gate.pass(ctx, s.notBefore); err != nil {
		return nil, err
	}
	if err := s.authorize(ctx); err != nil {
		return nil, err
	}
	outgoing := request.Clone(ctx)
	outgoing.Header = s.header.Clone()
	outgoing.Header.Set("User-Agent", s.client.config.UserAgent)
	if s.credential != nil {
		outgoing.Header.Set("Authorization", "Bearer "+s.token.Value)
	}
	if s.call.body.open != nil {
		body, err := s.call.body.open()
		if err != nil {
			return nil, err
		}
		outgoing.Body, outgoing.ContentLength = body, s.call.body.size
	}
	return outgoing, nil
}

func (s *sending) authorize(ctx context.Context) (err error) {
	if s.credential != nil {
		s.token, err = s.credential.get(ctx)
	}
	return err
}

// attemptContext bounds one attempt in real time. That of a paid request
// outlives its operation by wait.Grace: an answer tells what was bought.
func (s *sending) attemptContext(parent context.Context) (context.Context, func()) {
	if !s.call.detached {
		ctx, cancel := context.WithTimeoutCause(parent, s.timeout, errNoAnswer)
		return ctx, cancel
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	patience := time.AfterFunc(s.timeout, func() { cancel(errNoAnswer) })
	stop := context.AfterFunc(parent, func() {
		time.AfterFunc(wait.Grace, func() { cancel(canceled(parent)) })
	})
	return ctx, func() {
		stop()
		patience.Stop()
		cancel(nil)
	}
}

// explain says why an attempt failed: a bare "context deadline exceeded" says
// nothing to anybody.
func (s *sending) explain(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case cause == nil:
		return err
	case errors.Is(cause, errNoAnswer):
		name := "request_timeout"
		if s.call.class == once {
			name = "paid_request_timeout"
		}
		return fmt.Errorf("no answer within %s (%s)", s.timeout, name)
	default:
		return &wait.CanceledError{Cause: cause}
	}
}

// redirect follows a GET within its own origin. Everything else gets the 3xx
// as its answer: no token and no body goes to where it was not meant for.
func (s *sending) redirect(next *http.Request, via []*http.Request) error {
	first := via[0].URL
	if s.call.class != read || len(via) > maxRedirects || next.URL.Scheme != first.Scheme || next.URL.Host != first.Host {
		return http.ErrUseLastResponse
	}
	return nil
}

// body ends the attempt's context when the reply has been read.
type body struct {
	io.ReadCloser
	end     func()
	explain func(error) error
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.explain(err)
	}
	return n, err
}

func (b *body) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// stop sends no more of a file. It returns why the file gave out, if it did.
func (s *sending) stop() (problem error) {
	if s.file != nil {
		s.incomplete, problem = s.file.stop()
	}
	s.settled = s.settled || problem != nil
	return problem
}

func canceled(ctx context.Context) error { return &wait.CanceledError{Cause: context.Cause(ctx)} }

// plain takes the address out of an error: it is in the operation already, and
// a token provider's may carry secrets.
func plain(err error) error {
	if wrapped, is := errors.AsType[*url.Error](err); is {
		return wrapped.Err
	}
	return err
}

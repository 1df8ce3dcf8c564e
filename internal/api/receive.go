package api

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

var (
	errTooLarge = errors.New("the reply is larger than 32 MiB")
	errNotReply = errors.New("the reply has none of the fields that it should have")

	errNotFollowed = errors.New("the redirect was not followed")
	// errIncomplete is about a success too: what the service got was not all.
	errIncomplete = errors.New("the service answered before the request was complete")
)

// receive reads an answer and judges it.
func (s *sending) receive(response *http.Response) error {
	defer func() { _ = response.Body.Close() }()
	s.received, s.status = true, response.StatusCode
	success := response.StatusCode >= 200 && response.StatusCode < 300
	limit := int64(maxErrorBody)
	if success {
		limit = maxReply
	} else if problem := s.stop(); problem != nil {
		return problem
	}
	content, err := io.ReadAll(s.call.source(io.LimitReader(response.Body, limit+1)))
	if s.call.class == token {
		return s.receiveToken(response, content, limit, err)
	}
	if !success {
		// What arrived of an error body is told, even if the rest is lost.
		content = content[:min(int64(len(content)), limit)]
		return s.refused(response, content)
	}
	if int64(len(content)) > limit {
		err, content = errTooLarge, nil
	}
	if problem := s.stop(); problem != nil {
		return problem
	}
	if s.incomplete {
		return s.unreadable(response, content, errIncomplete)
	}
	if err != nil {
		s.broken = true
		return s.unreadable(response, nil, err)
	}
	if len(content) == 0 && s.call.empty {
		s.reply = object{}
		return nil
	}
	reply, err := s.call.decode(content)
	if err != nil {
		return s.unreadable(response, content, err)
	}
	return s.judge(response, reply)
}

// judge looks for a failure inside a 2xx.
func (s *sending) judge(response *http.Response, reply object) error {
	fits, said := reply.has(s.call.expected...), reply.flag("success")
	failed := said != nil && !*said && (s.call.class != read || !fits) || reply.wording("error") != nil && !fits
	switch {
	case failed:
		s.settled, s.reply = true, reply
		failure := s.answer(response)
		failure.describe(s.client.secrets.redact, reply)
		return failure
	case s.call.class == once && !fits && !reply.has("success", "group_id"):
		return s.unreadable(response, []byte(normalise(map[string]any(reply))), errNotReply)
	default:
		s.reply = reply
		return nil
	}
}

func (s *sending) refused(response *http.Response, content []byte) error {
	failure := s.answer(response)
	failure.read(s.client.secrets.redact, response.Header.Get("Content-Type"), content)
	failure.testify(response, content)
	if isRedirect(response.StatusCode) {
		failure.Err = errNotFollowed
	}
	if s.doubtful() && (response.StatusCode < 400 || response.StatusCode == http.StatusRequestTimeout || response.StatusCode >= 500) {
		failure.Outcome = OutcomeUnknown
	}
	if response.StatusCode == http.StatusUnauthorized && s.credential != nil {
		failure.Credential = s.credential.name
	}
	return failure
}

func isRedirect(status int) bool { return status >= 300 && status < 400 }

// doubtful tells that the service may have processed a POST unless it says
// otherwise: it was handed all of it.
func (s *sending) doubtful() bool { return s.call.class == once && !s.incomplete }

// unreadable is a 2xx of which it cannot be known what it says.
func (s *sending) unreadable(response *http.Response, content []byte, err error) error {
	failure := s.answer(response)
	if content = content[:min(len(content), maxErrorBody)]; len(content) > 0 {
		failure.Message = excerpt(s.client.secrets.redact(string(content)), response.Header.Get("Content-Type"))
	}
	failure.Err = err
	if s.doubtful() {
		failure.Outcome = OutcomeUnknown
	}
	return failure
}

func (s *sending) answer(response *http.Response) *Error {
	return &Error{Operation: s.call.operation(), Status: response.StatusCode, Sent: true}
}

// fail makes an *Error of an attempt without an answer. The service's last
// answer stays in it.
func (s *sending) fail(err error) *Error {
	if err = plain(err); s.call.class == token {
		err = unquoted(err)
	}
	failure := &Error{Operation: s.call.operation()}
	sent := s.sent != nil && s.sent.Load()
	if s.failure != nil && (s.call.class != once || !sent) {
		last := *s.failure
		failure = &last
	}
	failure.Outcome, failure.Sent, failure.Err = OutcomeKnown, sent, redacted(s.client.secrets.redact, err)
	if sent && s.doubtful() {
		failure.Outcome = OutcomeUnknown
	}
	if inner, is := errors.AsType[*Error](err); is {
		failure.Credential = inner.Credential
	}
	return failure
}

// log writes the attempt's line: nothing of it can be a secret.
func (s *sending) log(ctx context.Context, failure *Error) {
	if s.client.config.Log == nil {
		return
	}
	fields := map[string]any{
		"method": s.call.method, "route": s.call.route, "attempt": s.attempts,
		"status": s.status, "milliseconds": time.Since(s.begun).Milliseconds(),
	}
	if failure != nil && failure.Err != nil {
		fields["error"] = causeText(failure.Err)
	}
	s.client.config.Log(ctx, "Sent a request", fields)
}

// redactedError shows a cause without the secrets that it may repeat.
type redactedError struct {
	text  string
	cause error
}

func (e *redactedError) Error() string { return e.text }
func (e *redactedError) Unwrap() error { return e.cause }

func redacted(redact func(string) string, err error) error {
	if text := redact(err.Error()); text != err.Error() {
		return &redactedError{text: text, cause: err}
	}
	return err
}

package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
)

var (
	errTooLarge = errors.New("the reply is larger than 32 MiB")
	errNotReply = errors.New("the reply has none of the fields that it should have")
	errNoResult = errors.New("the reply has no result")

	errNotFollowed = errors.New("the redirect was not followed")
	// errIncomplete also applies to a success: the service did not receive
	// everything.
	errIncomplete = errors.New("the service answered before the request was complete")
)

// receive reads and judges a reply.
func (s *sender) receive(ctx context.Context, response *http.Response, file *fileReader, now *attempt, past *history) {
	now.status, now.sent = response.StatusCode, true
	now.asked = retryAfter(response.Header.Get("Retry-After"), s.client.clock.Now())
	if s.request.date != nil {
		*s.request.date, _ = http.ParseTime(response.Header.Get("Date"))
	}
	success := isSuccess(response.StatusCode)
	limit := int64(maxErrorBody)
	var problem error
	if success {
		limit = maxReply
	} else {
		problem = now.stop(file)
	}
	content, err := io.ReadAll(s.request.source(io.LimitReader(response.Body, limit+1)))
	if err != nil {
		err = s.explain(ctx, err)
	}
	if success {
		problem = now.stop(file)
	}
	switch {
	case problem != nil:
		now.outcome, now.err = abandoned, s.unanswered(problem, now, past)
	case s.request.class == token:
		s.receiveToken(response, content, limit, err, now)
	case success:
		s.accept(response, content, limit, err, now)
	default:
		// What arrived of an error body is reported, even if the rest is lost.
		s.refuse(response, content[:min(int64(len(content)), limit)], now)
	}
}

func isSuccess(status int) bool { return status >= 200 && status < 300 }

// accept reads a 2xx.
func (s *sender) accept(response *http.Response, content []byte, limit int64, err error, now *attempt) {
	switch {
	case now.incomplete:
		s.garble(response, content, errIncomplete, refused, now)
		return
	case int64(len(content)) > limit:
		s.garble(response, nil, errTooLarge, oversized, now)
		return
	case err != nil:
		if reply, whole := s.request.joined(content); whole {
			s.judge(response, reply, now)
			return
		}
		s.garble(response, nil, err, cutOff, now)
		return
	case len(content) == 0 && s.request.empty:
		now.reply = Object{}
		return
	}
	reply, err := s.request.decode(content)
	if err != nil {
		s.garble(response, content, err, garbled, now)
		return
	}
	s.judge(response, reply, now)
}

// judge checks a 2xx for a failure.
func (s *sender) judge(response *http.Response, reply Object, now *attempt) {
	switch {
	case s.request.Denies(reply):
		now.outcome, now.reply, now.err = declined, reply, s.answer(response)
		now.err.describe(s.client.secrets.redact, reply)
		for _, id := range s.request.receipt.ids(reply) {
			now.err.IDs = append(now.err.IDs, Sanitize(s.client.secrets.redact(id), maxExcerpt))
		}
	case s.request.class == once && !reply.Has(s.request.expected...) && !reply.Has("success", "group_id"):
		s.garble(response, []byte(Normalise(map[string]any(reply))), errNotReply, garbled, now)
	default:
		now.reply = reply
		s.client.found.Store(true)
	}
}

// refuse reads a reply that is not a success.
func (s *sender) refuse(response *http.Response, content []byte, now *attempt) {
	failure := s.answer(response)
	failure.read(s.client.secrets.redact, response.Header.Get("Content-Type"), content)
	failure.testify(response, content)
	now.outcome, now.err = outcomeOf(response.StatusCode), failure
	if isRedirect(response.StatusCode) {
		now.outcome, now.location = redirected, redirectOf(response)
		failure.Err = errNotFollowed
	}
	if now.outcome == unauthorized && s.credential != nil {
		s.credential.blame(failure, s.circuit.address)
	}
	failure.Alone = failure.Absence != AbsenceUnsaid && !s.client.found.Load()
}

func isRedirect(status int) bool { return status >= 300 && status < 400 }

// redirectOf returns where a redirect leads, if that is within its own origin:
// tokens and bodies are sent nowhere else. Otherwise it is nil.
func redirectOf(response *http.Response) *url.URL {
	from := response.Request.URL
	to, err := from.Parse(response.Header.Get("Location"))
	known := response.StatusCode != http.StatusNotModified && response.Header.Get("Location") != ""
	if err != nil || !known || to.Scheme != from.Scheme || to.Host != from.Host {
		return nil
	}
	return to
}

// garble handles a 2xx that cannot be understood.
func (s *sender) garble(response *http.Response, content []byte, err error, how outcome, now *attempt) {
	failure := s.answer(response)
	if content = content[:min(len(content), maxErrorBody)]; len(content) > 0 {
		failure.Message = excerpt(s.client.secrets.redact(string(content)), response.Header.Get("Content-Type"))
	}
	failure.Err, failure.NoJSON = err, how == garbled
	now.outcome, now.err = how, failure
}

func (s *sender) answer(response *http.Response) *Error {
	return &Error{Operation: s.request.Operation(), Status: response.StatusCode, Sent: true}
}

// WithoutResult returns the error of a 2xx without the requested result, which
// may still come, and may have been charged. A reply that names an error has
// failed.
func (c *Client) WithoutResult(request *Request, reply Object) error {
	failure, how := &Error{Operation: request.Operation(), Sent: true, Err: errNoResult}, garbled
	failure.describe(c.secrets.redact, reply)
	if reply.Wording("error") != nil {
		how = declined
	}
	failure.Outcome = effectOf(ending{class: request.class, outcome: how, sent: true, whole: true})
	return failure
}

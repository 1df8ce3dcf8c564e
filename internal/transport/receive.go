package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
)

// errIncomplete also applies to a success: the service did not receive
// everything.
var errIncomplete = errors.New("the service answered before the request was complete")

// receive reads and judges a reply.
func (s *sender) receive(ctx context.Context, response *http.Response, file *fileReader, now *attempt) {
	now.status, now.sent = response.StatusCode, true
	now.asked = retryAfter(response.Header.Get("Retry-After"), s.client.clock.Now())
	limit := int64(maxReply)
	if !isSuccess(response.StatusCode) {
		limit = maxErrorBody
		_, _ = file.stop() // a success may begin before the upload ends
	}
	content, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		err = s.explain(ctx, err)
	}
	var problem error
	now.incomplete, problem = file.stop()
	switch {
	case problem != nil:
		now.outcome, now.err = abandoned, s.unanswered(problem, now)
	case isSuccess(response.StatusCode):
		s.accept(response, content, err, now)
	default:
		// What arrived of an error body is reported, even if the rest is lost.
		s.refuse(response, content, now)
	}
}

func isSuccess(status int) bool { return status >= 200 && status < 300 } // variant: code-202

// accept reads a 2xx, which broke off if there is an error, and checks it for a
// failure.
func (s *sender) accept(response *http.Response, content []byte, broken error, now *attempt) {
	fail := func(how outcome, err error) {
		now.outcome, now.err = how, s.answer(response, content)
		now.err.Err, now.err.NoJSON = err, how == garbled
	}
	reply, err := s.request.decode(content)
	switch {
	case now.incomplete:
		fail(refused, errIncomplete)
	case len(content) > maxReply:
		fail(oversized, errors.New("the reply is larger than 32 MiB"))
	case broken != nil:
		fail(cutOff, broken)
	case len(content) == 0 && s.request.mayBeEmpty(): // variant: code-204
		now.reply = Object{}
	case err != nil:
		fail(garbled, err)
	case s.request.Denies(reply): // variant: success-false
		now.outcome, now.reply, now.err = declined, reply, s.answer(response, nil)
		now.err.describe(s.client.secrets.redact, reply, s.client.config.NamedIDs)
		for _, id := range s.request.receipt.ids(reply) {
			now.err.IDs = append(now.err.IDs, Sanitize(s.client.secrets.redact(id), maxExcerpt))
		}
	case s.request.class == once && !reply.Has(s.request.expected...) && !reply.Has("success"):
		fail(garbled, errors.New("the reply has none of the fields that it should have"))
	default:
		now.reply = reply
		if s.credential != nil { // a token is not what was asked for
			s.client.found.Store(true)
		}
	}
}

// refuse reads a reply that is not a success.
func (s *sender) refuse(response *http.Response, content []byte, now *attempt) {
	failure := s.answer(response, content)
	now.outcome, now.err = outcomeOf(response.StatusCode), failure
	if s.request.optional && isMissing(response.StatusCode) {
		now.outcome, failure.Missing, failure.lacks = refused, true, s.request.lacking()
		failure.Shared = s.client.shared(s.request.method + s.request.route)
	}
	if isRedirect(response.StatusCode) {
		now.outcome, now.location = redirected, redirectOf(response)
		failure.Err = errors.New("the redirect was not followed")
	}
	if s.credential == nil {
		return
	}
	switch failure.Status {
	case http.StatusUnauthorized:
		failure.Credential, failure.Shared = s.credential.name, s.client.shared(failure.cause())
	case http.StatusPaymentRequired, http.StatusTooManyRequests:
		failure.Shared = s.client.shared(failure.cause())
	}
	failure.readNotFound(response, content)
	failure.Alone = failure.NotFound != NotFoundUnsaid && !s.client.found.Load()
}

// answer is the error of a reply, with what may be shown of it.
func (s *sender) answer(response *http.Response, content []byte) *Error {
	failure := &Error{Operation: s.request.Operation(), Status: response.StatusCode, Sent: true, by: s.request.by}
	content = content[:min(len(content), maxErrorBody)]
	show, contentType := s.client.secrets.redact, response.Header.Get("Content-Type")
	switch {
	case s.request.class == token:
		show = s.client.secrets.harmless
		failure.quote(show, content)
	case isSuccess(response.StatusCode):
		failure.Message = excerpt(show(string(content)), contentType)
	default:
		failure.read(show, contentType, content, s.client.config.NamedIDs)
	}
	if content != nil && failure.Code == "" && failure.Message == "" && len(failure.Fields) == 0 {
		failure.form = formOf(show, contentType, content)
	}
	return failure
}

func isRedirect(status int) bool { return status >= 300 && status < 400 }

// redirectOf returns where a redirect leads, if that is within its own origin:
// tokens and bodies are sent nowhere else. Otherwise it is nil.
func redirectOf(response *http.Response) *url.URL {
	from := response.Request.URL
	to, err := response.Location()
	if err != nil || response.StatusCode == http.StatusNotModified || to.Scheme != from.Scheme || to.Host != from.Host {
		return nil
	}
	return to
}

// WithoutResult returns the error of a 2xx without the requested result, which
// may still come, and may have been charged. A reply that names an error has
// failed.
func (c *Client) WithoutResult(request *Request, reply Object) error {
	failure, how := &Error{Operation: request.Operation(), Sent: true, Err: errors.New("the reply has no result")}, garbled
	failure.describe(c.secrets.redact, reply, c.config.NamedIDs)
	if reply.Wording("error") != nil {
		how = declined
	}
	failure.Effect = effectOf(ending{class: request.class, outcome: how, sent: true, whole: true})
	return failure
}

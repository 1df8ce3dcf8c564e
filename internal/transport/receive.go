package transport

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// errIncomplete is an error even after a success: the service did not receive
// everything.
var errIncomplete = errors.New("the service answered before the request was complete")

// receive reads the answer to an attempt and decides its outcome. A reply is
// read to its end even if it comes before the upload has ended, because it may
// be the only reply.
func (s *sender) receive(ctx context.Context, response *http.Response, file *fileReader, now *attempt) {
	now.status = response.StatusCode
	now.connected = true
	now.retryAfter = retryAfter(response.Header.Get("Retry-After"), s.client.clock.Now())
	limit := int64(maxReply)
	if !reply.IsSuccess(response.StatusCode) {
		limit = maxErrorBody
		_, _ = file.stop() // a success may begin before the upload ends
	}
	content, err := readBody(response, limit)
	if err != nil {
		err = s.explain(ctx, err)
	}
	var problem error
	now.incomplete, problem = file.stop()
	switch {
	case problem != nil:
		now.outcome = interrupted
		now.err = s.unanswered(problem, now)
	case reply.IsSuccess(response.StatusCode):
		s.accept(response, content, err, now)
	default: // the part of an error body that arrived is reported, even if the rest is lost
		s.refuse(response, content, now)
	}
}

// readBody reads one byte more than the limit, if there is a limit. After a 101
// the connection stays open, and its bytes are no reply.
func readBody(response *http.Response, limit int64) ([]byte, error) {
	if response.StatusCode < http.StatusOK {
		return nil, nil
	}
	return io.ReadAll(io.LimitReader(response.Body, limit+1))
}

// accept reads a 2xx, which may have broken off, and checks whether it says
// that the request has failed.
func (s *sender) accept(response *http.Response, content []byte, broken error, now *attempt) {
	is, said, problem := s.bodyOfSuccess(content, broken, now)
	now.outcome = meaning(s.answerOf(response, is))
	switch now.outcome {
	case succeeded:
		now.reply = said
		isFound := is == result && s.request.class != token // a token is not a result of the service
		if isFound {
			s.client.found.Store(true)
		}
	case saidFailed, tooManyRequests:
		now.reply = said
		now.err = s.denied(response, content, said)
		if now.outcome == tooManyRequests {
			s.noteLimit(now.err)
		}
	default:
		now.err = s.read(response, content)
		now.err.Err = problem
		now.err.Said.Foreign = now.outcome == unreadable && !reply.Holds(content, s.ownFields()...)
		if s.request.makes && now.outcome != refused {
			arrived := s.client.throughDoor(reply.Salvage(content), content)
			now.err.Said.Salvage(s.client.secrets.Redact, arrived, s.request.receipt, s.client.config.NamedIDs)
		}
	}
}

// denied returns the error of a 2xx that says that the request has failed.
func (s *sender) denied(response *http.Response, content []byte, said reply.Object) *reply.Error {
	if s.request.class == token {
		return s.read(response, content)
	}
	failure := s.answer(response.StatusCode)
	failure.Said.Describe(s.client.secrets.Redact, said, s.client.config.NamedIDs)
	failure.Said.Quote(s.client.secrets.Redact, s.request.receipt.IDs(said))
	return failure
}

// refuse reads a reply that is not a success.
func (s *sender) refuse(response *http.Response, content []byte, now *attempt) {
	failure := s.read(response, content)
	now.err = failure
	now.outcome = meaning(s.answerOf(response, s.bodyOfError(content, failure)))
	switch now.outcome {
	case redirected, sentElsewhere:
		place := placeOf(response)
		failure.Err = s.notFollowed(place)
		from := response.Request.URL
		// Tokens and bodies are sent to no other origin.
		if place != nil && place.Scheme == from.Scheme && place.Host == from.Host {
			now.location = place
		}
	case tooManyRequests:
		s.noteLimit(failure)
		return
	case refused:
		if s.request.optional && slices.Contains(lackingStatuses, response.StatusCode) {
			failure.Proves.Lacks = "this deployment does not offer " + s.request.Operation()
			failure.Proves.Instead = s.request.instead
			failure.Sent.HasIDs = len(s.request.ids) > 0
			failure.Proves.Shared = s.client.Shared(s.request.method + s.request.route)
		}
	default:
	}
	if s.request.class == token {
		return
	}
	switch failure.Said.Status {
	case http.StatusUnauthorized:
		failure.Sent.Credential = s.client.Credential.Name
		failure.Proves.Shared = s.client.Shared(failure.Reason())
	case http.StatusPaymentRequired, http.StatusForbidden:
		failure.Proves.Shared = s.client.Shared(failure.Refusal())
	}
	failure.Proves.Alone = failure.Proves.NotFound != reply.NotFoundNone && !s.client.Found()
}

// noteLimit marks an error as a reached limit of requests, whatever its status:
// it says nothing about the object.
func (s *sender) noteLimit(failure *reply.Error) {
	failure.Proves.Limited = true
	failure.Proves.NotFound = reply.NotFoundNone
	if s.request.class != token {
		failure.Proves.Shared = s.client.Shared(failure.Refusal())
	}
}

// answer returns an error with a status.
func (s *sender) answer(status int) *reply.Error {
	return &reply.Error{
		Sent: reply.Request{Operation: s.request.Operation(), Connected: true},
		Said: reply.Answer{
			Status: status,
			Host:   s.address.Host,
			By:     s.request.by,
		},
	}
}

// read returns the error of a reply, with the parts of its body that may be
// shown.
func (s *sender) read(response *http.Response, content []byte) *reply.Error {
	failure := s.answer(response.StatusCode)
	contentType := response.Header.Get("Content-Type")
	content = content[:min(len(content), maxErrorBody)]
	if s.request.class == token {
		failure.Said.ReadToken(s.client.secrets.RedactTokenReply, contentType, content)
	} else {
		failure.Read(s.client.secrets.Redact, contentType, content, s.client.config.NamedIDs)
	}
	return failure
}

// throughDoor removes from an object's texts everything that must not be stored
// or shown. It looks for secrets only if the body has any.
func (c *Client) throughDoor(said reply.Object, content []byte) reply.Object {
	if c.secrets.AreIn(string(content)) {
		return said.ThroughDoor(c.secrets.Withhold)
	}
	return said.ThroughDoor(func(text string) string { return text })
}

// WithoutResult returns the error of a 2xx without the requested result. The
// result may still come, and may have been charged. A reply that names an error
// has failed.
func (c *Client) WithoutResult(request *Request, said reply.Object) error {
	failure := &reply.Error{
		Sent: reply.Request{Operation: request.Operation(), Connected: true},
		Err:  errors.New("the reply has no result"),
	}
	how := unreadable
	failure.Said.Describe(c.secrets.Redact, said, c.config.NamedIDs)
	if said.ErrorText("error") != nil {
		how = saidFailed
	}
	failure.Proves.Effect = effectOf(ending{
		class:   request.class,
		outcome: how,
		sent:    true,
		whole:   true,
	})
	return failure
}

// SaysFailed reports whether a 2xx says that the request has failed. Results in
// the reply count more than an `error` field.
func (r *Request) SaysFailed(said reply.Object) bool {
	fits := said.Has(r.expected...)
	success := said.Flag("success")
	if r.receipt.ID != "" {
		fits = reply.Object{r.receipt.Results: said[r.receipt.Results]}.Says()
	}
	denied := success != nil && !*success
	isMeant := r.class != read || !fits
	hasError := said.ErrorText("error") != nil && !fits
	return denied && isMeant || hasError
}

package transport

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// The meaning of an answer depends on all of it: its status, its headers and
// its body. These are read here, and meaning is the only table that decides by
// them the outcome of an attempt.

// answer is the evidence for the outcome of an attempt: properties of its
// request and of the answer.
type answer struct {
	class Class
	// For makes see Request.Makes, for optional Request.Optional. mayRenew is
	// true if a new token may be requested.
	makes, optional, mayRenew bool

	status int
	hint   hint
	moved  bool // the Location header names an address
	body   body
}

// hint is what the headers say about a limit of requests.
type hint int

const (
	noHint    hint = iota
	askedWait      // a Retry-After that is not in the past
	exhausted      // no request remains
)

// body is the kind of an answer's body, or why there is none.
type body int

const (
	result       body = iota // an object; for a POST, an object with the expected fields
	acknowledged             // a confirmation, and nothing else
	denial                   // a 2xx whose body says that the request has failed
	limiting                 // an error about a limit of requests
	bought                   // an error that counts or names objects that may have been bought
	lacking                  // an object without any of the expected fields
	garbled                  // anything else
	brokenOff                // its end is missing
	oversized
	early // the answer came before the request was complete
)

// meaning is the table of outcomes.
func meaning(of answer) outcome {
	switch {
	case of.isLimit():
		return tooManyRequests
	case reply.IsSuccess(of.status):
		return meaningOfSuccess(of)
	case of.optional && slices.Contains(lackingStatuses, of.status):
		return refused
	default:
		return meaningOfStatus(of)
	}
}

// isLimit reports whether an answer says that too many requests were sent, so
// that this request was not processed. A request that makes something is sent
// again only after such an answer. Other answers do not count, because the service
// may have accepted the request: a 408, a 503, an answer that counts or names
// purchases, or a conflict that may be with this very request.
func (of answer) isLimit() bool {
	isHinted := of.hint != noHint
	isError := of.status >= 400 && of.status < 500
	switch {
	case of.status == http.StatusTooManyRequests:
		return true
	case reply.IsSuccess(of.status):
		return of.body == limiting
	case of.class == once && of.body == bought:
		return false
	case of.status == http.StatusUnauthorized && of.mayRenew: // a new token is tried first
		return false
	case of.status == http.StatusRequestTimeout, of.status == http.StatusServiceUnavailable:
		return of.class != once && (isHinted || isError && of.body == limiting)
	case reply.IsBusyStatus(of.status) && (of.class == once || of.class == idempotent):
		return of.hint == exhausted || of.body == limiting // a Retry-After is about the object
	default:
		return isError && (isHinted || of.body == limiting)
	}
}

// meaningOfSuccess decides about a 2xx.
func meaningOfSuccess(of answer) outcome {
	needsNothing := of.class == idempotent || of.class == once && !of.makes // variant: code-204
	switch of.body {
	case result:
		return succeeded
	case acknowledged:
		if needsNothing {
			return succeeded
		}
		return unreadable
	case denial:
		return saidFailed // variant: success-false
	case brokenOff:
		return cutOff
	case oversized:
		return tooLarge
	case early:
		return refused
	default:
		return unreadable
	}
}

// meaningOfStatus decides about every other answer. Only a 4xx other than a 408
// refuses, and a 307 or 308 that names where to send the request instead.
func meaningOfStatus(of answer) outcome {
	status := of.status
	switch {
	case status == http.StatusUnauthorized:
		return unauthorized
	case status == http.StatusForbidden:
		return forbidden
	case reply.IsBusyStatus(status):
		return busy
	case status == http.StatusRequestTimeout:
		return timedOut
	case status == http.StatusNotImplemented:
		return notImplemented
	case status >= 500:
		return serverError
	case status >= 400:
		return refused
	case isUnprocessed(status) && of.moved && of.body != bought:
		return sentElsewhere
	case status >= 300:
		return redirected
	default: // no answer may end with a 1xx: after a 101 a purchase was once made twice
		return unreadable
	}
}

// lackingStatuses are the statuses of a missing endpoint.
var lackingStatuses = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}

// hintOf reads the headers about a limit of requests.
func hintOf(header http.Header, now time.Time) hint {
	switch {
	case isNoneLeft(header):
		return exhausted
	case asksToWait(header.Get("Retry-After"), now):
		return askedWait
	default:
		return noHint
	}
}

// noneRemains matches a RateLimit field without remaining requests, in the form
// of each of its drafts.
var noneRemains = regexp.MustCompile(`(?i)(?:^|[;,\s])(?:r|remaining)\s*=\s*0+\s*(?:[;,]|$)`)

// isNoneLeft reports whether no request remains of at least one limit.
func isNoneLeft(header http.Header) bool {
	if slices.ContainsFunc(header.Values("RateLimit"), noneRemains.MatchString) {
		return true
	}
	counts := slices.Concat(header.Values("X-RateLimit-Remaining"), header.Values("RateLimit-Remaining"))
	for count := range strings.SplitSeq(strings.Join(counts, ","), ",") {
		count, _, _ = strings.Cut(count, ";")
		remaining, err := strconv.ParseFloat(strings.TrimSpace(count), 64)
		if err == nil && remaining == 0 {
			return true
		}
	}
	return false
}

// asksToWait reports whether a Retry-After, in seconds or as a date, is not in
// the past.
func asksToWait(value string, now time.Time) bool {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return seconds >= 0
	}
	date, err := http.ParseTime(value)
	return err == nil && !date.Before(now.Truncate(time.Second))
}

// isUnprocessed reports whether a redirect asks for the same request at a
// different address, and so has not processed it. After a 301, 302 or 303 a
// POST becomes a GET, which may show the object that the POST has made.
func isUnprocessed(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// placeOf returns the target of a redirect; nil if it names no address. A 304
// is no redirect.
func placeOf(response *http.Response) *url.URL {
	to, err := response.Location()
	isRedirect := response.StatusCode >= 300 && response.StatusCode < 400
	if err != nil || to.Host == "" || !isRedirect || response.StatusCode == http.StatusNotModified {
		return nil
	}
	return to
}

// notFollowed returns an error that names the target of a redirect: the user
// only needs to configure that address. The query and the user info may be
// secret, and are left out.
func (s *sender) notFollowed(to *url.URL) error {
	if to == nil {
		return errors.New("the redirect was not followed")
	}
	origin := url.URL{Scheme: to.Scheme, Host: to.Host}
	path := to.EscapedPath()
	if s.request.class == token {
		path = s.client.secrets.RedactTokenReply(path)
	}
	return fmt.Errorf("the redirect to %s was not followed", s.client.secrets.Redact(origin.String()+path))
}

// answerOf returns the evidence of an answer whose body has been read.
func (s *sender) answerOf(response *http.Response, is body) answer {
	return answer{
		class:    s.request.class,
		makes:    s.request.makes,
		optional: s.request.optional,
		mayRenew: s.request.class != token && s.client.Credential.CanRenew() && !s.renewed,
		status:   response.StatusCode,
		hint:     hintOf(response.Header, s.client.clock.Now()),
		moved:    placeOf(response) != nil,
		body:     is,
	}
}

// errNothing says that an object has none of the fields that it should have.
var errNothing = errors.New("the reply has none of the fields that it should have")

// bodyOfSuccess reads a 2xx, which may have broken off. It returns the kind of
// its body, its object, and the reason if the body is not the requested one.
func (s *sender) bodyOfSuccess(content []byte, broken error, now *attempt) (body, reply.Object, error) {
	switch {
	case now.incomplete:
		return early, nil, errIncomplete
	case len(content) > maxReply:
		return oversized, nil, errors.New("the reply is larger than 32 MiB")
	case broken != nil:
		return brokenOff, nil, broken
	}
	said, err := reply.DecodeFirst(content)
	if s.request.class == token {
		token, err := readToken(content, s.request.expected[0])
		switch {
		case err == nil:
			return s.bodyOfObject(token), token, nil
		case reply.SpeaksOfLimit(said):
			return limiting, nil, err
		default:
			return garbled, nil, err
		}
	}
	said = s.client.throughDoor(said, content)
	switch {
	case reply.IsAcknowledgement(content):
		return acknowledged, reply.Object{}, cmp.Or(err, errNothing)
	case s.isReceipt(said, err):
		return result, said, nil
	case err != nil:
		return garbled, nil, err
	default:
		return s.bodyOfObject(said), said, errNothing
	}
}

// isReceipt reports whether the reply to a POST is a complete object with
// further bytes behind it. Such an object counts. For a read it does not,
// because the read can be sent again, and for a refusal it proves nothing.
func (s *sender) isReceipt(said reply.Object, err error) bool {
	return s.request.class == once && reply.IsFollowed(err) && s.bodyOfObject(said) == result
}

// ownFields returns the fields by which an answer is recognised as the
// service's.
func (s *sender) ownFields() []string {
	return slices.Concat(s.request.expected, s.client.config.NamedIDs)
}

// bodyOfObject returns the kind of a 2xx's object.
func (s *sender) bodyOfObject(said reply.Object) body {
	has := said.Has(s.request.expected...)
	mayBeBought := s.request.makes && (has || s.hasBought(said))
	switch {
	case s.request.SaysFailed(said) && reply.SpeaksOfLimit(said) && !mayBeBought:
		return limiting
	case s.request.SaysFailed(said):
		return denial
	case s.request.class == once && !has && !said.Has("success"):
		return lacking
	default:
		return result
	}
}

// bodyOfError returns the kind of any other answer's body.
func (s *sender) bodyOfError(content []byte, failure *reply.Error) body {
	said, err := reply.DecodeObject(content)
	if err != nil {
		said = reply.Salvage(content)
	}
	switch {
	case s.hasBought(said):
		return bought
	case reply.SpeaksOfLimit(said), err != nil && failure.Said.SpeaksOfLimit(content):
		return limiting
	default:
		return garbled
	}
}

// hasBought reports whether an object counts or names things that may have been
// bought.
func (s *sender) hasBought(said reply.Object) bool {
	return s.request.receipt.IsCounted(said) || len(s.request.receipt.IDs(said)) > 0
}

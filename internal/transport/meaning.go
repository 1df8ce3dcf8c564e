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

// An answer means what all of it says: its status, its headers and its body.
// They are read here, and meaning is the one table that decides by them what
// the attempt was.

// answer is what an answer says of its attempt, and what it answers.
type answer struct {
	class Class
	// paid: see Request.Paid. optional: see Request.Optional. mayRenew: another
	// token may be asked for.
	paid, optional, mayRenew bool

	status int
	hint   hint
	moved  bool // the Location header names an address
	body   body
}

// hint is what the headers say of a limit of requests.
type hint int

const (
	noHint    hint = iota
	askedWait      // a Retry-After that is not in the past
	exhausted      // no request remains
)

// body is what a body is, or what became of it.
type body int

const (
	result       body = iota // an object; of a POST, with what it should have
	acknowledged             // that it was done, and nothing else
	denial                   // a 2xx that says that the request has failed
	limiting                 // an error that speaks of a limit of requests
	bought                   // an error that counts or names what may have been bought
	lacking                  // an object that has nothing of what it should have
	garbled                  // anything else
	brokenOff                // its end is missing
	oversized
	early // it came before the request was complete
)

// meaning is the table.
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

// isLimit reports an answer that says that too many requests were sent, so that
// this one was not processed. Nothing else has a paid request sent again that
// the service may have taken: no 408 or 503, none that counts or names what was
// bought, and no conflict that may be with that very request.
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
	case of.status == http.StatusUnauthorized && of.mayRenew: // which is tried first
		return false
	case of.status == http.StatusRequestTimeout, of.status == http.StatusServiceUnavailable:
		return of.class != once && (isHinted || isError && of.body == limiting)
	case reply.IsBusyStatus(of.status) && (of.class == once || of.class == idempotent):
		return of.hint == exhausted || of.body == limiting // a Retry-After is about the object
	default:
		return isError && (isHinted || of.body == limiting)
	}
}

// meaningOfSuccess is about a 2xx.
func meaningOfSuccess(of answer) outcome {
	needsNothing := of.class == idempotent || of.class == once && !of.paid // variant: code-204
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

// meaningOfStatus is about every other answer. Only a 4xx refuses, but for a
// 408, and a 307 or 308 that says where to send the request instead.
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
	default: // no answer ends with a 1xx: a 101 was bought twice
		return unreadable
	}
}

// lackingStatuses are those of an endpoint that is not there.
var lackingStatuses = []int{http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented}

// hintOf reads the headers that speak of a limit of requests.
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

// noneRemains matches a RateLimit field without requests left, in the form of
// each of its drafts.
var noneRemains = regexp.MustCompile(`(?i)(?:^|[;,\s])(?:r|remaining)\s*=\s*0+\s*(?:[;,]|$)`)

// isNoneLeft reports that no request remains, of one limit at least.
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

// asksToWait reports a Retry-After that is not in the past, in seconds or as a
// date.
func asksToWait(value string, now time.Time) bool {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return seconds >= 0
	}
	date, err := http.ParseTime(value)
	return err == nil && !date.Before(now.Truncate(time.Second))
}

// isUnprocessed reports a redirect that has the same request sent elsewhere,
// and so has not processed it. After a 301, 302 or 303 a POST becomes a GET,
// which may show what the POST has made.
func isUnprocessed(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// placeOf is where a redirect points, nil if it names no address. A 304
// redirects nobody.
func placeOf(response *http.Response) *url.URL {
	to, err := response.Location()
	isRedirect := response.StatusCode >= 300 && response.StatusCode < 400
	if err != nil || to.Host == "" || !isRedirect || response.StatusCode == http.StatusNotModified {
		return nil
	}
	return to
}

// notFollowed names where a redirect points: to take that as the address is the
// whole cure. What a query or a user's part holds may be secret.
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

// answerOf is an answer whose body has been read.
func (s *sender) answerOf(response *http.Response, is body) answer {
	return answer{
		class:    s.request.class,
		paid:     s.request.paid,
		optional: s.request.optional,
		mayRenew: s.request.class != token && s.client.Credential.CanRenew() && !s.renewed,
		status:   response.StatusCode,
		hint:     hintOf(response.Header, s.client.clock.Now()),
		moved:    placeOf(response) != nil,
		body:     is,
	}
}

// errNothing is about an object without any of the fields that it should have.
var errNothing = errors.New("the reply has none of the fields that it should have")

// bodyOfSuccess reads a 2xx, which may have broken off: what its body is, what
// it holds, and why that is not what was asked for.
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

// isReceipt reports an object of a POST that is whole, with something behind it:
// what it says counts. A read is sent again instead, and a refusal that goes on
// proves nothing.
func (s *sender) isReceipt(said reply.Object, err error) bool {
	return s.request.class == once && reply.IsFollowed(err) && s.bodyOfObject(said) == result
}

// ownFields are the fields by which an answer is known as the service's.
func (s *sender) ownFields() []string {
	return slices.Concat(s.request.expected, s.client.config.NamedIDs)
}

// bodyOfObject is what the object of a 2xx is.
func (s *sender) bodyOfObject(said reply.Object) body {
	has := said.Has(s.request.expected...)
	mayBeBought := s.request.paid && (has || s.hasBought(said))
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

// bodyOfError is what the body of any other answer is.
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

// hasBought reports whether an object counts or names what may have been
// bought.
func (s *sender) hasBought(said reply.Object) bool {
	return s.request.receipt.IsCounted(said) || len(s.request.receipt.IDs(said)) > 0
}

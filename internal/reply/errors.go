package reply

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Effect is what is known of the effect of a POST.
type Effect int

// How far a POST may have been processed.
const (
	EffectNone     Effect = iota // it was not: it was refused, not sent, or not received as a whole
	EffectUnknown                // it may have been, and must not be sent again
	EffectAccepted               // it was
)

// NotFound says what a reply proves about a missing object.
type NotFound int

// A 404 may come from a gateway, which knows no object at all.
const (
	NotFoundNone     NotFound = iota // every reply but a 404 and a 410
	NotFoundUnproven                 // a 404 or 410 that anything on the way may have sent
	// NotFoundProven is a 404 or 410 with the interface's own error body, a
	// JSON object with an error text, or a complete list that lacks the object.
	NotFoundProven
)

// Error is a request that did not succeed: what was sent, what was said, and
// what that proves.
type Error struct {
	Sent   Request
	Said   Answer
	Proves Proof
	// Err is the cause: why there was no reply, or it could not be read, or
	// there was no retry.
	Err error
}

// Request is what was sent.
type Request struct {
	// Operation is the method and the path, as in "POST /generation/batch"; of
	// a request for a token the whole address.
	Operation string
	// Address is the scheme and host that did not answer, Attempts how often
	// the request was sent.
	Address  string
	Attempts int
	Duration time.Duration
	// Connected: the last attempt had a connection, so that part of it may have
	// been sent.
	Connected bool
	HasIDs    bool // the path names an object, which may be why nothing was found
	// Credential is the provider attribute of the credential that was used, as
	// in "api_key". It is set on a 401, and if there is no token.
	Credential string
}

// Answer is what was said, sanitized and without secrets.
type Answer struct {
	Status int // of the last reply; 0 means there was none
	// Form is how a reply looked that has no readable text.
	Code, Message, Form string
	By                  string            // who answered; empty is the service
	Host                string            // where the reply came from
	Named               map[string]string // the ids that the error body names, by field
	Fields              []FieldError      // those of the request that the service rejects
	// IDs are those of what a paid request may have made, if its reply names
	// them and yet says that it has failed, or is cut off or broken. Counts are
	// what such a reply counts as bought.
	IDs, Counts []string
	// Arrived is what can be read of the reply to a paid request that is cut
	// off or broken.
	Arrived Object
	// Foreign: a 2xx whose body cannot be read, and has none of the service's
	// fields.
	Foreign bool
}

// Proof is what an error proves.
type Proof struct {
	NotFound NotFound // of the requested object
	Effect   Effect   // of a POST
	// Unanswered: the host gave no answer, to this request or to that for its
	// token.
	Unanswered bool
	// Alone is true for a 404 if nothing that the client has asked for was
	// found so far: the address may be wrong, and not the object gone.
	Alone bool
	// Limited: the account sends too many requests, whatever the status is.
	Limited bool
	// Lacks says which endpoint the service may lack; empty if it has it.
	// Instead is a sentence that says what to do without it, if there is
	// something.
	Lacks, Instead string
	Shared         *SharedCause // nil if there is none
}

// FieldError is an error about one field of a request.
type FieldError struct {
	Path    []string // the nested field names and indices, outermost first
	Message string   // the service's
}

// Error returns one line for people: the cause, where it was met, and what is
// known of the effect.
func (e *Error) Error() string {
	var notes []string
	for _, name := range slices.Sorted(maps.Keys(e.Said.Named)) {
		notes = append(notes, fmt.Sprintf("%s %q", name, e.Said.Named[name]))
	}
	var ids []string
	for _, id := range e.Said.IDs {
		ids = append(ids, strconv.Quote(id))
	}
	if len(ids) > 0 {
		notes = append(notes, "it names "+strings.Join(atMost(maxListed, ids), ", "))
	}
	notes = append(notes, e.Said.Counts...)
	switch {
	case e.Sent.Address == "":
	case e.Sent.Attempts == 1:
		notes = append(notes, "sent once, to "+e.Sent.Address)
	default:
		notes = append(
			notes,
			fmt.Sprintf(
				"sent %d times within %s, to %s",
				e.Sent.Attempts,
				wait.Lasted(e.Sent.Duration),
				e.Sent.Address,
			),
		)
	}
	operation := e.Sent.Operation
	if e.Proves.Lacks != "" || ErrorOf(e.Err) != nil {
		operation = "" // they name it, or their own
	}
	text := e.inWords(append([]string{operation, e.Said.Form}, notes...)...)
	if e.Proves.Effect == EffectUnknown {
		text += UnknownEffect
	}
	return text
}

// UnknownEffect ends the text of an error after which nobody knows whether the
// request was processed. What says that itself cuts it off.
const UnknownEffect = "; it is not known whether the service has processed the request"

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// OfObject takes a reply to be about the object, and not about the endpoint.
func (e *Error) OfObject() {
	e.Proves.Lacks = ""
	e.Proves.Shared = nil
}

// IsNotFound reports whether the reply was a 404 or 410, or showed the object
// as deleted. It only helps to blame an attribute; Judge decides whether
// something is gone.
func IsNotFound(err error) bool { return errorOrEmpty(err).Proves.NotFound != NotFoundNone }

// IsBusyStatus reports whether a status says that something else is going on
// with the object, so that the same request may succeed later: 409, 423, 425.
func IsBusyStatus(status int) bool {
	return slices.Contains([]int{http.StatusConflict, http.StatusLocked, http.StatusTooEarly}, status)
}

// IsBusy reports whether the service answered with such a status.
func IsBusy(err error) bool { return IsBusyStatus(Status(err)) && !IsLimited(err) }

// LacksEndpoint reports whether the service may lack the endpoint, and so has
// done nothing.
func LacksEndpoint(err error) bool { return errorOrEmpty(err).Proves.Lacks != "" }

// IsUnauthorized reports whether the service, or what issues its tokens,
// rejected the credential.
func IsUnauthorized(err error) bool {
	return Status(err) == http.StatusUnauthorized && !IsLimited(err)
}

// IsLimited reports whether the last reply said that too many requests are
// sent.
func IsLimited(err error) bool { return root(err).isLimited() }

func (e *Error) isLimited() bool {
	return e.Proves.Limited || e.Said.Status == http.StatusTooManyRequests
}

// NamesToken reports whether what the service says is about a token.
func (a *Answer) NamesToken() bool {
	text := strings.ToLower(a.Code + " " + a.Message)
	return strings.Contains(text, "token") || strings.Contains(text, "jwt")
}

// IsTokenNotFound reports whether there is no such address as that of the token.
func IsTokenNotFound(err error) bool {
	return Status(err) == http.StatusNotFound && root(err).Sent.Credential != ""
}

// IsUnreachable reports whether the host gave no answer, or that of a gateway
// for it. Of a POST that may have been processed, nobody knows.
func IsUnreachable(err error) bool {
	failure := root(err)
	isGateways := failure.Said.Status == 0 || failure.Said.Status > http.StatusNotImplemented
	return failure.Proves.Unanswered && isGateways && !IsEffectUnknown(err)
}

// IsEffectUnknown reports whether a POST may have been processed.
func IsEffectUnknown(err error) bool { return errorOrEmpty(err).Proves.Effect == EffectUnknown }

// IsRefused reports whether the service itself refused a POST, which is all
// that anybody knows about it. What was not sent was not refused.
func IsRefused(err error) bool {
	failure := errorOrEmpty(err)
	return failure.Proves.Effect == EffectNone && (failure.Sent.Connected || failure.Said.Status != 0)
}

// Status is that of the last reply, which may be to the request for a token; 0
// means there was none.
func Status(err error) int { return root(err).Said.Status }

// ErrorOf returns the outermost *Error, nil if there is none.
func ErrorOf(err error) *Error {
	failure, _ := errors.AsType[*Error](err)
	return failure
}

// errorOrEmpty is ErrorOf, an empty one if there is none.
func errorOrEmpty(err error) *Error { return cmp.Or(ErrorOf(err), &Error{}) }

// root returns the innermost *Error, an empty one if there is none: why there
// is no token, if so.
func root(err error) *Error {
	innermost := errorOrEmpty(err)
	for failure := ErrorOf(innermost.Err); failure != nil; failure = ErrorOf(failure.Err) {
		innermost = failure
	}
	return innermost
}

// IsUntrusted reports whether the peer's certificate could not be verified, so
// nothing was sent.
func IsUntrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}

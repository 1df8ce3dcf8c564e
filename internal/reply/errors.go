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

// Effect is the known effect of a POST.
type Effect int

// Whether a POST may have been processed.
const (
	EffectNone     Effect = iota // it was not processed: it was refused, not sent, or not received as a whole
	EffectUnknown                // it may have been processed, and must not be sent again
	EffectAccepted               // it was processed
)

// NotFound is the proof that a reply gives about a missing object.
type NotFound int

// A 404 may come from a gateway, which does not know any object.
const (
	NotFoundNone     NotFound = iota // every reply but a 404 and a 410
	NotFoundUnproven                 // a 404 or 410 that any server on the way may have sent
	// NotFoundProven is a 404 or 410 with the interface's own error body, a
	// JSON object with an error text, or a complete list that lacks the object.
	NotFoundProven
)

// Error is a request that did not succeed: the request, the answer, and what
// the answer proves.
type Error struct {
	Sent   Request
	Said   Answer
	Proves Proof
	// Err is the cause: why there was no reply, why it could not be read, or
	// why there was no retry.
	Err error
}

// Request is the request that was sent.
type Request struct {
	// Operation is the method and the path, as in "POST /generation/batch". For
	// a token request it has the whole address.
	Operation string
	// Address is the scheme and host that did not answer, Attempts how often
	// the request was sent.
	Address  string
	Attempts int
	Duration time.Duration
	// Connected is true if the last attempt had a connection, so that a part of
	// it may have been sent.
	Connected bool
	HasIDs    bool // the path names an object, which may be the reason for a 404
	// Credential is the provider attribute of the credential that was used, as
	// in "api_key". It is set on a 401, and if there is no token.
	Credential string
}

// Answer is the answer, sanitized and without secrets.
type Answer struct {
	Status int // of the last reply; 0 means there was none
	// Form describes a reply without a readable text.
	Code, Message, Form string
	By                  string            // who answered; empty means the service
	Host                string            // the host of the reply
	Named               map[string]string // the ids that the error body names, by field
	Fields              []FieldError      // the fields of the request that the service rejects
	// IDs are the ids of objects that a paid request may have made, if its
	// reply names them although it reports a failure, is cut off or broken.
	// Counts are the numbers of purchases in such a reply.
	IDs, Counts []string
	// Arrived is the readable part of the reply to a paid request that is cut
	// off or broken.
	Arrived Object
	// Foreign is true for a 2xx whose body cannot be read and has none of the
	// service's fields.
	Foreign bool
}

// Proof says what an error proves.
type Proof struct {
	NotFound NotFound // about the requested object
	Effect   Effect   // about a POST
	// Unanswered is true if the host gave no answer, to this request or to the
	// request for its token.
	Unanswered bool
	// Alone is true for a 404 if the client has not found anything so far. The
	// address may then be wrong, rather than the object gone.
	Alone bool
	// Limited is true if the account sends too many requests, whatever the
	// status is.
	Limited bool
	// Lacks names the endpoint that the service may lack; empty if the service
	// has it. Instead is a sentence with an alternative, if there is any.
	Lacks, Instead string
	Shared         *SharedCause // nil if there is none
}

// FieldError is an error about one field of a request.
type FieldError struct {
	Path    []string // the nested field names and indices, outermost first
	Message string   // the service's message
}

// Error returns one line for people: the cause, the operation, and the known
// effect.
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
		operation = "" // the text names the operation already
	}
	text := e.inWords(append([]string{operation, e.Said.Form}, notes...)...)
	if e.Proves.Effect == EffectUnknown {
		text += UnknownEffect
	}
	return text
}

// UnknownEffect ends the text of an error after which nobody knows whether the
// request was processed. A message that says so itself removes it.
const UnknownEffect = "; it is not known whether the service has processed the request"

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// OfObject marks a reply as an answer about the object, and not about the
// endpoint.
func (e *Error) OfObject() {
	e.Proves.Lacks = ""
	e.Proves.Shared = nil
}

// IsNotFound reports whether the reply was a 404 or 410, or showed the object
// as deleted. Use it only to blame an attribute; Judge decides whether an
// object is gone.
func IsNotFound(err error) bool { return errorOrEmpty(err).Proves.NotFound != NotFoundNone }

// IsBusyStatus reports whether a status says that other work on the object is
// under way, so that the same request may succeed later: 409, 423, 425.
func IsBusyStatus(status int) bool {
	return slices.Contains([]int{http.StatusConflict, http.StatusLocked, http.StatusTooEarly}, status)
}

// IsBusy reports whether the service answered with a busy status.
func IsBusy(err error) bool { return IsBusyStatus(Status(err)) && !IsLimited(err) }

// LacksEndpoint reports whether the service may lack the endpoint. It has then
// done nothing.
func LacksEndpoint(err error) bool { return errorOrEmpty(err).Proves.Lacks != "" }

// IsUnauthorized reports whether the service, or the issuer of its tokens,
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

// NamesToken reports whether the service's words are about a token.
func (a *Answer) NamesToken() bool {
	text := strings.ToLower(a.Code + " " + a.Message)
	return strings.Contains(text, "token") || strings.Contains(text, "jwt")
}

// IsTokenNotFound reports whether the address for tokens does not exist.
func IsTokenNotFound(err error) bool {
	return Status(err) == http.StatusNotFound && root(err).Sent.Credential != ""
}

// IsUnreachable reports whether the host gave no answer, or a gateway answered
// in its place. It is false for a POST that may have been processed.
func IsUnreachable(err error) bool {
	failure := root(err)
	isGateways := failure.Said.Status == 0 || failure.Said.Status > http.StatusNotImplemented
	return failure.Proves.Unanswered && isGateways && !IsEffectUnknown(err)
}

// IsEffectUnknown reports whether a POST may have been processed.
func IsEffectUnknown(err error) bool { return errorOrEmpty(err).Proves.Effect == EffectUnknown }

// IsRefused reports whether the service itself refused a POST, as far as
// anybody knows. A request that was not sent was not refused.
func IsRefused(err error) bool {
	failure := errorOrEmpty(err)
	return failure.Proves.Effect == EffectNone && (failure.Sent.Connected || failure.Said.Status != 0)
}

// Status returns the status of the last reply, which may be the reply to the
// token request; 0 means there was none.
func Status(err error) int { return root(err).Said.Status }

// ErrorOf returns the outermost *Error, nil if there is none.
func ErrorOf(err error) *Error {
	failure, _ := errors.AsType[*Error](err)
	return failure
}

// errorOrEmpty returns the outermost *Error, an empty one if there is none.
func errorOrEmpty(err error) *Error { return cmp.Or(ErrorOf(err), &Error{}) }

// root returns the innermost *Error, an empty one if there is none. If there is
// no token, it is the reason.
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

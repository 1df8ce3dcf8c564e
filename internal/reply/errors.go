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
)

// Effect is what is known of the effect of a POST.
type Effect int

const (
	// EffectRefused means that the service says that it did not do it, or has
	// not received all of the request.
	EffectRefused Effect = iota
	// EffectUnknown means that it may have been done, and must not be sent
	// again.
	EffectUnknown
	// EffectAccepted means that it was done.
	EffectAccepted
)

// NotFound says what a reply proves about a missing object. A 404 may come from
// a gateway, which knows no object at all.
type NotFound int

const (
	// NotFoundUnsaid is every reply but a 404 and a 410.
	NotFoundUnsaid NotFound = iota
	// NotFoundUnproven is a 404 or 410 that anything on the way may have sent.
	NotFoundUnproven
	// NotFoundProven is a 404 or 410 with the interface's own error body, a JSON
	// object with an error text, or a complete list that lacks the object.
	NotFoundProven
	// NotFoundShown is a 2xx that shows the object as deleted.
	NotFoundShown
)

// Error is a request that did not succeed.
type Error struct {
	// Operation is the method and the path, as in "POST /generation/batch"; of
	// a request for a token the whole address.
	Operation string
	// Status is the HTTP status of the last reply; 0 means there was none.
	Status int
	// Code and Message are the service's, sanitized and without secrets. Form is how a
	// reply looked that has no readable text.
	Code, Message, Form string
	// By is who answered; empty is the service.
	By string
	// Named are the ids that the error body names, by field.
	Named map[string]string
	// IDs are those of what a paid request may have made, if its reply names
	// them and yet says that it has failed.
	IDs []string
	// NotFound is what a 404 or 410 says about the requested object, and Host who
	// sent it.
	NotFound NotFound
	Host     string
	// Fields are the request's fields that the service rejects.
	Fields []FieldError
	// Sent is true if the last attempt had a connection, so that part of it
	// may have been sent.
	Sent bool
	// Effect is what is known of the effect of a POST.
	Effect Effect
	// Address is the scheme and host that did not answer, Attempts how often the
	// request was sent, and Took how long that took.
	Address  string
	Attempts int
	Took     time.Duration
	// Unanswered: the host gave no answer, to this request or to that for its
	// token. Shared is the cause that the error has in common with others, nil if
	// there is none.
	Unanswered bool
	Shared     *SharedCause
	// Credential is the provider attribute of the credential that was used, as
	// in "api_key". It is set on a 401, and if there is no token.
	Credential string
	// Alone is true for a 404 if nothing that the client has asked for was found
	// so far: the address may be wrong, and not the object gone.
	Alone bool
	// Missing is true if the service may lack the endpoint. Lacks says which.
	Missing bool
	Lacks   string
	// NoJSON is true for a 2xx whose whole body is not a JSON object.
	NoJSON bool
	// Err is the cause: why there was no reply, why it could not be read, or
	// why the request was not retried.
	Err error
}

// FieldError is an error about one field of a request.
type FieldError struct {
	// Path contains the nested field names and indices, outermost first.
	Path []string
	// Message is the service's text.
	Message string
}

// Error returns one line for people: the cause, where it was met, and what is known of
// the effect.
func (e *Error) Error() string {
	var notes []string
	for _, name := range slices.Sorted(maps.Keys(e.Named)) {
		notes = append(notes, fmt.Sprintf("%s %q", name, e.Named[name]))
	}
	var ids []string
	for _, id := range e.IDs {
		ids = append(ids, strconv.Quote(id))
	}
	if len(ids) > 0 {
		notes = append(notes, "it names "+strings.Join(atMost(maxListed, ids), ", "))
	}
	if e.Address != "" {
		notes = append(notes, e.efforts())
	}
	operation := e.Operation
	if e.Lacks != "" || ErrorOf(e.Err) != nil {
		operation = "" // they name it, or their own
	}
	text := e.inWords(append([]string{operation, e.Form}, notes...)...)
	if e.Effect == EffectUnknown {
		text += "; it is not known whether the service has processed the request"
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// OfObject takes a reply to be about the object, and not about the endpoint.
func (e *Error) OfObject() { e.Missing, e.Lacks, e.Shared = false, "", nil }

// IsNotFound reports whether the reply was a 404 or 410, or showed the object
// as deleted. It only helps to blame an attribute; Judge decides whether
// something is gone.
func IsNotFound(err error) bool { return outermost(err).NotFound != NotFoundUnsaid }

// IsMissing reports whether the service may lack the endpoint, and so has done
// nothing.
func IsMissing(err error) bool { return outermost(err).Missing }

// IsUnauthorized reports whether the service, or what issues its tokens,
// rejected the credential.
func IsUnauthorized(err error) bool { return Status(err) == http.StatusUnauthorized }

// IsTokenNotFound reports whether there is no such address as that of the token.
func IsTokenNotFound(err error) bool {
	return Status(err) == http.StatusNotFound && root(err).Credential != ""
}

// IsUnreachable reports whether the host gave no answer, or that of a gateway
// for it. Of a POST that may have been processed, nobody knows.
func IsUnreachable(err error) bool {
	failure := root(err)
	return failure.Unanswered && !IsEffectUnknown(err) && (failure.Status == 0 || failure.Status > http.StatusNotImplemented)
}

// IsEffectUnknown reports whether a POST may have been processed.
func IsEffectUnknown(err error) bool { return outermost(err).Effect == EffectUnknown }

// IsRefused reports whether the service itself refused a POST, which is all
// that anybody knows about it. What was not sent was not refused.
func IsRefused(err error) bool {
	failure := outermost(err)
	return failure.Effect == EffectRefused && (failure.Sent || failure.Status != 0)
}

// Status is that of the last reply, which may be to the request for a token; 0 means
// there was none.
func Status(err error) int { return root(err).Status }

// ErrorOf returns the outermost *Error, nil if there is none.
func ErrorOf(err error) *Error {
	failure, _ := errors.AsType[*Error](err)
	return failure
}

// outermost is ErrorOf, an empty one if there is none.
func outermost(err error) *Error { return cmp.Or(ErrorOf(err), &Error{}) }

// root returns the innermost *Error, an empty one if there is none: why there is no
// token, if that is the reason.
func root(err error) *Error {
	innermost := outermost(err)
	for failure := ErrorOf(innermost.Err); failure != nil; failure = ErrorOf(failure.Err) {
		innermost = failure
	}
	return innermost
}

// IsUntrusted reports whether the peer's certificate could not be verified, so
// that nothing was sent.
func IsUntrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}

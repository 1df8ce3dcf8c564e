package transport

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	// ErrFileChanged says that a file was not, while it was sent, what its
	// FaceImage says. The upload was aborted and left nothing at the service.
	ErrFileChanged = errors.New("the file changed while it was read: its size or SHA-256 is not the planned one")
	// ErrInvalidID says that an id cannot be part of an address.
	ErrInvalidID = errors.New("the id is empty, a dot segment, or has control characters")
	// ErrNoCredential says that the client was given no credential.
	ErrNoCredential = errors.New("no credential is configured: set one of api_key, access_token and token_provider")
	// ErrIncompleteList says that the service's pages do not add up.
	ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

	errNotListed = errors.New("the service's list does not have it")
)

// Outcome tells whether it is known what a POST has done.
type Outcome int

const (
	// OutcomeKnown is after a decoded 2xx, after a 4xx other than 408, and when
	// nothing was sent, or an upload without its end.
	OutcomeKnown Outcome = iota
	// OutcomeUnknown is after anything else: the request may have been
	// processed, and must not be sent again.
	OutcomeUnknown
)

// Error is a request that did not succeed.
type Error struct {
	// Operation is the method and the path's template, as in
	// "POST /generation/batch".
	Operation string
	// Status is the last answer's HTTP status; 0 without an answer.
	Status int
	// Code and Message are what the service said, tamed and without secrets.
	Code, Message string
	// CharacterID and GroupID are the ids that the error body names.
	CharacterID, GroupID string
	// Absence is what a 404 or 410 says of the object that was asked for, Host
	// who has sent it, and BodyKind in what form.
	Absence        Absence
	Host, BodyKind string
	// Fields are the request's fields that the service complains about.
	Fields []FieldError
	// Sent is true once the last attempt had a connection, so that a byte of it
	// may have left.
	Sent bool
	// Outcome tells whether it is known what a POST has done.
	Outcome Outcome
	// Credential is the provider attribute whose credential was used, as in
	// "api_key". It is set on a 401.
	Credential string
	// Err is the cause: why there was no answer, why the answer could not be
	// read, or why the request was not repeated.
	Err error
}

// FieldError is a complaint about one field of a request.
type FieldError struct {
	// Path are the names of the nested fields, and the indices, from outside in.
	Path []string
	// Message is the complaint.
	Message string
}

// Error is one line for people.
func (e *Error) Error() string {
	parts := []string{e.Operation}
	if e.Status != 0 {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("the service answered %d %s", e.Status, http.StatusText(e.Status))))
	}
	for _, text := range []string{e.Code, e.Message} {
		if text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, field := range e.Fields {
		if text := fieldText(field); !strings.Contains(e.Message, text) {
			parts = append(parts, text)
		}
	}
	if e.Err != nil {
		parts = append(parts, causeText(e.Err))
	}
	text := strings.Join(parts, ": ")
	if e.CharacterID != "" {
		text += fmt.Sprintf(" (character_id %q)", e.CharacterID)
	}
	if e.GroupID != "" {
		text += fmt.Sprintf(" (group_id %q)", e.GroupID)
	}
	if e.Outcome == OutcomeUnknown {
		text += "; it is not known whether the service has processed the request"
	}
	return text
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Err }

func fieldText(field FieldError) string {
	return strings.Join(field.Path, ".") + ": " + field.Message
}

// causeText words the two ends that every wait shares for a single request.
func causeText(err error) string {
	if IsTimeout(err) {
		return "the operation's time ran out before the request could be sent again"
	}
	if IsCanceled(err) {
		return "the operation was interrupted"
	}
	return Sanitize(err.Error(), maxMessage)
}

// IsNotFound reports that the answer was a 404 or 410, or showed the object as
// deleted. It blames an attribute; whether something is gone is for Judge.
func IsNotFound(err error) bool {
	failure := errorOf(err)
	return failure != nil && failure.Absence != AbsenceUnsaid
}

// IsPaymentRequired reports that plan or credits do not cover the request.
func IsPaymentRequired(err error) bool { return hasStatus(err, http.StatusPaymentRequired) }

// IsUnauthorized reports that the credential was not accepted, by the service
// or by what hands out its tokens.
func IsUnauthorized(err error) bool {
	return hasStatus(err, http.StatusUnauthorized) || hasStatus(cause(err), http.StatusUnauthorized)
}

// IsRateLimited reports that the request was given up after a 429.
func IsRateLimited(err error) bool {
	return hasStatus(err, http.StatusTooManyRequests) || hasStatus(cause(err), http.StatusTooManyRequests)
}

// IsCanceled reports that the caller's context ended.
func IsCanceled(err error) bool {
	_, is := errors.AsType[*wait.CanceledError](err)
	return is
}

// IsTimeout reports that the deadline set by wait.WithDeadline would have
// passed before the request could be sent.
func IsTimeout(err error) bool {
	_, is := errors.AsType[*wait.TimeoutError](err)
	return is
}

// IsOutcomeUnknown reports that a POST may have been processed.
func IsOutcomeUnknown(err error) bool {
	failure, is := errors.AsType[*Error](err)
	return is && failure.Outcome == OutcomeUnknown
}

// hasStatus looks at the outermost answer alone: the 404 of a token exchange
// must not pass for a missing object.
func hasStatus(err error, statuses ...int) bool {
	failure := errorOf(err)
	return failure != nil && slices.Contains(statuses, failure.Status)
}

// errorOf is the outermost *Error, nil if there is none.
func errorOf(err error) *Error {
	failure, _ := errors.AsType[*Error](err)
	return failure
}

func cause(err error) error {
	if failure, is := errors.AsType[*Error](err); is {
		return failure.Err
	}
	return nil
}

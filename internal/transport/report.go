package transport

import (
	"fmt"
	"strings"
	"sync/atomic"
)

// SharedCause is a cause that many errors of a run have in common: an open
// circuit, a credential that is missing or rejected, or a wrong address.
type SharedCause struct {
	text string
	// told: an error has told all of it.
	told atomic.Bool
}

func newSharedCause(first *Error, address, cause string) *SharedCause {
	where := first.Operation
	if !strings.Contains(where, address) {
		where += " at " + address
	}
	return &SharedCause{text: where + ": " + cause}
}

// cause says briefly why a request has failed.
func (e *Error) cause() string {
	if e.Err != nil {
		return causeText(e.Err)
	}
	return statusText(e.Status)
}

// blame notes that an error is about the credential and not about one request.
func (s *tokenSource) blame(failure *Error, address string) {
	cause := failure.cause()
	if failure.Message != "" {
		cause += ": " + failure.Message
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.refusals[cause] == nil {
		s.refusals[cause] = newSharedCause(failure, address, cause)
	}
	failure.Credential, failure.Shared = s.name, s.refusals[cause]
}

// Report returns the text of an error for a person, and whether it tells all: of
// those with a common cause only the first one does, the others say that theirs
// is the same.
func Report(err error) (text string, full bool) {
	text, failure := err.Error(), errorOf(err)
	if failure == nil || failure.Shared == nil || failure.Outcome == OutcomeUnknown || failure.Shared.told.CompareAndSwap(false, true) {
		return text, true
	}
	again := fmt.Sprintf("%s: the same failure as another object's: %s", failure.Operation, failure.Shared.text)
	return strings.Replace(text, failure.Error(), again, 1), false
}

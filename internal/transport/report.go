package transport

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
)

// SharedCause is a cause that many errors of a run have in common: an outage, a
// credential that is missing or rejected, or a wrong address.
type SharedCause struct {
	operation, address, cause string
	// told: an error has told all of it.
	told atomic.Bool
}

// Report returns the text of an error for a person, and whether it tells all: of
// those with a common cause only the first one does, the others say that theirs
// is the same.
func Report(err error) (text string, full bool) {
	text = err.Error()
	failure, is := errors.AsType[*Error](err)
	if !is || failure.shared() == nil || failure.Outcome == OutcomeUnknown || failure.shared().told.CompareAndSwap(false, true) {
		return text, true
	}
	return strings.Replace(text, failure.Error(), failure.again(), 1), false
}

// shared is the cause that the error has in common with others, nil if none.
func (e *Error) shared() *SharedCause {
	if e.Outage != nil {
		return &e.Outage.SharedCause
	}
	return e.Refusal
}

// again says that an error is the same as another one.
func (e *Error) again() string {
	same := e.shared()
	where := same.operation
	if !strings.Contains(where, same.address) {
		where += " at " + same.address
	}
	return fmt.Sprintf("%s: the same failure as another object's: %s: %s", e.Operation, where, same.cause)
}

// blame notes that an error is about the credential and not about one request.
func (s *tokenSource) blame(failure *Error, address string) {
	if failure.Refusal != nil {
		return
	}
	cause := failure.cause()
	if failure.Message != "" {
		cause += ": " + failure.Message
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.refusals[cause] == nil {
		s.refusals[cause] = &SharedCause{operation: failure.Operation, address: address, cause: cause}
	}
	failure.Refusal = s.refusals[cause]
}

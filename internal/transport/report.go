package transport

import (
	"net/http"
	"sync"
)

// SharedCause is a cause that many errors of a run have in common: an outage, a
// credential that is rejected, a lack of credits, a wrong address.
type SharedCause struct{ told sync.Map }

// shared is the cause that an error has in common with those for the same reason.
func (c *Client) shared(reason string) *SharedCause {
	known, _ := c.causes.LoadOrStore(reason, &SharedCause{})
	cause, _ := known.(*SharedCause)
	return cause
}

// cause says briefly why a request has failed.
func (e *Error) cause() string {
	if e.Err != nil && e.Status != http.StatusTooManyRequests { // it only says why it was not sent again
		return causeText(e.Err)
	}
	return statusText(e.Status)
}

// Cause is why a request has failed in the end.
func Cause(err error) string {
	if failure := root(err); failure != nil {
		return failure.cause()
	}
	return err.Error()
}

// Tell reports whether an error is the first to tell a text about its cause. Alone
// or of unknown outcome, it tells all.
func Tell(err error, text string) bool {
	failure := errorOf(err)
	if failure == nil || failure.Shared == nil || failure.Outcome == OutcomeUnknown {
		return true
	}
	_, told := failure.Shared.told.LoadOrStore(text, true)
	return !told
}

package transport

import "sync"

// SharedCause is a cause that many errors of a run have in common: an outage, a
// credential that is rejected, a lack of credits, a wrong address.
type SharedCause struct{ told sync.Map }

// shared is the cause that an error has in common with those for the same reason.
func (c *Client) shared(reason string) *SharedCause {
	known, _ := c.causes.LoadOrStore(reason, &SharedCause{})
	cause, _ := known.(*SharedCause)
	return cause
}

// cause tells why a request has failed from other reasons.
func (e *Error) cause() string {
	if e.Err != nil {
		return causeText(e.Err)
	}
	return e.by + statusText(e.Status)
}

// Cause is briefly why a request has failed in the end.
func Cause(err error) string {
	if failure := root(err); failure != nil {
		return Sanitize(failure.because(), maxExcerpt)
	}
	return err.Error()
}

// IsTokenProvider reports whether it is the token provider that has failed, and not the
// service.
func IsTokenProvider(err error) bool {
	failure := root(err)
	return failure != nil && failure.by == theTokenProvider
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

package transport

import (
	"errors"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Existence is the conclusion about an object from the reply to a request for it.
type Existence int

const (
	// Undecided means that the request failed or proves nothing. The error says
	// why.
	Undecided Existence = iota
	// Present means that the service has shown the object.
	Present
	// NotYetSeen means that no read has shown the object yet, but one may, at the
	// address where it was made.
	NotYetSeen
	// Gone means that the object existed, and no longer does.
	Gone
)

// Evidence is what is remembered of the last read that has shown an object.
type Evidence struct {
	// Shown is false for what was made and has not been read since. Made is when that
	// was, by our clock; zero if nobody needs to know.
	Shown bool      `json:"shown,omitempty"`
	Made  time.Time `json:"made,omitzero"`
	// Awaited: what is read was just bought, and may be about to appear.
	Awaited bool `json:"-"`
	// By is who has read it, or made it.
	By Caller `json:"by,omitzero"`
}

// AsShown is the evidence as if a read had shown the object. A deletion must not
// call an object not yet seen that may be there.
func (s Evidence) AsShown() Evidence {
	s.Shown = true
	return s
}

// appearance is how long what costs nothing may take to be shown.
const appearance = 10 * time.Minute

// Expected is the evidence as if a read had shown the object, if it should have been
// shown by now. What waits in a queue may take longer than anybody knows.
func (s Evidence) Expected(now time.Time) Evidence {
	s.Shown = s.Shown || !s.Made.IsZero() && now.Sub(s.Made) > appearance
	return s
}

// EvidenceByID is that of objects that belong together. What one of them tells
// about the caller holds for all of them.
type EvidenceByID struct {
	// Seen are the ids of the objects that a read has shown.
	Seen map[string]bool `json:"seen,omitempty"`
	// By is who last read or made one of the objects.
	By Caller `json:"by,omitzero"`
	// Since is when the first was made of those that no read has shown, zero if there is
	// none.
	Since time.Time `json:"since,omitzero"`
}

// UnprovenError is a 404 or 410 that does not prove that an object is gone.
// Dropping the object would cause it to be bought again.
type UnprovenError struct {
	Err *reply.Error
	// Reason says what the proof lacks.
	Reason string
}

// Error returns one line for people.
func (e *UnprovenError) Error() string {
	return fmt.Sprintf("%s; this does not prove that it is gone: %s", e.Err, e.Reason)
}

// Unwrap returns the failed request.
func (e *UnprovenError) Unwrap() error { return e.Err }

// OtherCaller reports whether the only flaw of the proof is that another caller
// saw the object, or saw it at another address.
func (e *UnprovenError) OtherCaller() bool { return e.Err.NotFound == reply.NotFoundProven }

// Is makes a wait continue.
func (e *UnprovenError) Is(target error) bool { return target == wait.ErrInconclusive }

// Judge concludes from the outcome of a request for one object, err, whether
// the object is gone. A deletion, which must not call done what may still be
// there, passes the evidence AsShown. The error is nil unless that is
// Undecided.
func (c *Client) Judge(err error, last Evidence) (Existence, error) {
	failure, caller := reply.ErrorOf(err), c.tokens.identity()
	switch {
	case err == nil:
		return Present, nil
	case failure == nil || failure.NotFound == reply.NotFoundUnsaid:
		return Undecided, err
	}
	var reason string
	proven, moved := failure.NotFound == reply.NotFoundProven, caller.moved(last.By)
	switch {
	case failure.NotFound == reply.NotFoundShown, c.config.TrustNotFound && (last.Shown || !last.Awaited):
		return Gone, nil
	case !last.Shown && !moved: // variant: late-visibility
		return NotYetSeen, nil
	case proven && moved:
		reason = fmt.Sprintf("it was made or last seen at %s, and base_url is now %s. Until a read there has shown it, only trust_not_found takes the service's word that it was deleted",
			last.By.Address, caller.Address)
	case proven && caller.differs(last.By):
		reason = fmt.Sprintf("the credential (%s) is not the one that saw it last, and may be of another organization", c.tokens.name)
	case proven:
		return Gone, nil
	default:
		reason = fmt.Sprintf("the answer, from %s, is not the service's own, which is a JSON object with an error text. A gateway or proxy may have sent it", failure.Host)
	}
	said := *failure // others may have been given the same error
	if !proven {
		said.Shared = c.shared(reason)
	}
	return Undecided, &UnprovenError{Err: &said, Reason: reason}
}

// AddressError says that base_url is not the service's address: nothing was
// found there in this run.
type AddressError struct {
	Err *reply.Error
	// Address is that of Identity.
	Address string
}

// Error returns one line for people.
func (e *AddressError) Error() string {
	return fmt.Sprintf("%s; nothing that this run has asked for was found at %s", e.Err, e.Address)
}

// Unwrap returns the failed request.
func (e *AddressError) Unwrap() error { return e.Err }

// Found reports whether a 404 or 410 can be one of the service's own: the user
// says so, or a request was answered with what was asked for.
func (c *Client) Found() bool { return c.config.TrustNotFound || c.found.Load() }

// JudgeAddress concludes from the outcome of a request that has a result at
// every service, err, whether the address is wrong. It returns an *AddressError,
// which many objects have in common, or else err.
func (c *Client) JudgeAddress(err error) error {
	failure := reply.ErrorOf(err)
	if failure == nil || failure.NotFound == reply.NotFoundUnsaid && !failure.NoJSON {
		return err
	}
	failure.Shared = c.shared(failure.Reason())
	return &AddressError{Err: failure, Address: c.tokens.identity().Address}
}

// Listed is the result of looking an object up in a complete list, for Judge.
// route and ids are the list's.
func Listed(found bool, route string, ids ...string) error {
	if found {
		return nil
	}
	return &reply.Error{Operation: Get(route, ids...).Operation(), NotFound: reply.NotFoundProven, Err: errors.New("the service's list does not have it")}
}

// Made returns the evidence of what was made just now, and no read has shown.
func (c *Client) Made(now time.Time) Evidence {
	return Evidence{Made: now.UTC(), By: c.tokens.identity().since(Caller{})}
}

// Seen returns the evidence by a read that has just shown the object. It equals
// the last one if nothing changed, so that a refresh stores nothing new.
func (c *Client) Seen(last Evidence) Evidence {
	return Evidence{Shown: true, By: c.tokens.identity().since(last.By)}
}

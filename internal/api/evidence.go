package api

import (
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

// Made returns the evidence of what was made just now, and no read has shown.
func (c *Client) Made() Evidence {
	return Evidence{Made: c.clock.Now().UTC(), By: c.caller.since(Caller{})}
}

// Seen returns the evidence by a read that has just shown the object. It equals
// the last one if nothing changed, so that a refresh stores nothing new.
func (c *Client) Seen(last Evidence) Evidence {
	return Evidence{Shown: true, By: c.caller.since(last.By)}
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

// Is makes a wait continue.
func (e *UnprovenError) Is(target error) bool { return target == wait.ErrInconclusive }

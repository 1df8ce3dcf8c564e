package evidence

import (
	"time"
)

// Existence is the conclusion about an object from the reply to a request.
type Existence int

// The values of Existence.
const (
	Undecided  Existence = iota // the request failed or proves nothing; the error says why
	Present                     // the service has shown the object
	NotYetSeen                  // no read at the address of its creation has shown the object yet
	Gone                        // the object existed, and does not exist any more
)

// Evidence is the memory of the last read that has shown an object.
type Evidence struct {
	// Shown is false for an object that was made and has not been read since. Made
	// is the time of its creation by our clock; it is zero if nobody needs to
	// know.
	Shown bool      `json:"shown,omitempty"`
	Made  time.Time `json:"made,omitzero"`
	By    Caller    `json:"by,omitzero"` // who has read or made the object
}

// AsShown returns the evidence as if a read had shown the object. A deletion
// uses it, because a deletion must not call an object "not yet seen" that may
// exist.
func (s Evidence) AsShown() Evidence {
	s.Shown = true
	return s
}

// Expected returns the evidence as if a read had shown the object, if ten
// minutes have passed since the object was made. Objects that cost nothing
// appear within ten minutes. Nobody knows how long an object in a queue takes.
func (s Evidence) Expected(now time.Time) Evidence {
	s.Shown = s.Shown || !s.Made.IsZero() && now.Sub(s.Made) > 10*time.Minute
	return s
}

// Made returns the evidence of an object that was made just now and that no
// read has shown.
func (c *Client) Made() Evidence {
	return Evidence{Made: c.clock.Now().UTC(), By: c.caller.since(Caller{})}
}

// Seen returns the evidence of a read that has just shown the object. It equals
// the last evidence if nothing has changed, so that a refresh stores nothing
// new.
func (c *Client) Seen(last Evidence) Evidence {
	return Evidence{Shown: true, By: c.caller.since(last.By)}
}

package evidence

import (
	"time"
)

// Existence is the conclusion about an object from the reply to a request for it.
type Existence int

// What is concluded.
const (
	Undecided  Existence = iota // the request failed or proves nothing; the error says why
	Present                     // the service has shown the object
	NotYetSeen                  // no read has shown it yet, but one may, at the address where it was made
	Gone                        // the object existed, and no longer does
)

// Evidence is what is remembered of the last read that has shown an object.
type Evidence struct {
	// Shown is false for what was made, at the time Made by our clock (zero if
	// nobody needs to know), and has not been read since.
	Shown bool      `json:"shown,omitempty"`
	Made  time.Time `json:"made,omitzero"`
	By    Caller    `json:"by,omitzero"` // who has read it, or made it
}

// AsShown is the evidence as if a read had shown the object. For a deletion,
// which must not call an object not yet seen that may be there.
func (s Evidence) AsShown() Evidence {
	s.Shown = true
	return s
}

// Expected is the evidence as if a read had shown the object, if one should
// have by now: what costs nothing appears within ten minutes, what waits in a
// queue in longer than anybody knows.
func (s Evidence) Expected(now time.Time) Evidence {
	s.Shown = s.Shown || !s.Made.IsZero() && now.Sub(s.Made) > 10*time.Minute
	return s
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

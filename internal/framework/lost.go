package framework

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// clockSkew is the maximum difference between two clocks: the service's and
	// ours, or two of the service's.
	clockSkew = 5 * time.Minute
	// timeStep is what the times of one clock may differ by: they are cut to seconds,
	// and a request takes its time.
	timeStep = 5 * time.Second
	// findTimeout bounds the search for what a lost request has made.
	findTimeout = 2 * time.Minute
)

// Lost is a POST whose reply was lost, or names nothing. What it has made was not
// there before, and was created since.
type Lost struct {
	// Before are the ids of what it cannot have made; nil without such a request.
	Before []string `json:"before"`
	// Asked is when it was sent, or shortly before; zero if that is not known.
	Asked time.Time `json:"asked,omitzero"`
	// exact: Asked is by the clock of what is listed.
	exact bool
}

// ByClockOf translates the time from our clock into that of a list, which showed
// date now; zero if it did not say.
func (l Lost) ByClockOf(date, now time.Time) Lost {
	if date.IsZero() {
		return Lost{Before: l.Before}
	}
	return Lost{Before: l.Before, Asked: date.Add(l.Asked.Sub(now)), exact: true}
}

// Origin says whether a lost request has made an object.
type Origin int

// The origins of an object. In doubt no time tells.
const (
	Others Origin = iota
	InDoubt
	Ours
)

// Origin says whether the request has made an object, until the given time.
func (l Lost) Origin(id string, created *string, until time.Time) Origin {
	at, known := CreatedAt(created)
	since := l.Asked.Add(-clockSkew)
	if l.exact {
		since = l.Asked.Add(-timeStep)
	}
	switch {
	case slices.Contains(l.Before, id):
		return Others
	case !known || l.Asked.IsZero():
		return InDoubt
	case at.Before(since), at.After(until.Add(clockSkew)):
		return Others
	}
	return Ours
}

// MadeBy returns the objects that a lost request may have made. It is certain if
// there is one alone, and its time tells.
func MadeBy[T any](l Lost, listed []T, until time.Time, describe func(T) (id string, created *string)) (candidates []T, certain bool) {
	for _, object := range listed {
		id, created := describe(object)
		if origin := l.Origin(id, created, until); origin != Others {
			candidates, certain = append(candidates, object), origin == Ours
		}
	}
	return candidates, certain && len(candidates) == 1
}

// CreatedAt reads when an object was created. It is known if the service gives an
// ISO 8601 time, in UTC if that has no zone, and no other notation, such as seconds
// since 1970.
func CreatedAt(created *string) (at time.Time, known bool) {
	if created == nil {
		return at, false
	}
	for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} {
		if at, err := time.Parse("2006-01-02T15:04:05"+zone, *created); err == nil {
			return at, true
		}
	}
	return at, false
}

// SearchLost reads until what a lost purchase has made is found, for two minutes,
// even after the deadline of the operation: it may be paid for. A failed read is
// repeated.
func (d *Data) SearchLost(ctx context.Context, progress *wait.Progress, read func(ctx context.Context) (found bool, err error)) {
	ctx = wait.WithDeadline(ctx, d.Clock.Now().Add(findTimeout))
	schedule := wait.Schedule{First: 5 * time.Second, Shortest: 30 * time.Second}
	_ = wait.Poll(ctx, d.Clock, schedule.Next, progress, func(ctx context.Context) (bool, error) {
		found, err := read(ctx)
		if err != nil {
			return false, ctx.Err()
		}
		return found, nil
	})
}

const unknownPrefix = "unknown-"

// UnknownID returns an id for what may have been created, and whose real id is
// not known. It is random, so that no two objects have the same.
func UnknownID() types.String {
	return types.StringValue(unknownPrefix + strings.ToLower(rand.Text()))
}

// IsUnknownID reports whether an id was made by UnknownID.
func IsUnknownID(id types.String) bool { return strings.HasPrefix(id.ValueString(), unknownPrefix) }

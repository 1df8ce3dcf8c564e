package framework

import "time"

// clockSkew is the maximum difference between two clocks: the service's and
// ours, or two of the service's.
const clockSkew = 5 * time.Minute

// CreatedBetween reports whether an object was created in a period, give or take
// clockSkew. It is known if the service gives an ISO 8601 time, in UTC if that
// has no zone, and no other notation, such as seconds since 1970.
func CreatedBetween(created *string, from, to time.Time) (is, known bool) {
	at, known := CreatedAt(created)
	return known && !at.Before(from.Add(-clockSkew)) && !at.After(to.Add(clockSkew)), known
}

// CreatedAt reads when an object was created.
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

package same

import "time"

// Moment reports whether two texts are the same moment, in any notation.
func Moment(a, b string) bool {
	if a == b {
		return true
	}
	at, known := ParseMoment(a)
	other, alsoKnown := ParseMoment(b)
	return known && alsoKnown && at.Equal(other)
}

// ParseMoment reads an ISO 8601 time, in UTC if it has no zone. It does not
// read seconds since 1970.
func ParseMoment(text string) (at time.Time, known bool) {
	for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} { // variant: times-local
		for _, separator := range []string{"T", " "} {
			at, err := time.Parse("2006-01-02"+separator+"15:04:05"+zone, text)
			if err == nil {
				return at, true
			}
		}
	}
	return at, false
}

package wait

import (
	"strings"
	"time"
)

// ShortDuration formats a duration without units that are zero, as in 3h.
func ShortDuration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-len("0s")]
		}
	}
	return text
}

// Lasted formats how long something has taken, in whole seconds. A time below a
// second has tenths. A time below a tenth is rounded up, because "given up
// after 0s" reads as if nothing had been tried.
func Lasted(d time.Duration) string {
	unit := time.Second
	if d < time.Second {
		unit = time.Second / 10
	}
	return ShortDuration(max(d.Round(unit), unit))
}

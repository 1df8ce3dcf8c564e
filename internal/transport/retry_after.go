package transport

import (
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	backoffBase = time.Second
	backoffMax  = 30 * time.Second
	// maxRetryAfter limits what the service may ask for.
	maxRetryAfter = 60 * time.Second
)

// backoff doubles from one second to half a minute; the jitter subtracts up to
// half, so that requests that failed together are not retried together.
func backoff(repetition int) time.Duration {
	longest := backoffMax
	if repetition < 5 {
		longest = backoffBase << repetition
	}
	return longest - rand.N(longest/2)
}

// retryAfter reads a Retry-After header, in seconds or as a date: 0 if there is
// none, it makes no sense, or it asks for no time at all.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	seconds, err := strconv.ParseInt(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(max(seconds, 0), int64(maxRetryAfter.Seconds()))) * time.Second
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}

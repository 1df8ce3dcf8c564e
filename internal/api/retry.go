package api

import (
	"context"
	"crypto/tls"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// class says after what a request may be sent again.
type class int

const (
	// read and idempotent requests are repeated after connection errors, replies
	// that cannot be read, 408, and 5xx except 501.
	read class = iota
	idempotent
	// once is every POST of the interface: repeated only after what proves that
	// it was not processed, a connection that was never made, 429 and 401.
	once
	// token requests are repeated after connection errors and 5xx.
	token
)

const (
	backoffBase = time.Second
	backoffMax  = 30 * time.Second
	// maxRetryAfter caps what the service may ask for.
	maxRetryAfter = 60 * time.Second
	// patience bounds the wait for the end of 429s where no deadline does.
	patience = 20 * time.Minute
)

// again is retryablehttp's CheckRetry. It is asked before an answer is read,
// and again after.
func (s *sending) again(ctx context.Context, response *http.Response, err error) (bool, error) {
	if err == nil && !s.received {
		return false, nil
	}
	if s.received && s.status != http.StatusTooManyRequests {
		s.gate.answered()
	}
	var failure *Error
	if err != nil {
		judged, is := errors.AsType[*Error](err)
		if failure = judged; !is || !s.received {
			failure = s.fail(err)
		}
	}
	if s.attempted {
		s.log(ctx, failure)
	}
	s.failure = failure
	return failure != nil && s.resend(ctx, response, failure), nil
}

// resend decides, and prepares the next attempt.
func (s *sending) resend(ctx context.Context, response *http.Response, failure *Error) bool {
	switch {
	case s.settled:
		return false
	case s.status == http.StatusUnauthorized && s.mayRenew():
		s.credential.reject(s.token)
		s.renewed = true
		if ctx.Err() == nil {
			s.failure, s.sent = nil, nil
		}
	case s.status == http.StatusTooManyRequests:
		now := s.client.clock.Now()
		if s.refusedSince.IsZero() {
			s.refusedSince = now
		}
		if _, bounded := wait.Deadline(ctx); !bounded && now.Sub(s.refusedSince) >= patience {
			s.settled = true
			return false
		}
		s.gate.refused(s.asked(response), s.client.config.Backoff)
	case !s.repeats(failure) || s.failures >= int(s.client.config.MaxRetries):
		s.settled = true
		return false
	default:
		s.rest(s.asked(response))
		s.failures++
	}
	return ctx.Err() == nil
}

func (s *sending) mayRenew() bool {
	return s.credential != nil && s.credential.renewable() && !s.renewed
}

func (s *sending) repeats(failure *Error) bool {
	if s.status == 0 && (isHopeless(failure) || IsCanceled(failure)) {
		return false
	}
	serverError := s.status == http.StatusRequestTimeout || s.status >= 500 && s.status != http.StatusNotImplemented
	switch s.call.class {
	case once:
		return s.status == 0 && !failure.Sent
	case token:
		return s.status == 0 || s.status >= 500 || s.broken
	default:
		success := s.status >= 200 && s.status < 300
		return s.status == 0 || serverError || success && !errors.Is(failure.Err, errTooLarge)
	}
}

// isHopeless is a connection error that no repetition mends.
func isHopeless(err error) bool {
	return IsUntrusted(err) || strings.Contains(err.Error(), "unsupported protocol scheme")
}

// IsUntrusted reports that the other side's certificate could not be verified,
// so that nothing was sent.
func IsUntrusted(err error) bool {
	_, is := errors.AsType[*tls.CertificateVerificationError](err)
	return is
}

// rest sets how long this request waits before its next attempt, or all of
// them if the service asks for it.
func (s *sending) rest(asked time.Duration) {
	if asked > 0 {
		s.gate.cool(asked)
		return
	}
	s.notBefore = s.client.clock.Now().Add(s.client.config.Backoff(s.failures))
}

// asked is how long the service wants to be left alone; 0 if it does not say.
func (s *sending) asked(response *http.Response) time.Duration {
	if response == nil || s.status == 0 {
		return 0
	}
	return retryAfter(response.Header.Get("Retry-After"), s.client.clock.Now())
}

// backoff doubles from a second to half a minute; the jitter takes off up to
// half, so that requests that failed together do not return together.
func backoff(repetition int) time.Duration {
	longest := backoffMax
	if repetition < 5 {
		longest = backoffBase << repetition
	}
	return longest - rand.N(longest/2)
}

// retryAfter reads a Retry-After header, in seconds or as a date: 0 if there
// is none, it makes no sense, or it asks for no time at all.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if value == "" {
		return 0
	}
	if strings.Trim(value, "0123456789.") == "" {
		seconds, err := strconv.ParseFloat(value, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			return 0
		}
		return time.Duration(min(seconds, maxRetryAfter.Seconds()) * float64(time.Second))
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	return min(max(date.Sub(now), 0), maxRetryAfter)
}

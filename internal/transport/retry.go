package transport

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Class says when a request may be sent again: see next.
type Class int

const (
	read       Class = iota // every GET
	idempotent              // every PUT and DELETE
	once                    // every POST of the interface: it may cost credits
	token                   // a request for an access token
)

// maxRefused limits the wait for the end of 429s if there is no deadline.
const maxRefused = 20 * time.Minute

// outcome says how an attempt ended, as far as the retry policy is concerned.
type outcome int

const (
	succeeded   outcome = iota
	saidFailed          // a 2xx that says that the request has failed
	interrupted         // the operation ended before a reply, or a token or the file was missing
	unreachable         // no retry can reach the service
	neverSent           // no connection was made
	unanswered          // connected, and no reply arrived: a reset, or a time-out
	unreadable          // a 2xx that cannot be read, or a 1xx
	cutOff              // a 2xx whose body ended early
	tooLarge            // a 2xx that is too large

	// The other outcomes are replies, by their status.
	redirected
	sentElsewhere // a 307 or 308 with an address: the request was not processed
	unauthorized
	forbidden       // a 403
	tooManyRequests // a 429, or any other answer that says that a limit of requests is reached
	busy            // a 409, 423 or 425
	timedOut
	refused // every other 4xx, and a 2xx to a request that was not complete
	serverError
	notImplemented
)

// step is the next step after an attempt.
type step int

const (
	stop           step = iota
	retry               // after a pause; counts against the retries
	renew               // sends the request again with a new token
	follow              // sends the request to the target of the redirect
	waitForService      // sends the request again once the service accepts requests
	await               // sends the request again at the pace of a wait
)

// remaining says which steps a request may still take.
type remaining struct{ mayRenew, mayFollow, mayRetry, mayWait, mayAwait bool }

// next is the retry policy. A request of class once is sent again only if it
// was certainly not processed: no connection, a limit of requests, a 401, a 403.
func next(class Class, ended outcome, still remaining) step {
	switch ended {
	case unauthorized, forbidden:
		return allowed(renew, still.mayRenew)
	case tooManyRequests:
		return allowed(waitForService, still.mayWait)
	case busy:
		return allowed(await, still.mayAwait && class == idempotent)
	case redirected, sentElsewhere:
		return allowed(follow, still.mayFollow && class == read)
	case neverSent:
		return allowed(retry, still.mayRetry)
	case unanswered, cutOff, serverError:
		return allowed(retry, still.mayRetry && class != once)
	case unreadable, timedOut:
		return allowed(retry, still.mayRetry && (class == read || class == idempotent))
	case notImplemented:
		return allowed(retry, still.mayRetry && class == token)
	case succeeded, saidFailed, interrupted, unreachable, tooLarge, refused:
	}
	return stop
}

// ending says how an attempt ended, as far as its effect is concerned.
type ending struct {
	class   Class
	outcome outcome
	// sent is true if part of the request was sent, and whole if all of it may
	// have been.
	sent, whole bool
	// counted is true if the reply counts something as bought, and named if it
	// names objects that may have been made.
	counted, named bool
}

// effectOf decides the known effect of a request. Anything that a reply counts
// as bought was bought, whatever else the reply says. A request that the
// service has received is refused only by a 4xx other than a 408, by a redirect
// to a different address, or by a reply that says no and names nothing. A
// request that was never sent has no effect either.
func effectOf(e ending) reply.Effect {
	switch e.outcome {
	case succeeded:
		return reply.EffectAccepted
	case saidFailed:
		switch {
		case e.counted:
			return reply.EffectAccepted
		case e.named:
			return reply.EffectUnknown
		}
	case sentElsewhere, unauthorized, forbidden, tooManyRequests, busy, refused:
	default:
		if e.class == once && e.sent && e.whole {
			return reply.EffectUnknown
		}
	}
	return reply.EffectNone
}

// oneAttemptKey marks requests that are sent once.
type oneAttemptKey struct{}

// OneAttempt returns a context whose requests, including those for a token, are
// sent only once. A rejected token is still dropped, and a 429 or Retry-After
// still delays later requests.
func OneAttempt(ctx context.Context) context.Context {
	return context.WithValue(ctx, oneAttemptKey{}, true)
}

// persistence says how long a request is retried when the service fails.
type persistence int

const (
	sentOnce persistence = iota
	retried              // gives up in an outage
	polled               // does not give up in an outage
)

// persistenceOf reads the patience of a context's requests.
func persistenceOf(ctx context.Context) persistence {
	switch {
	case ctx.Value(oneAttemptKey{}) != nil:
		return sentOnce
	case wait.IsPolling(ctx):
		return polled
	default:
		return retried
	}
}

func allowed(then step, may bool) step {
	if may {
		return then
	}
	return stop
}

// outcomeWithoutAnswer classifies an attempt without a reply. problem is the
// reason why the file to send could not be read.
func outcomeWithoutAnswer(now *attempt, problem error) outcome {
	switch {
	case problem != nil || wait.IsCanceled(now.err) || wait.IsTimeout(now.err):
		return interrupted
	case reply.IsUntrusted(now.err), reply.NeedsHTTP2(now.err): // no retry can fix it
		return unreachable
	case now.connected:
		return unanswered
	default:
		return neverSent
	}
}

// backoff doubles from one second to half a minute. The jitter subtracts up to
// half, so that requests that failed together are not retried together.
func backoff(repetition int) time.Duration {
	longest := min(time.Second<<min(repetition, 5), 30*time.Second)
	return longest - rand.N(longest/2)
}

// maxRetryAfter limits the time that the service may ask for.
const maxRetryAfter = 60 * time.Second

// retryAfter reads a Retry-After header, in seconds or as a date. It returns 0
// for a missing header, an invalid one, or one that asks for no time at all.
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

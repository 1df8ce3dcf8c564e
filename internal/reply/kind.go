package reply

import (
	"errors"
	"net/http"
)

// Kind is what a failure means for whatever was asked for: who has to do what
// before the same request can succeed.
type Kind int

// What has the first of these meanings has no other.
const (
	KindOwn                  Kind = iota // only its own text says what it means
	KindNoEndpoint                       // the service may lack the endpoint
	KindNothingFound                     // a 404, as everything in this run: perhaps the address is wrong
	KindOffline                          // the run has no credential on purpose, and sends nothing
	KindUntrusted                        // the certificate could not be verified
	KindTokenProviderDown                // the customer's token provider gave no answer
	KindTokenProviderRefused             // it rejected its credentials
	KindNoToken                          // it issued no token
	KindUnreachable                      // the host gave no answer, and nothing was processed
	KindUnanswered                       // the host gave no answer, or that of a broken one
	KindTokenNotFound                    // no tokens are issued at this address
	KindUnauthorized                     // the credential is rejected
	KindNoCredits                        // the account has too few credits
	KindTooManyRequests                  // the account sends too many requests
)

// KindOf decides what an error means. What is not a request's means nothing to
// others.
func KindOf(err error) Kind {
	failure := ErrorOf(err)
	switch {
	case failure == nil:
		return KindOwn
	case errors.Is(err, ErrOffline):
		return KindOffline
	case LacksEndpoint(err):
		return KindNoEndpoint
	case failure.Proves.Alone:
		return KindNothingFound
	case IsUntrusted(err):
		return KindUntrusted
	case IsTokenProvider(err):
		return kindOfTokenProvider(err, failure)
	case failure.Proves.Unanswered && IsUnreachable(err):
		return KindUnreachable
	case failure.Proves.Unanswered:
		return KindUnanswered
	default:
		return kindOfAnswer(err)
	}
}

// kindOfTokenProvider is about the customer's own endpoint that issues tokens.
func kindOfTokenProvider(err error, failure *Error) Kind {
	switch {
	case failure.Proves.Unanswered && IsUnreachable(err):
		return KindTokenProviderDown
	case IsUnauthorized(err):
		return KindTokenProviderRefused
	default:
		return KindNoToken
	}
}

// kindOfAnswer is about what the service says to everybody.
func kindOfAnswer(err error) Kind {
	switch {
	case IsLimited(err):
		return KindTooManyRequests
	case IsTokenNotFound(err):
		return KindTokenNotFound
	case IsUnauthorized(err):
		return KindUnauthorized
	case Status(err) == http.StatusPaymentRequired:
		return KindNoCredits
	default:
		return KindOwn
	}
}

package reply

import (
	"errors"
	"net/http"
)

// Kind classifies a failure by its remedy: who has to do something, and what,
// before the same request can succeed.
type Kind int

// The kinds, in the order in which they are tested: the first that fits counts.
const (
	KindOwn                  Kind = iota // only the error's own text says what it means
	KindNoEndpoint                       // the service may lack the endpoint
	KindNothingFound                     // a 404, like every answer in this run: the address may be wrong
	KindOffline                          // the run intentionally has no credential, and sends nothing
	KindUntrusted                        // the certificate could not be verified
	KindTokenProviderDown                // the customer's token provider gave no answer
	KindTokenProviderRefused             // the token provider rejected its credentials
	KindNoToken                          // the token provider issued no token
	KindUnreachable                      // the host gave no answer, and nothing was processed
	KindUnanswered                       // the host gave no answer, or the answer of a broken host
	KindTokenNotFound                    // no tokens are issued at this address
	KindUnauthorized                     // the credential is rejected
	KindNoCredits                        // the account has too few credits
	KindTooManyRequests                  // the account sends too many requests
)

// KindOf decides what an error means. An error that no request caused has no
// meaning for others.
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

// kindOfTokenProvider decides about an error of the customer's own endpoint for
// tokens.
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

// kindOfAnswer decides about an answer that does not depend on the object.
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

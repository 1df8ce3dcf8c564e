package api

import (
	"errors"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// What whoever asks the service has to know of how a request travels.
type (
	// Error is a request that did not succeed.
	Error = transport.Error
	// UnprovenError is a 404 from which nothing was concluded.
	UnprovenError = transport.UnprovenError
	// Sighting is what is remembered of the last read that has shown an object.
	Sighting = transport.Sighting
	// Identity is under whose name the service was asked.
	Identity = transport.Identity
	// Verdict is what may be concluded about an object from an answer.
	Verdict = transport.Verdict
	// Token is a bearer of the service.
	Token = transport.Token
	// TokenProvider is the customer's own token endpoint.
	TokenProvider = transport.TokenProvider
)

// The verdicts, see Judge.
const (
	Undecided = transport.Undecided
	Present   = transport.Present
	Pending   = transport.Pending
	Gone      = transport.Gone
)

// Questions about an error.
var (
	IsNotFound        = transport.IsNotFound
	IsPaymentRequired = transport.IsPaymentRequired
	IsUnauthorized    = transport.IsUnauthorized
	IsRateLimited     = transport.IsRateLimited
	IsUntrusted       = transport.IsUntrusted
	IsCanceled        = transport.IsCanceled
	IsTimeout         = transport.IsTimeout
	IsOutcomeUnknown  = transport.IsOutcomeUnknown
	// Listed is the outcome of looking an object up in a complete list.
	Listed = transport.Listed
)

var (
	// ErrFileChanged says that a file was not, while it was sent, what its
	// FaceImage says. The upload was aborted and left nothing at the service.
	ErrFileChanged = transport.ErrFileChanged
	// ErrIncompleteList says that the service's pages do not add up.
	ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

	errDeleted = errors.New("the service shows it as deleted")
)

package api

import (
	"errors"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// What users of this package need from package transport.
type (
	// Error is a request that did not succeed.
	Error = transport.Error
	// UnprovenError is a 404 that proves nothing.
	UnprovenError = transport.UnprovenError
	// AddressError says that base_url is wrong.
	AddressError = transport.AddressError
	// Sighting describes the last read that showed an object.
	Sighting = transport.Sighting
	// Sightings describe the last reads that showed objects that belong together.
	Sightings = transport.Sightings
	// Identity says who sent a request.
	Identity = transport.Identity
	// Verdict is the conclusion about an object from a reply.
	Verdict = transport.Verdict
	// Token is a bearer token of the service.
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
	IsRefused         = transport.IsRefused
	IsTokenNotFound   = transport.IsTokenNotFound
	// Report is the text of an error for a person, and whether it tells all.
	Report = transport.Report
	// Listed is the result of looking an object up in a complete list.
	Listed = transport.Listed
)

var (
	// ErrFileChanged says that the content of a file differed from its
	// FaceImage while it was sent. The upload was aborted and left nothing at
	// the service.
	ErrFileChanged = transport.ErrFileChanged
	// ErrNoCredential says that the client was given no credential.
	ErrNoCredential = transport.ErrNoCredential
	// ErrIncompleteList says that the pages of a list contradict each other.
	ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

	errDeleted = errors.New("the service shows it as deleted")
)

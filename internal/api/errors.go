package api

import (
	"errors"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// What services need of package transport, which they do not import. This is its
// only place: framework and provider import that package itself.
type (
	// Error is a request that did not succeed.
	Error = reply.Error
	// UnprovenError is a 404 that proves nothing.
	UnprovenError = transport.UnprovenError
	// Evidence describes the last read that showed an object.
	Evidence = transport.Evidence
	// EvidenceByID describe the last reads that showed objects that belong together.
	EvidenceByID = transport.EvidenceByID
	// Existence is the conclusion about an object from a reply.
	Existence = transport.Existence
	// Token is a bearer token of the service.
	Token = transport.Token
)

// What Judge concludes of an object.
const (
	Undecided  = transport.Undecided
	Present    = transport.Present
	NotYetSeen = transport.NotYetSeen
	Gone       = transport.Gone
)

// Questions about an error.
var (
	IsNotFound      = reply.IsNotFound
	IsMissing       = reply.IsMissing
	IsUnauthorized  = reply.IsUnauthorized
	IsCanceled      = wait.IsCanceled
	IsTimeout       = wait.IsTimeout
	IsEffectUnknown = reply.IsEffectUnknown
	IsRefused       = reply.IsRefused
	// Listed is the result of looking an object up in a complete list.
	Listed = transport.Listed
)

// namedGroup is the field of an error body that holds the id of a group.
const namedGroup = "group_id"

// NamedGroup returns the id of the group that the service names in an error, empty
// if it names none. It may be anybody's.
func NamedGroup(err error) string {
	if failure, is := errors.AsType[*Error](err); is {
		return failure.Named[namedGroup] // variant: error-group-id
	}
	return ""
}

var (
	// ErrFileChanged says that the content of a file differed from what was
	// planned while it was sent. The upload was aborted and left nothing at the
	// service.
	ErrFileChanged = transport.ErrFileChanged
	// ErrIncompleteList says that the pages of a list contradict each other.
	ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

	errDeleted = errors.New("the service shows it as deleted")
)

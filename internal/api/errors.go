package api

import (
	"errors"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// namedGroup is the field of an error body that holds the id of a group.
const namedGroup = "group_id"

// NamedGroup returns the id of the group that the service names in an error, empty
// if it names none. It may be anybody's.
func NamedGroup(err error) string {
	if failure := reply.ErrorOf(err); failure != nil {
		return failure.Named[namedGroup] // variant: error-group-id
	}
	return ""
}

var (
	// ErrFileChanged says that an upload was aborted, and left nothing at the service.
	ErrFileChanged = transport.ErrFileChanged
	// ErrIncompleteList says that the pages of a list contradict each other.
	ErrIncompleteList = errors.New("the service's list is incomplete: its pages do not add up")

	errDeleted = errors.New("the service shows it as deleted")
)

package evidence

import (
	"net/url"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// ExistenceOf concludes from the answer to a caller who is the one that saw the
// object last, or a stranger, or has moved.
func ExistenceOf(notFound reply.NotFound, failed, shown, stranger, moved, trusted bool) Existence {
	last := Evidence{Shown: shown, By: Caller{Address: "here", Organization: "ours"}}
	if stranger {
		last.By.Organization = "theirs"
	}
	if moved {
		last.By.Address = "elsewhere"
	}
	var err error
	if failed || notFound != reply.NotFoundNone {
		err = &reply.Error{Proves: reply.Proof{NotFound: notFound}}
	}
	now := newCaller(
		&url.URL{Host: "here"},
		transport.NewTokenSource(transport.Credential{}, wait.System, &transport.Secrets{}, nil),
	)
	now.noteOrganization("ours")
	existence, _ := now.conclude(err, last, trusted)
	return existence
}

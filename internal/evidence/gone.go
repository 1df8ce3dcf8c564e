package evidence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Judge decides whether an object is gone. err is the result of a request for
// the object. The returned error is nil unless the result is Undecided. A
// deletion passes the evidence AsShown. Before the object is Gone in a run that
// has found nothing yet, one more request asks whether the address is wrong.
func (c *Client) Judge(ctx context.Context, err error, last Evidence) (Existence, error) {
	// A polled object was just bought, and may be about to appear.
	existence, flaw := c.caller.conclude(err, last, c.config.TrustNotFound && (last.Shown || !wait.IsPolling(ctx)))
	switch {
	case flaw != "":
		said := *reply.ErrorOf(err) // other callers may share the error
		if said.Proves.NotFound != reply.NotFoundProven {
			said.Proves.Shared = c.transport.Shared(flaw)
		}
		return Undecided, &reply.UnprovenError{Err: &said, Reason: flaw}
	case existence == Undecided:
		return Undecided, err
	case existence == Gone && !c.found():
		wrong, err := c.address.Get(ctx, struct{}{})
		err = cmp.Or(err, wrong)
		if err != nil {
			return Undecided, err
		}
	}
	return existence, nil
}

// conclude returns the existence that a reply proves. For a 404 or 410 that
// proves nothing, flaw says why.
func (c *caller) conclude(err error, last Evidence, trusted bool) (existence Existence, flaw string) {
	failure := reply.ErrorOf(err)
	switch {
	case err == nil:
		return Present, ""
	case failure == nil || failure.Proves.NotFound == reply.NotFoundNone:
		return Undecided, ""
	}
	proven := failure.Proves.NotFound == reply.NotFoundProven
	moved := last.By.Address != "" && last.By.Address != c.address
	switch {
	case trusted:
		return Gone, ""
	case !last.Shown && !moved: // variant: late-visibility
		return NotYetSeen, ""
	case proven && moved:
		return Undecided, fmt.Sprintf(
			"it was made or last seen at %s, and base_url is now %s. Until a read there has shown it, only "+
				"trust_not_found takes the service's word that it was deleted",
			last.By.Address,
			c.address,
		)
	case proven && !c.isCertainly(last.By):
		return Undecided, fmt.Sprintf(
			"the credential (%s) is not certainly of the organization that saw it last",
			c.credential.Name,
		)
	case proven:
		return Gone, ""
	default:
		return Undecided, fmt.Sprintf(
			"the answer, from %s, is not the service's own, which is a JSON object with an error text. A gateway or "+
				"proxy may have sent it",
			failure.Said.Host,
		)
	}
}

// found reports whether a 404 can come from the service itself: the user trusts
// every 404, or a request of this run has found something.
func (c *Client) found() bool { return c.config.TrustNotFound || c.transport.Found() }

// WrongAddress says why base_url is wrong. It returns nil if base_url is right,
// or if nobody can tell now. If the run has found nothing at the address yet, a
// best-effort read asks the service, even after an earlier read has failed.
func (c *Client) WrongAddress(ctx context.Context) (wrong error) {
	if c.found() {
		return nil
	}
	c.bestEffort.take(ctx, func(ctx context.Context) {
		wrong, _ = c.address.Get(ctx, struct{}{})
		c.bestEffort.failed = c.bestEffort.failed || wrong != nil
	})
	return wrong
}

// checkAddress reads the list of characters, which every service has. wrong
// says why the address is wrong; it is nil if the address is right.
func (c *Client) checkAddress(ctx context.Context, _ struct{}) (wrong, err error) {
	_, err = c.endpoints.Characters.List().Read(ctx, new(int64(1)), nil)
	failure := reply.ErrorOf(err)
	if failure == nil || failure.Proves.NotFound == reply.NotFoundNone && !failure.Said.Foreign {
		return nil, err
	}
	failure.Proves.Shared = c.transport.Shared(failure.Reason())
	return &reply.AddressError{Err: failure, Address: c.caller.address}, nil
}

// Listed turns the result of a search in a complete list into an error for
// Judge. route is the route of the list.
func Listed(found bool, route string, ids ...string) error {
	if found {
		return nil
	}
	operation := transport.Get(route, ids...).Operation()
	return &reply.Error{
		Sent:   reply.Request{Operation: operation},
		Proves: reply.Proof{NotFound: reply.NotFoundProven},
		Err:    errors.New("the service's list does not have it"),
	}
}

// Find reads one object, a second time if it may be gone. The last read
// decides.
func (c *Client) Find(
	ctx context.Context,
	last Evidence,
	read func(context.Context) error,
) (existence Existence, failure, err error) {
	err = c.Twice(ctx, func(ctx context.Context) (gone bool, err error) {
		failure = read(ctx)
		existence, err = c.Judge(ctx, failure, last)
		return existence == Gone, err
	})
	if err != nil {
		existence = Undecided
	}
	return existence, failure, err
}

// FindUnlisted judges a character that the complete shared list lacks. The
// character is gone if a second list lacks it too, and if two reads do not find
// its capabilities. Any 404 to the capabilities counts, because the interface
// shows no error of their own. The error is ErrIncompleteList if the lists
// contradict each other.
func (s *Characters) FindUnlisted(ctx context.Context, id string, last Evidence) (Existence, error) {
	existence, _, err := s.client.Find(ctx, last, func(ctx context.Context) error {
		if transport.IsAfresh(ctx) {
			if err := s.checkSecondList(ctx, id); err != nil {
				return err
			}
		}
		_, failure := s.Capabilities(ctx, id)
		notFound := reply.ErrorOf(failure)
		if notFound != nil && notFound.Proves.NotFound == reply.NotFoundUnproven {
			proven := *notFound // other callers may share the error
			proven.Proves.NotFound = reply.NotFoundProven
			return &proven
		}
		return failure
	})
	return existence, err
}

// Twice reads an object with read, which also judges. If the object may be
// gone, it reads again before it believes so.
func (c *Client) Twice(ctx context.Context, read func(context.Context) (gone bool, err error)) error {
	gone, err := read(ctx)
	if !gone || err != nil { // variant: flapping
		return err
	}
	return c.Again(ctx, func(ctx context.Context) error {
		_, err := read(ctx)
		return err
	})
}

// Again reads an object a second time after a pause, past all caches. A replica
// may lag behind the other replicas.
func (c *Client) Again(ctx context.Context, read func(context.Context) error) error {
	if err := c.clock.Sleep(ctx, 2*time.Second); err != nil {
		return &wait.CanceledError{Cause: err}
	}
	return read(transport.Afresh(ctx))
}

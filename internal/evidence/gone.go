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

// Judge concludes from err, the result of a request for one object, whether the
// object is gone. The error is nil unless that is Undecided. A deletion passes
// the evidence AsShown. If nothing was found in this run, one more request asks
// whether the address is wrong.
func (c *Client) Judge(ctx context.Context, err error, last Evidence) (Existence, error) {
	// What is polled was just bought, and may be about to appear.
	existence, flaw := c.caller.conclude(err, last, c.config.TrustNotFound && (last.Shown || !wait.IsPolling(ctx)))
	switch {
	case flaw != "":
		said := *reply.ErrorOf(err) // others may have been given the same error
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

// conclude also returns what a 404 or 410 that proves nothing lacks.
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

// found reports whether a 404 can be the service's own: the user says so, or
// something was found.
func (c *Client) found() bool { return c.config.TrustNotFound || c.transport.Found() }

// WrongAddress says why base_url is wrong; nil if it is not, or if nobody can
// tell now. Unless the run has found something there, it asks: in a best-effort
// read, also after one that failed.
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

// checkAddress reads what every service has, and says why the address is wrong,
// if it is.
func (c *Client) checkAddress(ctx context.Context, _ struct{}) (wrong, err error) {
	_, err = c.endpoints.Characters.List().Read(ctx, new(int64(1)), nil)
	failure := reply.ErrorOf(err)
	if failure == nil || failure.Proves.NotFound == reply.NotFoundNone && !failure.Said.Foreign {
		return nil, err
	}
	failure.Proves.Shared = c.transport.Shared(failure.Reason())
	return &reply.AddressError{Err: failure, Address: c.caller.address}, nil
}

// Listed is, for Judge, the result of looking an object up in a complete list
// at that route.
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

// Find reads one object, twice if it may be gone, and judges it by the last
// read.
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

// FindUnlisted judges a character that the shared list, which is complete,
// lacks. It is gone if another list lacks it too, and its capabilities are not
// found, twice: for those the interface shows no error of its own. The error is
// ErrIncompleteList if the lists contradict each other.
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
			proven := *notFound // others may have been given the same error
			proven.Proves.NotFound = reply.NotFoundProven
			return &proven
		}
		return failure
	})
	return existence, err
}

// Twice reads what may be gone, and again before that is believed: then read is
// the judge.
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

// Again reads what is said to be gone after a pause, and afresh: one replica
// may lag behind others.
func (c *Client) Again(ctx context.Context, read func(context.Context) error) error {
	if err := c.clock.Sleep(ctx, 2*time.Second); err != nil {
		return &wait.CanceledError{Cause: err}
	}
	return read(transport.Afresh(ctx))
}

package api

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

// secondRead is how long after the first answer the second one is asked for.
const secondRead = 2 * time.Second

// Judge concludes from the result of a request for one object, err, whether the object
// is gone. A deletion, which must not call done what may still be there, passes the
// evidence AsShown. The error is nil unless that is Undecided.
// If nothing was found in this run, the address may be wrong: one more request finds out.
func (c *Client) Judge(ctx context.Context, err error, last Evidence) (Existence, error) {
	// What is polled was just bought, and may be about to appear.
	existence, flaw := c.caller.conclude(err, last, c.config.TrustNotFound && (last.Shown || !wait.IsPolling(ctx)))
	switch {
	case flaw != "":
		said := *reply.ErrorOf(err) // others may have been given the same error
		if said.NotFound != reply.NotFoundProven {
			said.Shared = c.transport.Shared(flaw)
		}
		return Undecided, &UnprovenError{Err: &said, Reason: flaw}
	case existence == Undecided:
		return Undecided, err
	case existence == Gone && !c.found():
		wrong, err := c.address.Get(ctx, struct{}{})
		if err = cmp.Or(err, wrong); err != nil {
			return Undecided, err
		}
	}
	return existence, nil
}

// conclude is what the result of a request says about an object, and what the proof of a
// 404 or 410 lacks that says nothing.
func (c *caller) conclude(err error, last Evidence, trusted bool) (existence Existence, flaw string) {
	failure := reply.ErrorOf(err)
	switch {
	case err == nil:
		return Present, ""
	case failure == nil || failure.NotFound == reply.NotFoundUnsaid:
		return Undecided, ""
	}
	proven, moved := failure.NotFound == reply.NotFoundProven, c.moved(last.By)
	switch {
	case failure.NotFound == reply.NotFoundShown, trusted:
		return Gone, ""
	case !last.Shown && !moved: // variant: late-visibility
		return NotYetSeen, ""
	case proven && moved:
		return Undecided, fmt.Sprintf("it was made or last seen at %s, and base_url is now %s. Until a read there has shown it, only trust_not_found takes the service's word that it was deleted",
			last.By.Address, c.address)
	case proven && c.differs(last.By):
		return Undecided, fmt.Sprintf("the credential (%s) is not the one that saw it last, and may be of another organization", c.credential.Name)
	case proven:
		return Gone, ""
	default:
		return Undecided, fmt.Sprintf("the answer, from %s, is not the service's own, which is a JSON object with an error text. A gateway or proxy may have sent it", failure.Host)
	}
}

// found reports whether a 404 or 410 can be one of the service's own: the user says so,
// or a request was answered with what was asked for.
func (c *Client) found() bool { return c.config.TrustNotFound || c.transport.Found() }

// Listed is the result of looking an object up in a complete list, for Judge.
// route and ids are the list's.
func Listed(found bool, route string, ids ...string) error {
	if found {
		return nil
	}
	operation := transport.Get(route, ids...).Operation()
	return &reply.Error{Operation: operation, NotFound: reply.NotFoundProven, Err: errors.New("the service's list does not have it")}
}

// Find reads one object, twice if it may be gone, and judges it. The answer is
// that of the last read.
func (c *Client) Find(ctx context.Context, last Evidence, read func(context.Context) error) (existence Existence, failure, err error) {
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

// FindUnlisted judges a character that the shared list, which is complete, lacks. It is
// gone if another list lacks it too, and its capabilities are not found, twice: for
// those the service's interface shows no error of its own. The error is
// ErrIncompleteList if the lists contradict each other.
func (c *Client) FindUnlisted(ctx context.Context, id string, last Evidence) (Existence, error) {
	existence, _, err := c.Find(ctx, last, func(ctx context.Context) error {
		if transport.IsAfresh(ctx) {
			if err := c.lackAgain(ctx, id); err != nil {
				return err
			}
		}
		_, failure := c.Capabilities(ctx, id)
		if missing, is := errors.AsType[*reply.Error](failure); is && missing.NotFound == reply.NotFoundUnproven {
			proven := *missing // others may have been given the same error
			proven.NotFound = reply.NotFoundProven
			return &proven
		}
		return failure
	})
	return existence, err
}

// Twice reads something that may be gone, and reads it again before that is
// believed. The second time, read is the judge.
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

// Again reads what somebody says is gone: after a pause, and afresh, since one replica
// of the service may lag behind the others.
func (c *Client) Again(ctx context.Context, read func(context.Context) error) error {
	if err := c.clock.Sleep(ctx, secondRead); err != nil {
		return &wait.CanceledError{Cause: err}
	}
	return read(transport.Afresh(ctx))
}

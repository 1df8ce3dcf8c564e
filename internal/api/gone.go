package api

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// secondRead is how long after the first answer the second one is asked for.
const secondRead = 2 * time.Second

// Judge decides from the result of a request whether an object is gone. It asks
// for it when all reads of the object have ended: if none of this run has found
// anything, the address may be wrong, and one more request finds out.
func (c *Client) Judge(ctx context.Context, failure error, last Evidence) (Existence, error) {
	last.Awaited = wait.IsPolling(ctx)
	existence, err := c.transport.Judge(failure, last)
	if existence == Gone && !c.transport.Found() {
		wrong, err := c.address.Get(ctx, struct{}{})
		if err = cmp.Or(err, wrong); err != nil {
			return Undecided, err
		}
	}
	return existence, err
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
		if missing, is := errors.AsType[*Error](failure); is && missing.NotFound == reply.NotFoundUnproven {
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

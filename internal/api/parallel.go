package api

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// readsInFlight is how many reads that do not depend on each other a client has
// in flight. Under a limit they are fewer: they would only stand in the queue,
// before what a person waits for.
const readsInFlight = 8

// GenerationRead is what came of reading the status of one generation.
type GenerationRead struct {
	ID     string
	Status *Generation
	Err    error
}

// Generations reads each Generation, several at a time, and returns what came of
// them in the order of the ids. It ends early with the first failure that says
// nothing about its generation, as of a service that is down: no more are sent.
func (c *Client) Generations(ctx context.Context, ids []string) []GenerationRead {
	reads := make([]GenerationRead, len(ids))
	bounded, end := wait.Bound(ctx, c.clock)
	defer end()
	group, going := errgroup.WithContext(bounded)
	for i, id := range ids {
		read, places := &reads[i], readsInFlight/int64(min(c.transport.RequestsASecond(), readsInFlight))
		read.ID = id
		if c.reads.Acquire(going, places) != nil {
			read.Err = &reply.Error{Operation: "GET /generation/status/" + id, Err: wait.Ended(going)}
			break
		}
		group.Go(func() error {
			defer c.reads.Release(places)
			read.Status, read.Err = c.Generation(ctx, id)
			return read.failure()
		})
	}
	_ = group.Wait()
	for i := range reads {
		if reads[i].failure() != nil {
			return reads[:i+1]
		}
	}
	return reads
}

// failure is the error of a read that says nothing about its generation.
func (r *GenerationRead) failure() error {
	failure, is := errors.AsType[*reply.Error](r.Err)
	if is && failure.NotFound != reply.NotFoundUnsaid {
		return nil
	}
	return r.Err
}

package api

import (
	"context"
	"errors"
	"sync"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
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
	stop, stopped := context.WithCancel(bounded)
	defer stopped()
	var group sync.WaitGroup
	sent := 0
	for ; sent < len(ids); sent++ {
		places := readsInFlight / int64(min(c.transport.RequestsASecond(), readsInFlight))
		if stop.Err() != nil || c.reads.Acquire(stop, places) != nil {
			break
		}
		read := &reads[sent]
		read.ID = ids[sent]
		group.Go(func() {
			defer c.reads.Release(places)
			read.Status, read.Err = c.Generation(ctx, read.ID)
			if read.Err != nil && !isAbsence(read.Err) {
				stopped()
			}
		})
	}
	group.Wait()
	if sent < len(ids) && bounded.Err() != nil {
		reads[sent] = GenerationRead{ID: ids[sent], Err: &Error{Operation: "GET /generation/status/" + ids[sent], Err: wait.Ended(bounded)}}
		sent++
	}
	for i, read := range reads[:sent] {
		if read.Err != nil && !isAbsence(read.Err) {
			return reads[:i+1]
		}
	}
	return reads[:sent]
}

// isAbsence reports that an error is an answer about one object.
func isAbsence(err error) bool {
	failure, is := errors.AsType[*Error](err)
	return is && failure.Absence != transport.AbsenceUnsaid
}

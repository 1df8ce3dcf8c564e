package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Generation is the work for one prompt of a batch.
type Generation struct {
	GenerationID, GroupID  *string
	GenerationType, Status *reply.Text
	Progress               *int64 // 0 to 100 in known services
	ResultURLs             []string
	Error                  *reply.Text `as:"error"`
	CreatedAt, Prompt      *string
	Service                *reply.Text
	PerformanceMetadata    *string `as:"json"`
}

// Get reads GET /generation/status/{generation_id}. No word in the status
// proves that the generation is gone, not even "deleted": see
// evidence.Client.Judge.
func (s *GenerationService) Get(ctx context.Context, id string) (*Generation, error) {
	read := transport.Get("/generation/status/{generation_id}", id).
		Expect("generation_id", "status", "progress", "result_urls")
	said, err := s.client.do(ctx, read)
	if err != nil {
		return nil, err
	}
	if !said.Says() {
		nothing := fmt.Errorf("the reply shows nothing: %w", wait.ErrInconclusive) // a wait continues
		return nil, &reply.Error{
			Sent: reply.Request{Operation: read.Operation()},
			Said: reply.Answer{Status: http.StatusOK},
			Err:  nothing,
		}
	}
	return decode[Generation](said), nil
}

// maxReads is the number of independent reads that a client has in flight at
// most. Under a rate limit there are fewer: more reads would only fill the
// queue, and delay the requests that a person waits for.
const maxReads = 8

// GenerationRead is the result of reading the status of one generation.
type GenerationRead struct {
	ID     string
	Status *Generation
	Err    error
}

// GetAll reads the status of each generation, several at a time. It returns the
// results in the order of the ids. It stops at the first failure that says
// nothing about its generation (the service is down), and sends no further
// reads.
func (s *GenerationService) GetAll(ctx context.Context, ids []string) []GenerationRead {
	reads := make([]GenerationRead, len(ids))
	bounded, end := wait.Bound(ctx, s.client.clock)
	defer end()
	group, going := errgroup.WithContext(bounded)
	for i, id := range ids {
		read := &reads[i]
		places := maxReads / int64(min(s.client.transport.RequestsASecond(), maxReads))
		read.ID = id
		if s.client.reads.Acquire(going, places) != nil {
			read.Err = &reply.Error{
				Sent: reply.Request{Operation: "GET /generation/status/" + id},
				Err:  wait.Ended(going),
			}
			break
		}
		group.Go(func() error {
			defer s.client.reads.Release(places)
			read.Status, read.Err = s.Get(ctx, id)
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

// failure returns the error of a read that says nothing about its generation.
func (r *GenerationRead) failure() error {
	if failure := reply.ErrorOf(r.Err); failure != nil && failure.Proves.NotFound != reply.NotFoundNone {
		return nil
	}
	return r.Err
}

// Deletion is the reply to the deletion of a group or generation. It counts and
// names the objects that were removed and the objects that remain.
type Deletion struct {
	DeletedGenerations, FailedGenerationDeletions *int64
	FailedDeletions, TotalFailedImageDeletions    *int64
	DeletionDetails                               `reply:"details"`
	OtherIDs                                      []string `reply:"-"` // deleted, and not held by the caller
}

// DeletionDetails names the objects that a deletion removed and those that
// remain.
type DeletionDetails struct {
	DeletedGenerationIDs, FailedGenerationIDs []string
	FailedImageURLs, FailedDeletionURLs       []string
}

// Delete sends DELETE /generation/groups/{group_id}. The service deletes all
// generations of the group and their media, including generations that are not
// in held. If the reply says `success: false`, Delete returns an error and also
// the Deletion that names what remains.
func (s *GroupService) Delete(ctx context.Context, id string, held ...string) (*Deletion, error) {
	request := transport.Delete("/generation/groups/{group_id}", id).Expect("deleted_generations", "details", "success")
	return s.client.delete(ctx, request, held)
}

// Delete sends DELETE /generation/generations/{generation_id}. If the reply
// says `success: false`, it returns an error and the Deletion.
func (s *GenerationService) Delete(ctx context.Context, id string) (*Deletion, error) {
	request := transport.Delete("/generation/generations/{generation_id}", id).
		Expect("deleted_images", "details", "success")
	return s.client.delete(ctx, request, []string{id})
}

// delete sends a deletion. The Deletion lists deleted ids that are not in held
// as OtherIDs; it is nil if there is no reply.
func (c *Client) delete(ctx context.Context, request *transport.Request, held []string) (*Deletion, error) {
	said, err := c.do(ctx, request)
	if said == nil {
		return nil, err
	}
	deletion := decode[Deletion](said)
	for _, id := range deletion.DeletedGenerationIDs {
		if !slices.Contains(held, id) {
			deletion.OtherIDs = append(deletion.OtherIDs, id)
		}
	}
	return deletion, err
}

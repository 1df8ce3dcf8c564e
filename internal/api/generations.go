package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errNothingShown makes a wait continue.
var errNothingShown = fmt.Errorf("the reply shows nothing: %w", wait.ErrInconclusive)

// Generation is one piece of work of a batch.
type Generation struct {
	GenerationID, GroupID, GenerationType, Status *string
	// Progress is 0 to 100 in known services.
	Progress        *int64
	ResultURLs      []string
	Error           *string `as:"wording"`
	CreatedAt       *string
	Prompt, Service *string
	// PerformanceMetadata is normalised JSON.
	PerformanceMetadata *string `as:"json"`
}

// Deletion counts and names what a deletion, of a group or of one generation, removed and
// what remains.
type Deletion struct {
	DeletedGenerations, FailedGenerationDeletions *int64
	FailedDeletions, TotalFailedImageDeletions    *int64
	DeletionDetails                               `reply:"details"`
	// OtherIDs are the deleted generations that the caller does not hold.
	OtherIDs []string `reply:"-"`
}

// DeletionDetails name what a deletion removed and what remains.
type DeletionDetails struct {
	DeletedGenerationIDs, FailedGenerationIDs []string
	FailedImageURLs, FailedDeletionURLs       []string
}

// Generation reads GET /generation/status/{generation_id}. A generation that
// the service shows as deleted is gone: see Judge.
func (c *Client) Generation(ctx context.Context, id string) (*Generation, error) {
	read := transport.Get("/generation/status/{generation_id}", id).Expect("generation_id", "status", "progress", "result_urls")
	said, err := c.do(ctx, read)
	if err != nil {
		return nil, err
	}
	if !said.Says() {
		return nil, &reply.Error{Operation: read.Operation(), Status: http.StatusOK, Err: errNothingShown}
	}
	generation := decode[Generation](said)
	if generation.isDeleted() {
		return nil, &reply.Error{Operation: read.Operation(), NotFound: reply.NotFoundShown, Err: errDeleted}
	}
	return generation, nil
}

// DeleteGroup sends DELETE /generation/groups/{group_id}, which deletes the
// generations of the group and their media, also those that the caller does not
// hold. With `success: false` it returns both an error and the result that names
// what remains.
func (c *Client) DeleteGroup(ctx context.Context, id string, held ...string) (*Deletion, error) {
	request := transport.Delete("/generation/groups/{group_id}", id).Expect("deleted_generations", "details", "success")
	return c.delete(ctx, &logEntry{Type: "delete_group", GroupID: id}, request, held)
}

// DeleteGeneration sends DELETE /generation/generations/{generation_id}, which
// deletes the generation and its media, and returns the same.
func (c *Client) DeleteGeneration(ctx context.Context, id string) (*Deletion, error) {
	request := transport.Delete("/generation/generations/{generation_id}", id).Expect("deleted_images", "details", "success")
	return c.delete(ctx, &logEntry{Type: "delete_generation", GenerationID: id}, request, []string{id})
}

func (c *Client) delete(ctx context.Context, entry *logEntry, request *transport.Request, held []string) (*Deletion, error) {
	c.log.begin(entry)
	reply, err := c.do(ctx, request)
	deletion := decode[Deletion](reply)
	deletion.OtherIDs = slices.DeleteFunc(slices.Clone(deletion.DeletedGenerationIDs), func(id string) bool { return slices.Contains(held, id) })
	entry.OtherIDs, entry.Left = deletion.OtherIDs, deletion.FailedGenerationIDs
	c.log.after(entry, err)
	if reply == nil {
		return nil, err
	}
	return deletion, err
}

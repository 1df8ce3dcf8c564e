package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errNothingShown makes a wait continue.
var errNothingShown = fmt.Errorf("the reply shows nothing: %w", wait.ErrInconclusive)

// Generation is one piece of work of a batch.
type Generation struct {
	GenerationID, GroupID, GenerationType, Status *string
	// Progress is 0 to 100 in known services.
	Progress         *int64
	ResultURLs       []string
	Error, CreatedAt *string
	Prompt, Service  *string
	// PerformanceMetadata is normalised JSON.
	PerformanceMetadata *string
}

// GroupDeletion counts and names what a deletion removed and what remains.
type GroupDeletion struct {
	DeletedGenerations, FailedGenerationDeletions *int64
	TotalFailedImageDeletions                     *int64
	DeletedGenerationIDs, FailedGenerationIDs     []string
	FailedImageURLs                               []string
	// OtherIDs are the deleted generations that the caller does not hold.
	OtherIDs []string
}

// GenerationDeletion counts and names the images that a deletion has left.
type GenerationDeletion struct {
	FailedDeletions    *int64
	FailedDeletionURLs []string
}

// Generation reads GET /generation/status/{generation_id}. A generation that
// the service shows as deleted is gone: see Judge.
func (c *Client) Generation(ctx context.Context, id string) (*Generation, error) {
	read := transport.Get("/generation/status/{generation_id}", id).Expect("generation_id", "status", "progress", "result_urls")
	reply, err := c.do(ctx, read)
	if err != nil {
		return nil, err
	}
	if !reply.Says() {
		return nil, &Error{Operation: read.Operation(), Status: http.StatusOK, Err: errNothingShown}
	}
	generation := decodeGeneration(reply)
	if generation.isDeleted() {
		return nil, &Error{Operation: read.Operation(), NotFound: transport.NotFoundShown, Err: errDeleted}
	}
	return generation, nil
}

func decodeGeneration(object transport.Object) *Generation {
	return &Generation{
		GenerationID:        object.Text("generation_id", "id"),
		GroupID:             object.Text("group_id"),
		GenerationType:      object.Text("generation_type"),
		Status:              object.Text("status"),
		Progress:            object.Integer("progress"),
		ResultURLs:          object.Texts("result_urls"),
		Error:               object.Wording("error"),
		CreatedAt:           object.Text("created_at"),
		Prompt:              object.Text("prompt"),
		Service:             object.Text("service"),
		PerformanceMetadata: object.JSON("performance_metadata"),
	}
}

// DeleteGroup sends DELETE /generation/groups/{group_id}, which deletes the
// generations of the group and their media, also those that the caller does not
// hold. With `success: false` it returns both an error and the result that names
// what remains.
func (c *Client) DeleteGroup(ctx context.Context, id string, held ...string) (*GroupDeletion, error) {
	entry := c.log.begin(&logEntry{Type: "delete_group", GroupID: id})
	reply, err := c.do(ctx, transport.Delete("/generation/groups/{group_id}", id).Expect("deleted_generations", "details", "success"))
	details := reply.Object("details")
	deleted := details.Texts("deleted_generation_ids")
	others := slices.DeleteFunc(slices.Clone(deleted), func(id string) bool { return slices.Contains(held, id) })
	entry.OtherIDs, entry.Left = others, details.Texts("failed_generation_ids")
	c.log.settle(entry, err)
	if reply == nil {
		return nil, err
	}
	return &GroupDeletion{
		DeletedGenerations:        reply.Integer("deleted_generations"),
		FailedGenerationDeletions: reply.Integer("failed_generation_deletions"),
		TotalFailedImageDeletions: reply.Integer("total_failed_image_deletions"),
		DeletedGenerationIDs:      deleted,
		FailedGenerationIDs:       entry.Left,
		FailedImageURLs:           details.Texts("failed_image_urls"),
		OtherIDs:                  others,
	}, err
}

// DeleteGeneration sends DELETE /generation/generations/{generation_id}, which
// deletes the generation and its media. With `success: false` it returns both
// an error and the result that names what remains.
func (c *Client) DeleteGeneration(ctx context.Context, id string) (*GenerationDeletion, error) {
	entry := c.log.begin(&logEntry{Type: "delete_generation", GenerationID: id})
	reply, err := c.do(ctx, transport.Delete("/generation/generations/{generation_id}", id).Expect("deleted_images", "details", "success"))
	c.log.settle(entry, err)
	if reply == nil {
		return nil, err
	}
	return &GenerationDeletion{
		FailedDeletions:    reply.Integer("failed_deletions"),
		FailedDeletionURLs: reply.Object("details").Texts("failed_deletion_urls"),
	}, err
}

package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errNothingShown makes a wait look again.
var errNothingShown = fmt.Errorf("the reply shows nothing: %w", wait.ErrInconclusive)

// Generation is one piece of work of a batch.
type Generation struct {
	GenerationID, GroupID, GenerationType, Status *string
	// Progress is 0 to 100 at the services that we know.
	Progress         *int64
	ResultURLs       []string
	Error, CreatedAt *string
	Prompt, Service  *string
	// PerformanceMetadata is normalised JSON.
	PerformanceMetadata *string
}

// GroupDeletion counts and names what a deletion removed and what it left.
type GroupDeletion struct {
	Message, GroupID, GroupTitle                  *string
	DeletedGenerations, FailedGenerationDeletions *int64
	TotalDeletedImages, TotalFailedImageDeletions *int64
	DeletedGenerationIDs, FailedGenerationIDs     []string
	DeletedImageURLs, FailedImageURLs             []string
}

// GenerationDeletion counts and names what a deletion removed and what it left.
type GenerationDeletion struct {
	Message, GenerationID, GroupID       *string
	DeletedImages, FailedDeletions       *int64
	DeletedImageURLs, FailedDeletionURLs []string
}

// Generation reads GET /generation/status/{generation_id}. One that the service
// still shows, but as deleted, is gone: see AbsenceShown.
func (c *Client) Generation(ctx context.Context, id string) (*Generation, error) {
	read := get("/generation/status/{generation_id}", id).expect("generation_id", "status", "progress", "result_urls")
	reply, err := c.do(ctx, read)
	if err != nil {
		return nil, err
	}
	if !reply.says() {
		return nil, &Error{Operation: read.operation(), Status: http.StatusOK, Err: errNothingShown}
	}
	generation := &Generation{
		GenerationID:        reply.text("generation_id", "id"),
		GroupID:             reply.text("group_id"),
		GenerationType:      reply.text("generation_type"),
		Status:              reply.text("status"),
		Progress:            reply.integer("progress"),
		ResultURLs:          reply.texts("result_urls"),
		Error:               reply.wording("error"),
		CreatedAt:           reply.text("created_at"),
		Prompt:              reply.text("prompt"),
		Service:             reply.text("service"),
		PerformanceMetadata: reply.json("performance_metadata"),
	}
	if generation.isDeleted() {
		return nil, &Error{Operation: read.operation(), Absence: AbsenceShown, Err: errDeleted}
	}
	return generation, nil
}

// DeleteGroup sends DELETE /generation/groups/{group_id}: the generations of
// the group and their media are gone afterwards. With `success: false` there
// are both an error and the result that names what is left.
func (c *Client) DeleteGroup(ctx context.Context, id string) (*GroupDeletion, error) {
	reply, err := c.do(ctx, remove("/generation/groups/{group_id}", id).expect("deleted_generations", "details", "success"))
	if reply == nil {
		return nil, err
	}
	details := reply.object("details")
	return &GroupDeletion{
		Message:                   reply.text("message"),
		GroupID:                   reply.text("group_id"),
		GroupTitle:                reply.text("group_title"),
		DeletedGenerations:        reply.integer("deleted_generations"),
		FailedGenerationDeletions: reply.integer("failed_generation_deletions"),
		TotalDeletedImages:        reply.integer("total_deleted_images"),
		TotalFailedImageDeletions: reply.integer("total_failed_image_deletions"),
		DeletedGenerationIDs:      details.texts("deleted_generation_ids"),
		FailedGenerationIDs:       details.texts("failed_generation_ids"),
		DeletedImageURLs:          details.texts("deleted_image_urls"),
		FailedImageURLs:           details.texts("failed_image_urls"),
	}, err
}

// DeleteGeneration sends DELETE /generation/generations/{generation_id}: the
// generation and its media are gone afterwards. With `success: false` there
// are both an error and the result that names what is left.
func (c *Client) DeleteGeneration(ctx context.Context, id string) (*GenerationDeletion, error) {
	reply, err := c.do(ctx, remove("/generation/generations/{generation_id}", id).expect("deleted_images", "details", "success"))
	if reply == nil {
		return nil, err
	}
	details := reply.object("details")
	return &GenerationDeletion{
		Message:            reply.text("message"),
		GenerationID:       reply.text("generation_id"),
		GroupID:            reply.text("group_id"),
		DeletedImages:      reply.integer("deleted_images"),
		FailedDeletions:    reply.integer("failed_deletions"),
		DeletedImageURLs:   details.texts("deleted_image_urls"),
		FailedDeletionURLs: details.texts("failed_deletion_urls"),
	}, err
}

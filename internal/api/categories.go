package api

import (
	"context"
	"fmt"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// maxWord limits, in characters, what is shown of a job's id and status.
const maxWord = 100

// CategoriesRequest asks what an image or video shows.
type CategoriesRequest struct {
	MediaURL string `json:"media_url"`
	// Metadata are the lists to fill: participants, categories, actions, scene,
	// tags.
	Metadata []string `json:"metadata"`
	// UseScenes analyses one frame per scene of a video; nil means no.
	UseScenes *bool `json:"use_scenes,omitempty"`
}

// Categories contains the requested lists; the others are empty.
type Categories struct {
	Participants, Categories, Actions, Scene, Tags []string
}

// CategorizationJobError says that the service started a job instead of
// replying with a result, as some do for videos. The interface has no way to
// read its result.
type CategorizationJobError struct{ JobID, Status string }

// Error returns one line that names the job.
func (e *CategorizationJobError) Error() string {
	return fmt.Sprintf("the service answered with a job (job_id %q, status %q) and no metadata", e.JobID, e.Status)
}

// Categorize sends POST /media/categories. All requested lists may be empty.
// Its outcome may be unknown, see IsOutcomeUnknown.
func (c *Client) Categorize(ctx context.Context, request CategoriesRequest) (*Categories, error) {
	call := transport.Post("/media/categories").Paid().JSON(request).Expect("metadata", "job_id")
	reply, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	metadata, status := reply.Object("metadata"), value(reply.Text("status"))
	job := reply.Text("job_id")
	switch {
	case metadata.Says():
	case job != nil && PhaseOfWord(status) != Succeeded:
		return nil, &Error{Operation: call.Operation(), Sent: true, Err: &CategorizationJobError{
			JobID: transport.Sanitize(*job, maxWord), Status: transport.Sanitize(status, maxWord),
		}}
	case metadata == nil || runningWords[plainWord(status)]:
		return nil, c.transport.WithoutResult(call, reply)
	}
	return &Categories{
		Participants: metadata.Texts("participants"),
		Categories:   metadata.Texts("categories"),
		Actions:      metadata.Texts("actions"),
		Scene:        metadata.Texts("scene"),
		Tags:         metadata.Texts("tags"),
	}, nil
}

package api

import (
	"context"
	"fmt"
)

// CategoriesRequest asks what a medium shows.
type CategoriesRequest struct {
	MediaURL string `json:"media_url"`
	// Metadata are the lists to fill: participants, categories, actions, scene,
	// tags.
	Metadata []string `json:"metadata"`
	// UseScenes has one frame a scene of a video looked at; nil is no.
	UseScenes *bool `json:"use_scenes,omitempty"`
}

// Categories are the lists that were asked for; the others are empty.
type Categories struct {
	Participants, Categories, Actions, Scene, Tags []string
}

// CategorizationJobError says that the service began a job in place of an
// answer, as some do for videos. The interface has no way to read its result.
type CategorizationJobError struct{ JobID, Status string }

// Error names the job.
func (e *CategorizationJobError) Error() string {
	return fmt.Sprintf("the service answered with a job (job_id %q, status %q) and no metadata", e.JobID, e.Status)
}

// Categorize sends POST /media/categories. A medium may show nothing of what
// was asked for. Its outcome may be unknown, see IsOutcomeUnknown.
func (c *Client) Categorize(ctx context.Context, request CategoriesRequest) (*Categories, error) {
	call := post("/media/categories").json(request).expect("metadata", "job_id")
	reply, err := c.do(ctx, call)
	if err != nil {
		return nil, err
	}
	metadata, status := reply.object("metadata"), value(reply.text("status"))
	job := reply.text("job_id")
	switch {
	case metadata.says():
	case job != nil && PhaseOfWord(status) != Succeeded:
		return nil, &Error{Operation: call.operation(), Sent: true, Err: &CategorizationJobError{
			JobID: tame(*job, maxCode), Status: tame(status, maxCode),
		}}
	case metadata == nil || runningWords[plainWord(status)]:
		return nil, c.withoutResult(call, reply)
	}
	return &Categories{
		Participants: metadata.texts("participants"),
		Categories:   metadata.texts("categories"),
		Actions:      metadata.texts("actions"),
		Scene:        metadata.texts("scene"),
		Tags:         metadata.texts("tags"),
	}, nil
}

package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// CategoriesRequest asks for the contents of an image or video. Metadata names
// the lists to fill, in lower case. UseScenes requests the analysis of one
// frame per scene of a video; nil means no.
type CategoriesRequest struct {
	MediaURL  string   `json:"media_url"`
	Metadata  []string `json:"metadata"`
	UseScenes *bool    `json:"use_scenes,omitempty"`
}

// Categories contains the requested lists. All other lists are empty.
type Categories struct {
	Participants, Categories, Actions, Scene, Tags []string
}

// CategorizationJobError means that the service replied with a job instead of a
// result. Some services do so for videos.
type CategorizationJobError struct {
	JobID, Status reply.Text
	// Err is why the result of the job could not be read. It is nil if no read was
	// tried, because only an optional endpoint shows the result.
	Err error
}

// Error names the job. The job may be paid for, and its result can be read
// later.
func (e *CategorizationJobError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf(
			"the service answered with a job (job_id %q), and its result could not be read: %s",
			e.JobID,
			e.Err,
		)
	}
	return fmt.Sprintf("the service answered with a job (job_id %q, status %q) and no metadata", e.JobID, e.Status)
}

func (e *CategorizationJobError) Unwrap() error { return e.Err }

// Categorize sends POST /media/categories. All requested lists may be empty.
// The outcome may be unknown, see IsEffectUnknown. The error is a
// CategorizationJobError if the service answers with a job instead.
func (s *ModelService) Categorize(ctx context.Context, request CategoriesRequest) (*Categories, error) {
	call := transport.Post("/media/categories").Makes().JSON(request).Expect("metadata", "job_id")
	said, err := s.client.do(ctx, call)
	if err != nil {
		return nil, err
	}
	metadata := said.Object("metadata")
	status := reply.ValueOf(said.Text("status"))
	job := said.Text("job_id")
	switch {
	case metadata.Says():
	case job != nil && PhaseOfWord(status) != Succeeded: // variant: category-job
		return nil, &reply.Error{
			Sent: reply.Request{Operation: call.Operation(), Connected: true},
			Err:  &CategorizationJobError{JobID: reply.Text(*job), Status: reply.Text(status)},
		}
	case metadata == nil || isOneOf(runningWords, status):
		return nil, s.client.transport.WithoutResult(call, said)
	}
	return decode[Categories](metadata), nil
}

// CategoriesJobRoute is the route of CategoriesJob, which a deployment may
// lack.
const CategoriesJobRoute = "/media/categories/{job_id}"

// CategoriesJob reads GET /media/categories/{job_id}. It returns the status of
// the job and, once the job has succeeded, the contents of all moments of the
// video.
func (s *ModelService) CategoriesJob(ctx context.Context, job string) (status string, found *Categories, err error) {
	said, err := s.client.do(ctx, transport.Get(CategoriesJobRoute, job).Expect("status", "results"))
	if err != nil {
		return "", nil, err
	}
	return reply.ValueOf(said.Text("status")), categoriesOf(said), nil
}

// categoriesOf merges the contents of all moments of a video. Each text appears
// once in its list.
func categoriesOf(said reply.Object) *Categories {
	found := &Categories{}
	moments, _ := said.Objects("results")
	for _, moment := range moments {
		for name, list := range map[string]*[]string{
			"participants": &found.Participants,
			"categories":   &found.Categories,
			"actions":      &found.Actions,
			"scene":        &found.Scene,
			"tags":         &found.Tags,
		} {
			for _, text := range moment.Texts(name) {
				if !slices.Contains(*list, text) {
					*list = append(*list, text)
				}
			}
		}
	}
	return found
}

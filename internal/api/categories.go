package api

import (
	"context"
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// CategoriesRequest asks what an image or video shows. Metadata are the lists
// to fill, by their names in lower case; UseScenes analyses one frame per scene
// of a video, nil means no.
type CategoriesRequest struct {
	MediaURL  string   `json:"media_url"`
	Metadata  []string `json:"metadata"`
	UseScenes *bool    `json:"use_scenes,omitempty"`
}

// Categories contains the requested lists; the others are empty.
type Categories struct {
	Participants, Categories, Actions, Scene, Tags []string
}

// CategorizationJobError says that the service replied with a job, as some do
// for videos.
type CategorizationJobError struct {
	JobID, Status reply.Text
	// Err is why the result of the job could not be read; nil if that was not
	// tried: only an optional endpoint shows it.
	Err error
}

// Error names the job, which can be asked for later: it may be paid for.
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
// Its outcome may be unknown, see IsEffectUnknown. The error is a
// CategorizationJobError if the service answers with a job instead.
func (s *ModelService) Categorize(ctx context.Context, request CategoriesRequest) (*Categories, error) {
	call := transport.Post("/media/categories").Paid().JSON(request).Expect("metadata", "job_id")
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

// CategoriesJobRoute is the route of CategoriesJob, which a deployment may lack.
const CategoriesJobRoute = "/media/categories/{job_id}"

// CategoriesJob reads GET /media/categories/{job_id}: the status of the job, and
// what all moments of the video show once it has succeeded.
func (s *ModelService) CategoriesJob(ctx context.Context, job string) (status string, found *Categories, err error) {
	said, err := s.client.do(ctx, transport.Get(CategoriesJobRoute, job).Expect("status", "results"))
	if err != nil {
		return "", nil, err
	}
	return reply.ValueOf(said.Text("status")), categoriesOf(said), nil
}

// categoriesOf names each thing that the moments of a video show once.
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

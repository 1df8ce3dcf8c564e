package evidence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Models are the models to which a run sends questions.
type Models struct {
	*api.ModelService
	client *Client
}

// Categorize asks for the contents of an image or video. If the service answers
// with a job and the deployment shows jobs, Categorize waits for the job.
func (s *Models) Categorize(ctx context.Context, request api.CategoriesRequest) (*api.Categories, error) {
	found, err := s.ModelService.Categorize(ctx, request)
	job, isJob := errors.AsType[*api.CategorizationJobError](err)
	if !isJob {
		return found, err
	}
	found, job.Err = s.awaitCategories(ctx, string(job.JobID))
	if found != nil {
		return found, nil
	}
	return nil, err
}

// awaitCategories polls a job for up to ten minutes. It returns nil without an
// error if the deployment does not show jobs, or does not find the job after
// half a minute.
func (s *Models) awaitCategories(ctx context.Context, job string) (found *api.Categories, err error) {
	if !s.client.mayHave(api.CategoriesJobRoute) {
		return nil, nil
	}
	schedule := wait.Schedule{
		First: 5 * time.Second,
		Min:   5 * time.Second,
		Max:   30 * time.Second,
	}
	began := s.client.clock.Now()
	err = wait.Poll(
		wait.Within(ctx, s.client.clock, 10*time.Minute),
		s.client.clock,
		schedule.Next,
		nil,
		func(ctx context.Context) (ended bool, err error) {
			status, shown, err := s.CategoriesJob(ctx, job)
			_ = s.client.optional.noteResult(api.CategoriesJobRoute, job, err)
			if reply.IsNotFound(err) {
				return s.client.clock.Now().Sub(began) > 30*time.Second, nil
			}
			if err != nil {
				return false, err
			}
			switch api.PhaseOfWord(status) {
			case api.Running:
				return false, nil
			case api.Succeeded:
				found = shown
				return true, nil
			default:
				return false, fmt.Errorf("the job has failed (status %q)", reply.Text(status))
			}
		},
	)
	return found, err
}

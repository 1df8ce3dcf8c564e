package training

import (
	"context"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// isCancelled reports whether a destroy cancels the job while it runs.
func (t *training) isCancelled() bool { return t.private.Started && len(t.private.Shared) == 0 }

// whyLeft says why a destroy does not.
func (t *training) whyLeft(forgets string) string {
	reason := "this resource has not started it"
	switch {
	case framework.IsUnconfirmedID(t.model.ID):
		reason = "no answer has named its job"
	case t.private.Started:
		reason = "another resource holds it"
	}
	return fmt.Sprintf("The %s %s: %s. While it runs, no other of its kind can start; the action mediagen_cancel_training cancels a job.", t.Object(), forgets, reason)
}

// cancel cancels the job unless it has ended, and waits until it ends in any
// way. A character or job that is proven gone needs nothing.
func (t *training) cancel(ctx context.Context) (sent bool, err error) {
	ended, _, err := t.readEnded(ctx, false)
	if ended || err != nil {
		return false, err
	}
	defer t.data.Client.ForgetTraining(t.characterID())
	failure := t.data.Client.CancelTraining(ctx, t.characterID(), t.jobID())
	existence, refusal := t.data.Client.Judge(ctx, failure, t.private.AsShown())
	switch existence {
	case api.Gone:
		return true, nil
	case api.Present:
		t.private.Evidence = t.data.Client.Seen(t.private.Evidence) // by the cancellation: from now on it can vanish
	default:
		// It may have ended, be ending, or only the reply was lost.
		ctx = wait.Within(ctx, t.data.Clock, framework.PropagationTimeout)
	}
	schedule := wait.Schedule{First: 2 * time.Second, Shortest: 20 * time.Second, Longest: 20 * time.Second}
	err = wait.Poll(ctx, t.data.Clock, schedule.Next, t.progress, func(ctx context.Context) (bool, error) {
		ended, status, err := t.readEnded(ctx, true)
		// A cancelled job has ended once nothing is active, whatever its status
		// and place.
		return ended || refusal == nil && status != nil && saysIdle(status), err
	})
	if err != nil && refusal != nil {
		return true, refusal
	}
	return true, err
}

// readEnded reports whether nothing is left to cancel. A status that does not show the
// job says so only after a cancellation. status is nil if the read failed.
func (t *training) readEnded(ctx context.Context, cancelled bool) (ended bool, status *api.TrainingStatus, err error) {
	status, failure := t.data.Client.TrainingStatus(ctx, t.characterID())
	existence, err := t.data.Client.Judge(ctx, failure, t.private.AsShown())
	if existence != api.Present {
		return existence == api.Gone, nil, err
	}
	job := findJob(status, t.jobID())
	if job.state == jobNotShown {
		// A job that was never shown may still appear, and one that was shown
		// may be the one that a service calls active without listing it.
		return cancelled && t.private.Shown && (saysIdle(status) || otherRuns(jobsOf(status), t.jobID())), status, nil
	}
	t.storeJob(job)
	return job.state != jobRunning, status, nil
}

package work

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// isCancelled reports whether a destroy cancels the job while it runs.
func (t *training) isCancelled() bool { return t.private.Started && len(t.private.Shared) == 0 }

// cancelOrForget cancels a running training, or says why it is left running.
func (t *training) cancelOrForget(ctx context.Context, diags *diag.Diagnostics) {
	if !t.model.isRunning() {
		return
	}
	t.private.Shared = t.data.Trainings.Release(t.heldAs(t.jobID()), t.holder, t.private.Shared...)
	if !t.isCancelled() {
		diags.Append(t.wasNotCancelled())
		return
	}
	if !t.data.Ready(diags) {
		return
	}
	_, err := t.cancel(ctx)
	t.progress.Say(t.statusLine())
	if err != nil {
		stays := "The training may still run, and stays in the state; destroy again to finish."
		diags.Append(t.failure("Cancel", stays).Error(err))
	}
}

// cancel cancels the job unless it has ended, and waits until it ends in any
// way.
func (t *training) cancel(ctx context.Context) (sent bool, err error) {
	ended, _, err := t.readEnded(ctx, false)
	if ended || err != nil {
		return false, err
	}
	defer t.data.Client.Trainings.Refresh(t.characterID())
	isGone, refusal := t.sendCancellation(ctx)
	if isGone {
		return true, nil
	}
	if refusal != nil && !reply.IsBusy(refusal) { // it may have ended, be ending, or only the reply was lost
		ctx = wait.Within(ctx, t.data.Clock, framework.PropagationTimeout)
	}
	return true, t.awaitCancelled(ctx, refusal)
}

func (t *training) sendCancellation(ctx context.Context) (isGone bool, refusal error) {
	failure := t.data.Client.Trainings.Cancel(ctx, t.characterID(), t.jobID())
	existence, refusal := t.data.Client.Judge(ctx, failure, t.private.AsShown())
	if existence == api.Present {
		t.private.Evidence = t.data.Client.Seen(t.private.Evidence) // by the cancellation: from now on it can vanish
	}
	return existence == api.Gone, refusal
}

// awaitCancelled waits until the job ends. While it is busy, as one that only
// starts may be, each poll cancels it again: so does the error at the end quote
// the last refusal.
func (t *training) awaitCancelled(ctx context.Context, refusal error) error {
	schedule := wait.Schedule{
		First: 2 * time.Second,
		Min:   20 * time.Second,
		Max:   20 * time.Second,
	}
	isFirst := true
	err := wait.Poll(ctx, t.data.Clock, schedule.Next, t.progress, func(ctx context.Context) (isGone bool, err error) {
		if reply.IsBusy(refusal) && !isFirst {
			isGone, refusal = t.sendCancellation(ctx)
			if isGone {
				return true, nil
			}
		}
		isFirst = false
		ended, status, err := t.readEnded(ctx, true)
		// A cancelled job has ended once nothing is active, whatever its status
		// and place.
		isCancelled := refusal == nil && status != nil && saysIdle(status)
		return ended || isCancelled, err
	})
	timeout, isTimeout := errors.AsType[*wait.TimeoutError](err)
	switch {
	case reply.IsBusy(refusal) && isTimeout:
		timeout.Last = refusal
	case err != nil && refusal != nil && !reply.IsBusy(refusal):
		return refusal
	}
	return err
}

// readEnded reports whether nothing is left to cancel: if the status does not
// show the job, only after a cancellation. status is nil if the read failed.
func (t *training) readEnded(ctx context.Context, cancelled bool) (ended bool, status *api.TrainingStatus, err error) {
	status, failure := t.data.Client.Trainings.Status(ctx, t.characterID())
	existence, err := t.data.Client.Judge(ctx, failure, t.private.AsShown())
	if existence != api.Present {
		return existence == api.Gone, nil, err
	}
	job := findJob(status, t.jobID())
	if job.state == jobNotShown {
		t.status = status
		// One that was never shown may still appear; one that was may be active
		// without being listed.
		runsNot := saysIdle(status) || otherRuns(jobsOf(status), t.jobID())
		return cancelled && t.private.Shown && runsNot, status, nil
	}
	t.storeJob(job)
	return job.state != jobRunning, status, nil
}

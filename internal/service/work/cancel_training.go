package work

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
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
		diags.Append(t.ending().wasNotCancelled())
		return
	}
	if !t.data.Ready(diags) {
		return
	}
	_, err := (&cancellation{training: t}).cancel(ctx)
	t.progress.Say(t.statusLine())
	if err != nil {
		stays := "The training may still run, and stays in the state; destroy again to finish."
		diags.Append(t.failure("Cancel", stays).Error(err))
	}
}

// cancellation cancels the job of a training, and waits for its end.
type cancellation struct {
	*training

	refusal error // the last reply to a cancellation; nil if the service accepted it
}

// cancel cancels the job unless it has ended, and waits for any end.
func (c *cancellation) cancel(ctx context.Context) (sent bool, err error) {
	ended, _, err := c.readEnded(ctx, false)
	if ended || err != nil {
		return false, err
	}
	defer c.data.Client.Trainings.Refresh(c.characterID())
	if c.send(ctx) {
		return true, nil
	}
	if c.refusal != nil && !c.isBusy() { // the job may have ended or be ending, or only the reply was lost
		ctx = wait.Within(ctx, c.data.Clock, propagationTimeout)
	}
	return true, c.await(ctx)
}

// isBusy reports whether the service refused because the job is only starting.
func (c *cancellation) isBusy() bool { return reply.IsBusy(c.refusal) }

// send cancels the job, and reports whether the service proves it gone.
func (c *cancellation) send(ctx context.Context) (isGone bool) {
	failure := c.data.CancelTraining(ctx, c.characterID(), c.jobID())
	existence, refusal := c.data.Client.Judge(ctx, failure, c.private.AsShown())
	c.refusal = refusal
	if existence == evidence.Present {
		c.private.Evidence = c.data.Client.Seen(c.private.Evidence) // the service has shown the job: now it can vanish
	}
	return existence == evidence.Gone
}

// await waits until the job ends. A job that is just starting may answer that it
// is busy. Each poll then repeats the cancellation, so that the final error
// quotes the service's latest refusal.
func (c *cancellation) await(ctx context.Context) error {
	schedule := wait.Schedule{
		First: 2 * time.Second,
		Min:   20 * time.Second,
		Max:   20 * time.Second,
	}
	isFirst := true
	err := wait.Poll(ctx, c.data.Clock, schedule.Next, c.progress, func(ctx context.Context) (isGone bool, err error) {
		if c.isBusy() && !isFirst && c.send(ctx) {
			return true, nil
		}
		isFirst = false
		ended, status, err := c.readEnded(ctx, true)
		// A cancelled job has ended once the service says that nothing is
		// active, whatever the job's status and place are.
		isCancelled := c.refusal == nil && status != nil && saysIdle(status)
		return ended || isCancelled, err
	})
	timeout, isTimeout := errors.AsType[*wait.TimeoutError](err)
	switch {
	case c.isBusy() && isTimeout:
		timeout.Last = c.refusal
	case err != nil && c.refusal != nil && !c.isBusy():
		return c.refusal
	}
	return err
}

// readEnded reports whether nothing is left to cancel. If the status does not
// show the job, that is true only after a cancellation. status is nil if the
// read failed.
func (c *cancellation) readEnded(
	ctx context.Context,
	cancelled bool,
) (ended bool, status *api.TrainingStatus, err error) {
	status, failure := c.data.Client.Trainings.Status(ctx, c.characterID())
	existence, err := c.data.Client.Judge(ctx, failure, c.private.AsShown())
	if existence != evidence.Present {
		return existence == evidence.Gone, nil, err
	}
	job := findJob(status, c.jobID())
	if job.state == jobNotShown {
		c.status = status
		// A job that was never shown may still appear. A job that was shown may
		// be active without being listed.
		runsNot := saysIdle(status) || otherRuns(jobsOf(status), c.jobID())
		return cancelled && c.private.Shown && runsNot, status, nil
	}
	c.storeJob(job)
	return job.state != jobRunning, status, nil
}

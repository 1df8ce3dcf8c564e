package training

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ framework.Managed = (*trainingResource)(nil)

// trainingResource is mediagen_body_lora_training or
// mediagen_face_lora_training.
type trainingResource struct {
	framework.WorkResource[*training]
	kind kind
}

const waitTimeout, cancelTimeout = 3 * time.Hour, 10 * time.Minute // the defaults, of the actions too

// kind is what body and face trainings differ in.
type kind struct {
	api.TrainingKind
	typeName    string // without the provider's
	lora, title string // for sentences and summaries
	inferred    string // that the interface does not document the start; empty if it does
	body        bool
	// What the service says about the LoRA, and about a start.
	status     func(*api.TrainingStatus) *reply.Text
	canStart   func(*api.TrainingStatus) *bool
	capability func(*api.Capabilities) *api.LoRA
}

var (
	bodyLoRA = kind{
		TrainingKind: api.BodyTraining,
		typeName:     "body_lora_training",
		lora:         "body",
		title:        "Body LoRA",
		body:         true,
		status:       func(s *api.TrainingStatus) *reply.Text { return s.BodyLoRAStatus },
		canStart:     func(s *api.TrainingStatus) *bool { return s.CanStartBodyTraining },
		capability:   func(c *api.Capabilities) *api.LoRA { return c.BodyLoRA },
	}
	faceLoRA = kind{
		TrainingKind: api.FaceTraining,
		typeName:     "face_lora_training",
		lora:         "face",
		title:        "Face LoRA",
		inferred: "The path that starts a face training is inferred, not documented by the service, and costs " +
			"credits. A deployment with another path answers with an error, and nothing is bought.",
		status:     func(s *api.TrainingStatus) *reply.Text { return s.FaceLoRAStatus },
		canStart:   func(s *api.TrainingStatus) *bool { return s.CanStartFaceTraining },
		capability: func(c *api.Capabilities) *api.LoRA { return c.FaceLoRA },
	}
	// unknownLoRA is the kind of a job that only a person has named.
	unknownLoRA = kind{title: "LoRA"}
)

// resource is late, since the id of a job whose start got no reply is found
// later.
func (k kind) resource() resource.Resource {
	return &trainingResource{framework.WorkResource[*training]{
		Identified: framework.Identified{
			Resource: framework.Resource{Name: k.typeName},
			IDs:      framework.OfCharacter("id", "job_id", "Id of the training job."),
			Late:     true,
			Defaults: map[string]any{"wait_for_completion": true},
			Buys:     purchases.KindTraining,
		},
		Verb:     "Start",
		Noun:     k.title + " Training",
		Inferred: k.inferred,
		Makes:    framework.LoRA,
		Inputs:   []string{"triggers"},
		Load:     k.load,
		Timeouts: framework.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout},
	}, k}
}

// Delete cancels only what our own request has started and no other object holds.
func (r *trainingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	t := r.Load(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	defer func() {
		if !resp.Diagnostics.HasError() {
			r.Forget(ctx, req.Private, t)
		}
	}()
	if !t.model.isRunning() {
		return
	}
	t.private.Shared = r.Data.Trainings.Release(t.holding(t.jobID()), t.holder, t.private.Shared...)
	if !t.isCancelled() {
		resp.Diagnostics.AddWarning(
			t.Summary("Running Training Was Not Cancelled"),
			t.whyLeft("may still run. The destroy has only forgotten it"),
		)
		return
	}
	if !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	_, err := t.cancel(r.Timeouts.Limit(ctx, r.Data.Clock, t.model.Timeouts, "delete"))
	t.progress.Say(t.statusLine())
	if err != nil {
		resp.Diagnostics.Append(
			t.failure("Cancel", "The training may still run, and stays in the state; destroy again to finish.").
				Error(err),
		)
	}
}

// isCancelled reports whether a destroy cancels the job while it runs.
func (t *training) isCancelled() bool { return t.private.Started && len(t.private.Shared) == 0 }

// whyLeft says why a running job is not cancelled when its resource ends.
func (t *training) whyLeft(forgets string) string {
	reason := "this resource has not started it"
	switch {
	case framework.IsUnconfirmedID(t.model.ID):
		reason = "no answer has named its job"
	case t.private.Started:
		reason = "another resource holds it"
	}
	return fmt.Sprintf(
		"The %s %s: %s. While it runs, no other of its kind can start; the action mediagen_cancel_training cancels a "+
			"job.",
		t.Object(),
		forgets,
		reason,
	)
}

// cancel cancels the job unless it has ended, and waits until it ends in any way.
func (t *training) cancel(ctx context.Context) (sent bool, err error) {
	ended, _, err := t.readEnded(ctx, false)
	if ended || err != nil {
		return false, err
	}
	defer t.data.Client.ForgetTraining(t.characterID())
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
	failure := t.data.Client.CancelTraining(ctx, t.characterID(), t.jobID())
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
		First:    2 * time.Second,
		Shortest: 20 * time.Second,
		Longest:  20 * time.Second,
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
	status, failure := t.data.Client.TrainingStatus(ctx, t.characterID())
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

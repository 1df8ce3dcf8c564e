package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// training is a training during one operation of the resource, the list or an
// action.
type training struct {
	*work

	lora    lora
	model   trainingModel
	private trainingState
	job     *api.TrainingJob    // the job in the last status that showed it; nil before
	status  *api.TrainingStatus // the last status that did not show the job; nil if there is none
	named   bool                // by a person: no read has shown that the job exists
}

// newTraining returns an empty training of a LoRA.
func newTraining(w *work, l lora) *training {
	t := &training{work: w, lora: l}
	t.Model = &t.model.Model
	t.words = l.words()
	return t
}

// messages returns the messages about the training in its present state.
func (t *training) messages() trainingMessages {
	return trainingMessages{
		subject: t.subject,
		lora:    t.lora,
		without: t.status,
	}
}

// ending returns the messages about the end of the resource.
func (t *training) ending() endingMessages {
	return endingMessages{
		subject: t.subject,
		title:   t.lora.title,
		isOurs:  t.private.Started,
	}
}

// trainingState is private state.
type trainingState struct {
	evidence.Evidence // only a job that a read has shown can vanish
	framework.Unconfirmed
	// Started is true if the reply to this resource's own request named the
	// job. Only then does a destroy cancel the job.
	Started bool `json:"started,omitempty"`
	// EndSeen is when a status first showed that the job had ended without
	// showing its outcome.
	EndSeen *time.Time `json:"ended,omitempty"`
	Shared  []string   `json:"shared,omitempty"` // the other holders of the job at the last refresh, while it runs
}

// planDestroy records that the plan destroys the training. The job is recorded
// too, unless another object is known to hold it.
func (t *training) planDestroy(ctx context.Context, private framework.PrivateWriter) diag.Diagnostics {
	if t.holder == "" {
		return nil
	}
	t.hold()
	for _, job := range t.data.Trainings.PlanDeletion(t.holder, func(string) bool { return t.isCancelled() }) {
		t.private.Shared = append(t.private.Shared, t.data.Trainings.Others(job, t.holder)...)
	}
	return framework.StorePrivate(ctx, private, t.private)
}

// refuseCancellation refuses a plan that cancels the job through another
// object, because that object was planned before this one was known.
func (t *training) refuseCancellation(diags *diag.Diagnostics) {
	t.hold()
	if !t.model.isRunning() || !t.data.Trainings.IsDeletedWithAnother(t.heldAs(t.jobID()), t.holder) {
		return
	}
	diags.Append(t.ending().isOfAnother())
}

package training

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// training is one training during one operation of the resource, the list or an
// action.
type training struct {
	data    *framework.Data
	kind    kind
	model   trainingModel
	private privateState
	// job is what the last read showed of its job; nil before.
	job *api.TrainingJob
	// holder is the training's name among the holders of its job; empty for one
	// that an action or a list names.
	holder string
	// named: a person gave its ids, so that nobody has been shown it.
	named bool
	// progress shows a wait to a person; nil if nobody watches.
	progress *wait.Progress
}

// privateState is a training's private state.
type privateState struct {
	// Only a job that a read has shown can vanish.
	api.Evidence
	// Before are the trainings of the kind before a start whose reply was lost: all
	// that there were when the service was asked.
	framework.Lost
	// Ended is when the job was first seen to have ended without a known
	// outcome.
	Ended *time.Time `json:"ended,omitempty"`
	// Shared are the other holders of the job at the last refresh, while it runs.
	Shared []string `json:"shared,omitempty"`
}

// loadTraining returns the training in state and private state. One without a
// name among holders gets one, if there is private state to write.
func loadTraining(
	ctx context.Context, r *trainingResource, state tfsdk.State, from framework.PrivateReader, to framework.PrivateWriter,
) (*training, diag.Diagnostics) {
	t := &training{data: r.Data, kind: r.kind}
	diags := state.Get(ctx, &t.model)
	diags.Append(framework.LoadPrivateState(ctx, from, &t.private)...)
	t.holder = framework.HolderName(ctx, from, to, &diags)
	return t, diags
}

func (t *training) characterID() string { return t.model.CharacterID.ValueString() }
func (t *training) jobID() string       { return t.model.ID.ValueString() }

// claim claims the job for this training.
func (t *training) claim(by framework.Claim) { t.data.Jobs.Claim(t.characterID(), t.jobID(), by) }

// hold records that this training holds its job while that may run, and returns
// who else does.
func (t *training) hold() (others []string) {
	if !t.model.isRunning() {
		return nil
	}
	return t.data.Trainings.Hold(importID(t.characterID(), t.jobID()), t.holder)
}

// isLeft reports whether another object goes on holding the job of this
// training, which is being destroyed.
func (t *training) isLeft() bool {
	return t.holder != "" && len(t.data.Trainings.Release(importID(t.characterID(), t.jobID()), t.holder, t.private.Shared...)) > 0
}

// isClaimed reports whether a job of the character must not be adopted.
func (t *training) isClaimed(job string) bool {
	return t.data.Jobs.IsClaimed(t.characterID(), job, framework.ByAnyone)
}

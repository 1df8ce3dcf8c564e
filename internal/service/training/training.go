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
	framework.Unconfirmed
	// Started: the reply to our own request named the job. Only then it is cancelled.
	Started bool `json:"started,omitempty"`
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

// hold records that this training holds its job, and returns who else does.
func (t *training) hold() (others []string) {
	return t.data.Trainings.Hold(t.holding(t.jobID()), t.holder)
}

// holding is a job's id among those that are held: two characters may have equal ones.
func (t *training) holding(job string) string { return framework.ImportID(t.characterID(), job) }

// isHeld reports whether an object of this run holds a job of the character, or has
// released it.
func (t *training) isHeld(job string) bool { return t.data.Trainings.Knows(t.holding(job), "") }

package training

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// training is one training during one operation of the resource, the list or an
// action.
type training struct {
	data    *framework.Data
	model   trainingModel
	private privateState
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
	api.Sighting
	// Before lists the jobs before a start whose reply was lost: a job that is
	// not among them is ours.
	Before []string `json:"before"`
	// Asked is when the service was asked for them, by its own clock; zero if it
	// did not say.
	Asked time.Time `json:"asked,omitzero"`
	// Ended is when the job was first seen to have ended without a known
	// outcome.
	Ended *time.Time `json:"ended,omitempty"`
	// Shared are the other holders of the job at the last refresh, while it runs.
	Shared []string `json:"shared,omitempty"`
}

// loadTraining returns the training in state and private state. One without a
// name among holders gets one, if there is private state to write.
func loadTraining(
	ctx context.Context, data *framework.Data, state tfsdk.State, from framework.PrivateReader, to framework.PrivateWriter,
) (*training, diag.Diagnostics) {
	t := &training{data: data}
	diags := state.Get(ctx, &t.model)
	diags.Append(framework.LoadPrivateState(ctx, from, &t.private)...)
	t.holder = framework.HolderName(ctx, from, to, &diags)
	return t, diags
}

// publish stores state, identity and private state.
func (t *training) publish(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, private framework.PrivateWriter) diag.Diagnostics {
	diags := framework.Publish(ctx, state, identity, &t.model, t.model.identity())
	diags.Append(framework.StorePrivateState(ctx, private, &t.private)...)
	return diags
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

// readStatus reads the status of the character's trainings afresh.
func (t *training) readStatus(ctx context.Context) (*api.TrainingStatus, error) {
	return t.data.Client.TrainingStatus(ctx, t.characterID())
}

// adopt takes over a job that a status shows.
func (t *training) adopt(ctx context.Context, job string, status *api.TrainingStatus) {
	t.model.ID = types.StringValue(job)
	t.private.Sighting = t.data.Client.Seen(t.private.Sighting)
	t.claim(framework.ByCreate)
	t.refreshFrom(ctx, status)
}

// identify gives a training whose start got no reply the id of its job, if
// exactly one job of that time has appeared since. Otherwise it returns those
// that may be it.
func (t *training) identify(status *api.TrainingStatus) (doubtful []string) {
	if !framework.IsUnknownID(t.model.ID) || t.private.Before == nil {
		return nil
	}
	doubtful = slices.DeleteFunc(findNewBodyJobs(status, t.private.Before), func(id string) bool {
		is, known := t.isOfItsTime(status, id)
		return known && !is || t.isClaimed(id)
	})
	if len(doubtful) != 1 {
		return doubtful
	}
	if is, _ := t.isOfItsTime(status, doubtful[0]); is && t.data.Jobs.Claim(t.characterID(), doubtful[0], framework.ByState) {
		t.model.ID, doubtful = types.StringValue(doubtful[0]), nil
	}
	return doubtful
}

// isOfItsTime reports whether a job was created when this training was started,
// as far as the service's times tell.
func (t *training) isOfItsTime(status *api.TrainingStatus, id string) (is, known bool) {
	job, _ := findJob(status, id)
	if t.private.Asked.IsZero() {
		return false, false
	}
	return framework.CreatedBetween(job.CreatedAt, t.private.Asked, t.private.Asked.Add(startWindow))
}

// refreshFrom updates the training from a status. One that the status does not
// show stays as it was, and the outcome stays open until the next refresh if
// the capabilities cannot be read.
func (t *training) refreshFrom(ctx context.Context, status *api.TrainingStatus) {
	_, _, _ = t.updateFrom(ctx, status)
}

// updateFrom is refreshFrom, and reports whether the status shows the job and
// whether it has ended.
func (t *training) updateFrom(ctx context.Context, status *api.TrainingStatus) (shown, ended bool, err error) {
	job, state := findJob(status, t.jobID())
	if state == jobNotShown {
		return false, false, nil
	}
	t.private.Sighting = t.data.Client.Seen(t.private.Sighting)
	t.model.statusFromAPI(status, job)
	if !t.model.isRunning() {
		return true, true, nil // a later status, even a contradictory one, changes nothing
	}
	switch state {
	case jobSucceeded:
		t.model.Succeeded = types.BoolValue(true)
	case jobFailed:
		t.model.Succeeded = types.BoolValue(false)
	case jobEnded:
		ended, err = t.inferOutcome(ctx, status)
		return true, ended, err
	default:
		return true, false, nil
	}
	return true, true, nil
}

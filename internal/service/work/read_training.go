package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// refresh reads the state of the job. A job that has left the history stays in
// the state, because its end is not known.
func (t *training) refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (evidence.Existence, error) {
	t.hold()
	imported = imported && !t.private.Shown
	status, existence, failure, err := t.find(ctx, imported)
	switch {
	case existence == evidence.NotYetSeen && imported:
		return existence, failure // an imported job must exist
	case err != nil || existence == evidence.Gone:
		return existence, err
	case existence == evidence.NotYetSeen && framework.IsUnconfirmedID(t.model.ID):
		diags.Append(t.messages().staysUnconfirmed(failure))
	case existence == evidence.NotYetSeen:
		diags.Append(t.messages().notShown(t.private.Made))
	default:
		if framework.IsUnconfirmedID(t.model.ID) {
			t.private.look(t.lora.idsIn(status))
		}
		_, _, _ = t.updateFrom(ctx, status)
		if imported {
			t.checkImport(status, diags)
		}
	}
	t.private.Shared = t.hold() // again: other objects may have been read meanwhile
	return existence, nil
}

// find reads the character's status. If no status has ever shown a job, its
// absence from this one proves nothing: it may wait in a queue.
func (t *training) find(
	ctx context.Context,
	imported bool,
) (status *api.TrainingStatus, existence evidence.Existence, failure, err error) {
	unseen := !t.private.Shown && t.model.isRunning() && !framework.IsUnconfirmedID(t.model.ID)
	existence, failure, err = t.data.Client.Find(ctx, t.private.Evidence, func(ctx context.Context) (failure error) {
		status, failure = t.data.Client.Trainings.StatusOnce(ctx, t.characterID())
		if failure != nil || imported || !unseen {
			return failure
		}
		if findJob(status, t.jobID()).state == jobNotShown {
			return evidence.Listed(false, "/{character_id}/training/complete-status", t.characterID())
		}
		return nil
	})
	return status, existence, failure, err
}

// checkImport stores the id in the service's spelling. It refuses a job that is
// of the other kind, or that no status shows.
func (t *training) checkImport(status *api.TrainingStatus, diags *diag.Diagnostics) {
	if t.private.Shown {
		t.model.ID = types.StringValue(findJob(status, t.jobID()).id)
	}
	if t.private.Shown && findJob(status, t.jobID()).body == t.lora.body {
		return
	}
	diags.Append(t.messages().importNotFound())
}

// updateFrom reports whether a status shows the job, and whether the job has
// ended. A job that is not shown keeps its state. The outcome stays unknown if
// the capabilities cannot be read.
func (t *training) updateFrom(ctx context.Context, status *api.TrainingStatus) (shown, ended bool, err error) {
	job := findJob(status, t.jobID())
	if job.state == jobNotShown {
		t.status = status
		return false, false, nil
	}
	t.storeJob(job)
	switch {
	case !t.model.isRunning(): // a later status, even a contradictory one, changes nothing
	case job.state == jobRunning:
		return true, false, nil
	case job.state == jobEnded:
		ended, err = t.inferOutcome(ctx, status)
		return true, ended, err
	default:
		t.model.Succeeded = types.BoolValue(job.state == jobSucceeded)
	}
	return true, true, nil
}

// storeJob stores the job that a status shows.
func (t *training) storeJob(job shownJob) {
	t.private.Evidence = t.data.Client.Seen(t.private.Evidence)
	t.job = job.TrainingJob
	t.status = nil
	if t.named {
		t.model.ID = types.StringValue(job.id) // in the service's spelling
		t.lora = faceLoRA
		if job.body {
			t.lora = bodyLoRA
		}
		t.words = t.lora.words()
	}
	t.model.jobFromAPI(t.job)
}

// inferOutcome concludes the outcome of a job whose status does not state it. A
// LoRA may become available a little later, so a failure is not concluded at
// once.
func (t *training) inferOutcome(ctx context.Context, status *api.TrainingStatus) (known bool, err error) {
	available, err := t.lora.readAvailable(ctx, t.data.Client, t.characterID(), status)
	if err != nil {
		return false, err
	}
	now := t.data.Clock.Now()
	if t.private.EndSeen == nil {
		t.private.EndSeen = &now
	}
	if !available.ValueBool() && now.Sub(*t.private.EndSeen) < propagationTimeout {
		return false, nil
	}
	t.model.Succeeded = available
	return true, nil
}

package training

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var cancelSchedule = wait.Schedule{Initial: 2 * time.Second, Max: 20 * time.Second}

// Delete cancels the job if it may still run, and forgets it. A job that is
// known to have ended costs no request.
func (r *bodyLoRATraining) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var model trainingModel
	var record record
	resp.Diagnostics.Append(req.State.Get(ctx, &model)...)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, recordKey, &record)...)
	timeout, diags := model.Timeouts.Delete(ctx, deleteTimeout)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !model.running() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	if id := model.ID.ValueString(); r.walk().isHeld(id) {
		resp.Diagnostics.AddWarning("Running Training Left to Its Replacement", fmt.Sprintf(
			"Body training %q of character %q was not cancelled: its replacement took it over before this destroy (create_before_destroy), "+
				"since the service trains one body LoRA of a character at a time. To train again, change triggers once it has ended.", id, model.CharacterID.ValueString()))
		return
	}
	limited := wait.WithDeadline(ctx, r.Data.Clock.Now().Add(timeout))
	if err := r.cancel(limited, &model, &record); err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Cancel", Noun: "Body LoRA Training",
			Object:      fmt.Sprintf("training %q of character %q", model.ID.ValueString(), model.CharacterID.ValueString()),
			Consequence: "The training may still run, and stays in the state; destroy again to finish.",
		}.Error(err))
		return
	}
	if framework.IsUnknownID(model.ID) {
		resp.Diagnostics.AddWarning("Training of Unknown Outcome Forgotten", fmt.Sprintf(
			"The start of training %q of character %q was never answered, and no job was found that is surely it. If it runs after all, it was not cancelled.",
			model.ID.ValueString(), model.CharacterID.ValueString()))
	}
}

// cancel brings the job to an end, whichever. A character or job that is proven
// to be gone is done with.
func (r *bodyLoRATraining) cancel(ctx context.Context, model *trainingModel, record *record) error {
	if gone, err := r.gone(ctx, model, record, false); gone || err != nil {
		return err
	}
	return r.stop(ctx, model, record)
}

// stop cancels a job that is not known to have ended, and waits for its end.
func (r *bodyLoRATraining) stop(ctx context.Context, model *trainingModel, record *record) error {
	character, job := model.CharacterID.ValueString(), model.ID.ValueString()
	r.walk().release(job)
	defer r.walk().changed(r.Data.Client, character)
	_, answer := r.Data.Client.CancelTraining(ctx, character, job)
	verdict, refusal := r.Data.Client.Judge(answer, api.Sighting{Shown: true, By: record.By})
	switch verdict {
	case api.Gone:
		return nil
	case api.Present:
		record.Sighting = r.Data.Client.Seen(record.Sighting) // by the cancellation: from now on it can vanish
	default:
		// It may have ended, be ending already, or the answer alone was lost.
		ctx = wait.Within(ctx, r.Data.Clock, grace)
	}
	err := cancelSchedule.Poll(ctx, r.Data.Clock, func(ctx context.Context) (bool, error) {
		return r.gone(ctx, model, record, refusal == nil)
	})
	if err != nil && refusal != nil {
		return refusal
	}
	return err
}

// gone reads whether there is nothing left to cancel. A job that was cancelled
// has ended once nothing is active, whatever its word and place.
func (r *bodyLoRATraining) gone(ctx context.Context, model *trainingModel, record *record, cancelled bool) (bool, error) {
	status, answer := r.Data.Client.TrainingStatus(ctx, model.CharacterID.ValueString())
	verdict, err := r.Data.Client.Judge(answer, api.Sighting{Shown: true, By: record.By})
	if verdict != api.Present {
		return verdict == api.Gone, err
	}
	r.identify(model, record, status)
	if framework.IsUnknownID(model.ID) {
		return true, nil
	}
	standing, job := stand(status, model.ID.ValueString())
	if standing == absent {
		// A job that was never shown may come up yet, and one that was may be
		// what a service without a word of it says is active.
		return record.Shown && (idle(status) || othersExplain(status, model.ID.ValueString())), nil
	}
	record.Sighting = r.Data.Client.Seen(record.Sighting)
	model.shown(status, job)
	return standing != running || cancelled && idle(status), nil
}

package training

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	// waitSchedule fits customers with ten requests a minute.
	waitSchedule = wait.Schedule{Initial: 10 * time.Second, Max: time.Minute}
	// longestNap bounds how long an estimate of the service is trusted.
	longestNap = 5 * time.Minute
	// pending is how long the service may take to show a new job, and grace how
	// long one that was shown may be missing, before the wait is given up.
	pending, grace = 10 * time.Minute, 2 * time.Minute
)

// errNotShown ends a wait for a job that no status shows.
var errNotShown = errors.New("the service's status does not show the job")

// follow waits until the job has ended, keeping the model at what was last
// read. It ends with an error when it cannot say how the job ended.
func (r *bodyLoRATraining) follow(ctx context.Context, model *trainingModel, record *record) error {
	defer r.walk().changed(r.Data.Client, model.CharacterID.ValueString())
	seen := r.Data.Clock.Now()
	return waitSchedule.Poll(ctx, r.Data.Clock, func(ctx context.Context) (bool, error) {
		status, answer := r.Data.Client.TrainingStatus(ctx, model.CharacterID.ValueString())
		verdict, err := r.Data.Client.Judge(answer, record.Sighting)
		switch {
		case err != nil:
			return false, err
		case verdict == api.Gone:
			return false, answer
		case verdict == api.Present:
			done, shown, err := r.look(ctx, model, record, status)
			if done || err != nil {
				return done, err
			}
			if shown {
				seen = r.Data.Clock.Now()
				return false, r.nap(ctx, model)
			}
		}
		missing := r.Data.Clock.Now().Sub(seen)
		if missing < grace || !record.Shown && missing < pending {
			return false, nil
		}
		return r.missing(ctx, model, record, status)
	})
}

// look takes over one status, and reports whether the job has ended and
// whether it was shown at all.
func (r *bodyLoRATraining) look(ctx context.Context, model *trainingModel, record *record, status *api.TrainingStatus) (done, shown bool, err error) {
	standing, job := stand(status, model.ID.ValueString())
	if standing == absent {
		return false, false, nil
	}
	record.Sighting = r.Data.Client.Seen(record.Sighting)
	model.shown(status, job)
	if !model.running() {
		return true, true, nil // odd words change nothing any more
	}
	switch standing {
	case succeeded:
		model.Succeeded = types.BoolValue(true)
	case failed:
		model.Succeeded = types.BoolValue(false)
	case ended:
		done, err = r.conclude(ctx, model, record, status)
		return done, true, err
	default:
		return false, true, nil
	}
	return true, true, nil
}

// conclude tells how a job has ended that no word tells of. A LoRA that is not
// available may become so a little later, so a failure takes its time.
func (r *bodyLoRATraining) conclude(ctx context.Context, model *trainingModel, record *record, status *api.TrainingStatus) (done bool, err error) {
	available, err := r.available(ctx, model, status)
	if err != nil {
		return false, err
	}
	if record.Ended == nil {
		now := r.Data.Clock.Now()
		record.Ended = &now
	}
	if !available.ValueBool() && r.Data.Clock.Now().Sub(*record.Ended) < grace {
		return false, nil
	}
	model.Succeeded = available
	return true, nil
}

// available says whether there is a body LoRA: what the capabilities do not
// tell, the status may. Null if neither does.
func (r *bodyLoRATraining) available(ctx context.Context, model *trainingModel, status *api.TrainingStatus) (types.Bool, error) {
	capabilities, err := r.Data.Client.Capabilities(ctx, model.CharacterID.ValueString())
	if err != nil {
		return types.BoolNull(), err
	}
	var lora api.LoRA
	if capabilities.BodyLoRA != nil {
		lora = *capabilities.BodyLoRA
	}
	if lora.Available != nil {
		return types.BoolValue(*lora.Available), nil
	}
	for _, word := range []*string{lora.Status, status.BodyLoRAStatus} {
		if phase := api.PhaseOfWord(types.StringPointerValue(word).ValueString()); phase != api.Running {
			return types.BoolValue(phase == api.Succeeded), nil
		}
	}
	if status.TrainingComplete != nil && *status.TrainingComplete {
		return types.BoolValue(true), nil
	}
	return types.BoolNull(), nil
}

// missing concludes about a job that has not been shown for a while. One that
// was shown before has ended if its LoRA is there; nothing else is certain.
func (r *bodyLoRATraining) missing(ctx context.Context, model *trainingModel, record *record, status *api.TrainingStatus) (bool, error) {
	if !record.Shown {
		return false, errNotShown
	}
	available, err := r.available(ctx, model, status)
	if err != nil {
		return false, err
	}
	if !available.ValueBool() {
		return false, errNotShown
	}
	model.Succeeded = available
	return true, nil
}

// nap sleeps, on top of the schedule, while the service itself says that the
// training will take long: requests saved are minutes saved.
func (r *bodyLoRATraining) nap(ctx context.Context, model *trainingModel) error {
	left := time.Duration(model.ETAMinutes.ValueInt64()) * time.Minute
	nap := min(left/4, longestNap) - waitSchedule.Max
	if deadline, ok := wait.Deadline(ctx); ok {
		nap = min(nap, deadline.Sub(r.Data.Clock.Now()))
	}
	if nap <= 0 {
		return nil
	}
	return r.Data.Clock.Sleep(ctx, nap)
}

// waited says how a wait has ended, in warnings: the training was paid for,
// and an error would have it destroyed and bought again.
func waited(model *trainingModel, err error) diag.Diagnostics {
	var diags diag.Diagnostics
	var timeout *wait.TimeoutError
	var canceled *wait.CanceledError
	object := fmt.Sprintf("Body training %q of character %q", model.ID.ValueString(), model.CharacterID.ValueString())
	resumes := "It is in the state; the next apply resumes the wait and buys nothing."
	switch {
	case err == nil && model.running():
		diags.AddWarning("End of Body LoRA Training Unknown", object+" has ended, but neither its status nor the capabilities of the character tell how. "+resumes)
	case err == nil && !model.Succeeded.ValueBool():
		diags.AddWarning("Body LoRA Training Failed", object+" has not succeeded: "+failure(model)+" Change triggers to train again, which costs credits again.")
	case err == nil:
	case errors.As(err, &timeout):
		diags.AddWarning("Body LoRA Training Still Running", fmt.Sprintf("%s has not ended: %s. %s", object, err, resumes))
	case errors.As(err, &canceled):
		diags.AddWarning("Wait for Body LoRA Training Interrupted", object+" goes on at the service. "+resumes)
	case errors.Is(err, errNotShown):
		diags.AddWarning("Body LoRA Training Not Shown", object+" is not shown by the service's status. "+resumes)
	default:
		diags.Append(framework.Failure{Verb: "Follow", Noun: "Body LoRA Training", Object: object, Consequence: resumes}.Warning(err))
	}
	return diags
}

// failure is what is known of a training that has not succeeded.
func failure(model *trainingModel) string {
	status, credits := "its status is not given", "how many credits it cost is not known"
	if !model.Status.IsNull() {
		status = fmt.Sprintf("its status is %q", model.Status.ValueString())
	}
	if !model.CreditsDeducted.IsNull() {
		credits = fmt.Sprintf("%v credits were deducted when it was started", model.CreditsDeducted.ValueFloat64())
	}
	return status + "; " + credits + "."
}

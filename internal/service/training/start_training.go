package training

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// patience is how long a training that cannot start yet is waited for (captions
// may be pending), and a job whose start was not answered looked for.
const patience = 2 * time.Minute

// start is one creation of a training, up to the moment its id is known.
type start struct {
	*bodyLoRATraining
	walk   *walk
	model  *trainingModel
	record *record
	diags  *diag.Diagnostics
	// last is the last status that did not allow a start.
	last *api.TrainingStatus
}

// obtain adopts the running training or buys one. It reports whether there is
// something to keep; if not, nothing was bought and an error says why. limited
// carries the operation's deadline, which ctx does not: what was paid for is
// looked for even after it.
func (s *start) obtain(ctx, limited context.Context) bool {
	status, err := s.Data.Client.TrainingStatus(limited, s.characterID())
	if err != nil {
		s.diags.Append(s.refused("Read", "Training Status").Error(err))
		return false
	}
	status, job, ok := s.ready(limited, status)
	if !ok {
		return false
	}
	if job != "" {
		s.adopt(ctx, job, status)
		s.diags.AddWarning("Running Training Adopted", fmt.Sprintf(
			"Body training %q of character %q was running already. It was taken over: nothing was bought, and the triggers of this resource have trained nothing. "+
				"To train with them, change triggers once it has ended, which costs credits.", job, s.characterID()))
		return true
	}
	return s.buy(ctx, limited, jobIDs(status))
}

func (s *start) characterID() string { return s.model.CharacterID.ValueString() }

// adopt takes a job over as the status shows it.
func (s *start) adopt(ctx context.Context, job string, status *api.TrainingStatus) {
	s.model.ID = types.StringValue(job)
	s.record.Sighting = s.Data.Client.Seen(s.record.Sighting)
	s.walk.hold(job)
	// A failed look at the capabilities leaves the end open for the next one.
	_, _, _ = s.look(ctx, s.model, s.record, status)
}

// ready waits until a training can be started. It gives the id of the training
// to adopt instead, if one runs.
func (s *start) ready(ctx context.Context, status *api.TrainingStatus) (*api.TrainingStatus, string, bool) {
	clock := s.Data.Clock
	var job string
	schedule := wait.Schedule{Initial: 10 * time.Second, Max: 30 * time.Second}
	err := schedule.Poll(wait.Within(ctx, clock, patience), clock, func(ctx context.Context) (bool, error) {
		if status == nil {
			next, err := s.Data.Client.TrainingStatus(ctx, s.characterID())
			if err != nil {
				return false, err
			}
			status = next
		}
		var found bool
		if job, found = activeBodyJob(status, s.walk.taken); found {
			return true, nil
		}
		if status.CanStartBodyTraining == nil || *status.CanStartBodyTraining {
			return true, nil
		}
		s.last, status = status, nil
		return false, nil
	})
	var timeout *wait.TimeoutError
	switch {
	case err == nil:
		return status, job, true
	case errors.As(err, &timeout) && s.last != nil:
		s.diags.AddAttributeError(path.Root("character_id"), "Unable to Start Body LoRA Training", fmt.Sprintf(
			"The service says that no body training of character %q can start now, and has kept saying so for %s.\n%s\n\n"+
				"Nothing was bought. Add what is missing (images, captions), or let the running training end, then apply again.",
			s.characterID(), timeout.After.Round(time.Second), describe(s.last)))
	default:
		s.diags.Append(s.refused("Read", "Training Status").Error(err))
	}
	return nil, "", false
}

// buy sends the one paid request. Whatever happens after it was accepted is no
// error any more.
func (s *start) buy(ctx, limited context.Context, before []string) bool {
	reply, err := s.Data.Client.StartBodyTraining(limited, s.characterID())
	s.walk.changed(s.Data.Client, s.characterID())
	switch {
	case api.IsOutcomeUnknown(err):
		s.search(ctx, before, err)
	case err != nil:
		s.diags.Append(s.refused("Start", "Body LoRA Training").Error(err))
		return false
	default:
		s.model.started(reply)
		s.record.By = s.Data.Client.Seen(s.record.Sighting).By
		if reply.JobID == nil || *reply.JobID == "" {
			s.search(ctx, before, nil)
		}
	}
	s.walk.hold(s.model.ID.ValueString())
	return true
}

// search looks for the job of a start that was not answered, or whose answer
// names no job (cause is nil). It is the one body training that was not there
// before; of two, none is surely ours.
func (s *start) search(ctx context.Context, before []string, cause error) {
	lost := s.Data.Clock.Now().UTC().Format(time.RFC3339)
	var found []string
	var status *api.TrainingStatus
	schedule := wait.Schedule{Initial: 5 * time.Second, Max: 30 * time.Second}
	limited := wait.WithDeadline(ctx, s.Data.Clock.Now().Add(patience))
	_ = schedule.Poll(limited, s.Data.Clock, func(ctx context.Context) (bool, error) {
		next, err := s.Data.Client.TrainingStatus(ctx, s.characterID())
		if err != nil {
			return false, ctx.Err() // a read that fails is tried again until the time is up
		}
		status = next
		found = slices.DeleteFunc(newBodyJobs(status, before), s.walk.taken)
		return len(found) > 0, nil
	})
	what := "was accepted, and its credits deducted, but the service's answer names no job"
	if cause != nil {
		what = fmt.Sprintf("was sent, but the service's answer was lost at %s (%s), so it is not known what was deducted", lost, cause)
	}
	if len(found) == 1 {
		s.adopt(ctx, found[0], status)
		s.diags.AddWarning("Body LoRA Training Found Without an Answer", fmt.Sprintf(
			"The start of a body training of character %q %s. Job %q was not there before and is taken to be this training. Nothing was sent twice.",
			s.characterID(), what, found[0]))
		return
	}
	s.model.ID = framework.UnknownID()
	s.record.Before = before
	seen := "No job that was not there before has shown up since."
	if len(found) > 1 {
		seen = fmt.Sprintf("Jobs %q were not there before, and nothing tells which of them it is.", found)
	}
	s.diags.AddWarning("Outcome of Body LoRA Training Unknown", fmt.Sprintf(
		"The start of a body training of character %q %s. %s\n\n"+
			"The training is recorded as %q. Nothing will be sent again by itself: every refresh looks for the job and takes it over once it is the only one. "+
			"Look at the character's trainings of that time at the service: if none was started, change triggers to train again, which costs credits; if one was, import it.",
		s.characterID(), what, seen, s.model.ID.ValueString()))
}

// refused is a failure before anything was bought.
func (s *start) refused(verb, noun string) framework.Failure {
	return framework.Failure{
		Verb: verb, Noun: noun, Object: fmt.Sprintf("character %q", s.characterID()),
		Consequence: "No training was started, and nothing was bought.",
		NotFound:    path.Root("character_id"),
	}
}

// describe is what a status says about why a training cannot start.
func describe(status *api.TrainingStatus) string {
	var parts []string
	add := func(name string, value any) { parts = append(parts, fmt.Sprintf("%s %v", name, value)) }
	text := func(name string, value *string) {
		if value != nil {
			add(name, *value)
		}
	}
	number := func(name string, value *int64) {
		if value != nil {
			add(name, *value)
		}
	}
	text("face_lora_status", status.FaceLoRAStatus)
	text("body_lora_status", status.BodyLoRAStatus)
	number("face_image_count", status.FaceImageCount)
	number("failed_face_image_count", status.FailedFaceImageCount)
	number("body_image_count", status.BodyImageCount)
	number("failed_body_image_count", status.FailedBodyImageCount)
	if status.HasActiveTraining != nil {
		add("has_active_training", *status.HasActiveTraining)
	}
	for _, seen := range sightings(status) {
		if seen.current {
			add("current job", *seen.job.JobID)
		}
	}
	if len(parts) == 0 {
		return "The status gives no counts."
	}
	return "The status: " + strings.Join(parts, ", ") + "."
}

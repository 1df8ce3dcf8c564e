package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// startTimeout bounds the wait for a training that cannot start yet:
	// captions may be pending.
	startTimeout = 2 * time.Minute
	// findTimeout bounds the search for a job whose start got no reply.
	findTimeout = 2 * time.Minute
	// startWindow is how long after the read before it a start may create a job.
	startWindow = 10 * time.Minute
)

// cannotStartError says that the service has not allowed a start in time.
type cannotStartError struct {
	after time.Duration
	last  *api.TrainingStatus
}

func (e *cannotStartError) Error() string {
	return fmt.Sprintf("no body training can start, after %s", e.after)
}

// waitUntilStartable polls the status until a training can be started, or one
// runs that can be adopted: then running is the id of its job.
func (t *training) waitUntilStartable(ctx context.Context) (status *api.TrainingStatus, running string, err error) {
	status, err = t.readStatus(ctx)
	if err != nil {
		return nil, "", err
	}
	var last *api.TrainingStatus
	progress := t.logged(ctx, "No training of character %q can start yet")
	schedule := wait.Schedule{First: 10 * time.Second, Shortest: 30 * time.Second}
	err = wait.Poll(wait.Within(ctx, t.data.Clock, startTimeout), t.data.Clock, schedule.Next, progress, func(ctx context.Context) (bool, error) {
		if last != nil {
			next, err := t.readStatus(ctx)
			if err != nil {
				return false, err
			}
			status = next
		}
		last = status
		var found bool
		if running, found = findRunningBodyJob(status, t.isClaimed); found {
			return true, nil
		}
		return status.CanStartBodyTraining == nil || *status.CanStartBodyTraining, nil
	})
	if timeout, ok := errors.AsType[*wait.TimeoutError](err); ok {
		err = cmp.Or(timeout.Last, error(&cannotStartError{after: timeout.After, last: last}))
	}
	return status, running, err
}

// findStartedJob finds the job of a start without a reply, or whose reply names
// no job (cause is nil): the only body training that was not there before. Of
// two, neither is certainly ours. Otherwise the training gets an unknown id.
func (t *training) findStartedJob(ctx context.Context, before *api.TrainingStatus, cause error) diag.Diagnostic {
	what := "was accepted, and its credits deducted, but the service's answer names no job"
	if cause != nil {
		what = fmt.Sprintf("was sent, but no answer had settled what became of it at %s (%s), so it is not known what was deducted",
			t.data.Clock.Now().UTC().Format(time.RFC3339), cause)
	}
	found, status := t.pollNewJobs(ctx, jobIDs(before))
	if len(found) == 1 {
		t.adopt(ctx, found[0], status)
		return diag.NewWarningDiagnostic("Body LoRA Training Found Without an Answer", fmt.Sprintf(
			"The start of a body training of character %q %s. Job %q was not there before and is taken to be this training. Nothing was sent twice.",
			t.characterID(), what, found[0]))
	}
	t.model.ID = framework.UnknownID()
	t.private.Before, t.private.Asked = jobIDs(before), before.Date
	seen := "No job that was not there before has shown up since."
	if len(found) > 1 {
		seen = fmt.Sprintf("Jobs %q were not there before, and nothing tells which of them it is.", found)
	}
	return diag.NewWarningDiagnostic("Outcome of Body LoRA Training Unknown", fmt.Sprintf(
		"The start of a body training of character %q %s. %s\n\n"+
			"The training is recorded as %q. Nothing will be sent again by itself: every refresh looks for the job, and adopts it if it is the only one that was created within ten minutes of the start. "+
			"Look at the character's trainings of that time at the service: if none was started, change triggers to train again, which costs credits; if one was, import it.",
		t.characterID(), what, seen, t.jobID()))
}

// notAdoptedWarning names jobs that may be that of a start without a reply.
func (t *training) notAdoptedWarning(doubtful []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Body LoRA Training Not Adopted", fmt.Sprintf(
		"The start of %s was never answered. Jobs %q have shown up since and may be it, but their times, or the time of the start, are not given or do not tell which. "+
			"None is adopted, and a destroy cancels none. If one of them is this training, forget this resource with `terraform state rm` and import it as %q.",
		t.model.object(), doubtful, importID(t.characterID(), "<job>")))
}

// pollNewJobs polls the status until it shows body trainings that were not
// there before and that no resource claims.
func (t *training) pollNewJobs(ctx context.Context, before []string) (found []string, status *api.TrainingStatus) {
	ctx = wait.WithDeadline(ctx, t.data.Clock.Now().Add(findTimeout))
	progress := t.logged(ctx, "Looking for the training of character %q whose start was not answered")
	schedule := wait.Schedule{First: 5 * time.Second, Shortest: 30 * time.Second}
	_ = wait.Poll(ctx, t.data.Clock, schedule.Next, progress, func(ctx context.Context) (bool, error) {
		next, err := t.readStatus(ctx)
		if err != nil {
			return false, ctx.Err() // a failed read is retried until the time is up
		}
		status = next
		found = slices.DeleteFunc(findNewBodyJobs(status, before), t.isClaimed)
		return len(found) > 0, nil
	})
	return found, status
}

// notStartedError is a failure to start that is known not to have bought anything, as
// far as the service says.
func (t *training) notStartedError(verb, noun string, err error) diag.Diagnostic {
	if refusal, ok := errors.AsType[*cannotStartError](err); ok {
		return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Unable to Start Body LoRA Training", fmt.Sprintf(
			"The service says that no body training of character %q can start now, and has kept saying so for %s.\n%s\n\n"+
				"Nothing was bought. Add what is missing (images, captions), or let the running training end, then apply again.",
			t.characterID(), refusal.after.Round(time.Second), describeStatus(refusal.last)))
	}
	consequence := "No training was started, and nothing was bought."
	if api.IsRefused(err) && verb == "Start" {
		consequence = "The service says that it refused to start the training."
	}
	return framework.Failure{
		Verb: verb, Noun: noun, Object: fmt.Sprintf("character %q", t.characterID()), Consequence: consequence,
		NotFound: path.Root("character_id"),
	}.Error(err)
}

// adoptionWarning says what an adoption means for money.
func (t *training) adoptionWarning() diag.Diagnostic {
	return diag.NewWarningDiagnostic("Running Training Adopted", fmt.Sprintf(
		"Body training %q of character %q was running already. It was taken over: nothing was bought, and the triggers of this resource have trained nothing. "+
			"To train with them, change triggers once it has ended, which costs credits.", t.jobID(), t.characterID()))
}

// describeStatus says why a training cannot start, according to a status.
func describeStatus(status *api.TrainingStatus) string {
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
	for _, shown := range shownJobs(status) {
		if shown.current {
			add("current job", *shown.job.JobID)
		}
	}
	if len(parts) == 0 {
		return "The status gives no counts."
	}
	return "The status: " + strings.Join(parts, ", ") + "."
}

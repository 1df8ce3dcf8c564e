package training

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// findStartedJob finds the job of a start without a reply, or whose reply names
// no job (cause is nil): the only training of the kind that was not there before. Of
// two, neither is certainly ours. Otherwise the training gets an unknown id.
func (t *training) findStartedJob(ctx context.Context, before *api.TrainingStatus, cause error) diag.Diagnostic {
	what := "was accepted, and its credits deducted, but the service's answer names no job"
	if cause != nil {
		what = fmt.Sprintf("was sent, but no answer had settled what became of it at %s (%s), so it is not known what was deducted",
			t.data.Clock.Now().UTC().Format(time.RFC3339), cause)
	}
	t.model.ID = framework.UnknownID()
	t.private.Before, t.private.Asked = t.kind.newJobs(before, nil), before.Date
	// Found even after the deadline of the operation: it may be paid for.
	ctx = wait.WithDeadline(ctx, t.data.Clock.Now().Add(findTimeout))
	found, status := t.pollNewJobs(ctx)
	if len(found) == 1 {
		t.adopt(ctx, found[0], status)
		return diag.NewWarningDiagnostic(t.kind.title+" Training Found Without an Answer", fmt.Sprintf(
			"The start of a %s training of character %q %s. Job %q was not there before and is taken to be this training. Nothing was sent twice.",
			t.kind.lora, t.characterID(), what, found[0]))
	}
	seen := "No job that was not there before has shown up since."
	if len(found) > 1 {
		seen = fmt.Sprintf("Jobs %q were not there before, and nothing tells which of them it is.", found)
	}
	return diag.NewWarningDiagnostic("Outcome of "+t.kind.title+" Training Unknown", fmt.Sprintf(
		"The start of a %s training of character %q %s. %s\n\n"+
			"The training is recorded as %q. Nothing will be sent again by itself: every refresh looks for the job, and adopts it if it is the only one that was created within ten minutes of the start. "+
			"Look at the character's trainings of that time at the service: if none was started, change triggers to train again, which costs credits; if one was, import it.",
		t.kind.lora, t.characterID(), what, seen, t.jobID()))
}

// notAdoptedWarning names jobs that may be that of a start without a reply.
func (t *training) notAdoptedWarning(candidates []string) diag.Diagnostic {
	return diag.NewWarningDiagnostic(t.kind.title+" Training Not Adopted", fmt.Sprintf(
		"The start of %s was never answered. Jobs %q have shown up since and may be it, but their times, or the time of the start, are not given or do not tell which. "+
			"None is adopted, and a destroy cancels none. If one of them is this training, forget this resource with `terraform state rm` and import it as %q.",
		t.model.object(), candidates, importID(t.characterID(), "<job>")))
}

// pollNewJobs polls the status until it shows trainings of the kind that were
// not there before and that no resource claims.
func (t *training) pollNewJobs(ctx context.Context) (found []string, status *api.TrainingStatus) {
	schedule := wait.Schedule{First: 5 * time.Second, Shortest: 30 * time.Second}
	_ = wait.Poll(ctx, t.data.Clock, schedule.Next, t.progress, func(ctx context.Context) (bool, error) {
		next, err := t.data.Client.TrainingStatus(ctx, t.characterID())
		if err != nil {
			return false, ctx.Err() // a failed read is retried until the time is up
		}
		status = next
		found = slices.DeleteFunc(t.kind.newJobs(status, t.private.Before), t.isClaimed)
		return len(found) > 0, nil
	})
	return found, status
}

// identify gives a training whose start got no reply the id of its job, if
// exactly one job of that time has appeared since. Otherwise it returns those
// that may be it.
func (t *training) identify(status *api.TrainingStatus) (candidates []string) {
	if !framework.IsUnknownID(t.model.ID) || t.private.Before == nil {
		return nil
	}
	candidates = slices.DeleteFunc(t.kind.newJobs(status, t.private.Before), func(id string) bool {
		is, known := t.isOfItsTime(status, id)
		return known && !is || t.isClaimed(id)
	})
	if len(candidates) != 1 {
		return candidates
	}
	if is, _ := t.isOfItsTime(status, candidates[0]); is && t.data.Jobs.Claim(t.characterID(), candidates[0], framework.ByState) {
		t.model.ID, candidates = types.StringValue(candidates[0]), nil
	}
	return candidates
}

// isOfItsTime reports whether a job was created when this training was started,
// as far as the service's times tell.
func (t *training) isOfItsTime(status *api.TrainingStatus, id string) (is, known bool) {
	if t.private.Asked.IsZero() {
		return false, false
	}
	return framework.CreatedBetween(findJob(status, id).CreatedAt, t.private.Asked, t.private.Asked.Add(startWindow))
}

package training

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// findStartedJob finds the job of a start without a reply, or whose reply names
// no job (cause is nil): the only training of the kind that was not there before. Of
// two, neither is certainly ours. Otherwise the training gets an unknown id.
func (t *training) findStartedJob(ctx context.Context, before *api.TrainingStatus, cause error) diag.Diagnostic {
	what := "was accepted, and its credits deducted, but the service's answer names no job"
	if cause != nil {
		what = t.data.Unanswered(cause)
	}
	t.model.ID = framework.UnknownID()
	t.private.Lost = framework.Lost{Before: idsOf(t.kind.jobsOf(before)), Asked: before.Date}
	var found []string
	var status *api.TrainingStatus
	t.data.SearchLost(ctx, t.progress, func(ctx context.Context) (_ bool, err error) {
		next, err := t.data.Client.TrainingStatus(ctx, t.characterID())
		if err == nil {
			status, found = next, idsOf(t.newJobs(next))
		}
		return len(found) > 0, err
	})
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

// newJobs returns the trainings of the kind that were not there before, and that no
// resource claims.
func (t *training) newJobs(status *api.TrainingStatus) []shownJob {
	return slices.DeleteFunc(t.kind.jobsOf(status), func(job shownJob) bool { return slices.Contains(t.private.Before, job.id) || t.isClaimed(job.id) })
}

// identify gives a training whose start got no reply the id of its job, if
// exactly one job of that time has appeared since. Otherwise it returns those
// that may be it.
func (t *training) identify(status *api.TrainingStatus) (candidates []string) {
	if !framework.IsUnknownID(t.model.ID) || t.private.Before == nil {
		return nil
	}
	jobs, certain := framework.MadeBy(t.private.Lost, t.newJobs(status), t.private.Asked.Add(startWindow),
		func(job shownJob) (string, *string) { return job.id, job.CreatedAt })
	if certain && t.data.Jobs.Claim(t.characterID(), jobs[0].id, framework.ByState) {
		t.model.ID, jobs = types.StringValue(jobs[0].id), nil
	}
	return idsOf(jobs)
}

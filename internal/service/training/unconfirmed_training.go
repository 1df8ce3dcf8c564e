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

// recordUnconfirmed records a start whose effect is not known, or whose reply names no
// job (cause is nil). One read finds out what has appeared since.
func (t *training) recordUnconfirmed(ctx context.Context, cause error) diag.Diagnostic {
	what := "was accepted, and its credits deducted, but the service's answer names no job"
	if cause != nil {
		what = t.data.Unanswered(cause)
	}
	t.model.ID, t.model.Status = framework.UnconfirmedID(), types.StringValue("unconfirmed")
	t.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := t.data.Client.TrainingStatus(ctx, t.characterID())
		if err == nil {
			t.look(status)
		}
		return err
	})
	return t.unconfirmedWarning(what)
}

// look notes the trainings of the kind that have appeared since an unconfirmed start.
func (t *training) look(status *api.TrainingStatus) {
	t.private.MayBe = slices.DeleteFunc(idsOf(t.kind.jobsOf(status)), func(job string) bool { return slices.Contains(t.private.Before, job) })
}

// unconfirmedWarning says what became of the start, what may be its job, and the two
// ways out.
func (t *training) unconfirmedWarning(what string) diag.Diagnostic {
	text := fmt.Sprintf("The start of a %s training of character %q %s. It is recorded as %q and not sent again by itself, and a destroy cancels nothing.",
		t.kind.lora, t.characterID(), what, t.jobID())
	if jobs := slices.DeleteFunc(slices.Clone(t.private.MayBe), t.isHeld); len(jobs) > 0 {
		text += fmt.Sprintf("\n\nThese jobs have appeared since, and one of them may be it: %q. If so, import it in place of this resource, which buys nothing:\n\n%s",
			jobs, framework.ImportLines(framework.Quote(framework.ImportID(t.characterID(), jobs[0]))))
	} else {
		text += " No job that may be it has been seen so far; later plans name one that appears."
	}
	return diag.NewWarningDiagnostic(t.Summary(t.kind.title+" Training Unconfirmed"),
		text+"\n\nIf the service has started none, change triggers to train again, which costs credits.")
}

package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// cancelTrainingModel is the configuration of the action.
type cancelTrainingModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	JobID       types.String `tfsdk:"job_id"`
}

// newCancelTraining describes the action that cancels a job.
func newCancelTraining() action.Action {
	return run.ActionType[cancelTrainingModel]{
		Name: "cancel_training",
		Description: "Cancels a training, and waits up to 10 minutes until it has ended.\n\n" +
			"The action costs no credits; whether the service gives any back is not documented. It needs Terraform " +
			"1.14.",
		Attributes: map[string]schema.Attribute{
			"character_id": framework.ActionID("Id of the character that is trained."),
			"job_id": framework.ActionID(
				"Id of the training job to cancel: the `id` of a training resource, or of any other job of the " +
					"character.",
			),
		},
		Run: cancelTraining,
	}.New()
}

// cancelTraining sends a single cancellation, and waits until the job has
// ended. A job that had ended before is no failure.
func cancelTraining(
	ctx context.Context,
	data *run.ProviderData,
	config cancelTrainingModel,
	send func(line string),
) (diags diag.Diagnostics) {
	defer data.WarnOfUnwrittenEntries(&diags)
	t, diags := namedTraining(data, config.CharacterID, config.JobID, send, "cancelled")
	if diags.HasError() {
		return diags
	}
	t.progress.Say("Cancelling " + t.object())
	sent, err := (&cancellation{training: t}).cancel(wait.WithTimeout(ctx, data.Clock, cancelTimeout, ""))
	switch {
	case err != nil && wait.IsCanceled(err):
		diags.Append(t.messages().cancellationInterrupted(t.statusLine()))
	case err != nil:
		diags.Append(
			t.failure("Cancel", "The training may still run; invoking the action again cancels it.").Error(err),
		)
	case !t.private.Shown:
		diags.Append(t.messages().nothingToCancel())
	case sent:
		t.progress.Say(t.statusLine() + "; it was cancelled")
	default:
		t.progress.Say(t.statusLine() + "; it had ended already, and nothing was cancelled")
	}
	return diags
}

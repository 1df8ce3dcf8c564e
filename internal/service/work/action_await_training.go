package work

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// awaitTrainingModel is the configuration of the action.
type awaitTrainingModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	JobID       types.String `tfsdk:"job_id"`
	Timeout     types.String `tfsdk:"timeout"`
}

// newAwaitTraining describes the action that waits for a job, whoever has
// started the job.
func newAwaitTraining() action.Action {
	return run.ActionType[awaitTrainingModel]{
		Name: "await_training",
		Description: "Waits until a training has ended, and shows its phase, progress and time left.\n\n" +
			"The action costs no credits, and fails if the training does not succeed. It needs Terraform 1.14.\n\n" +
			"If the training itself triggers it, **never set `on_failure = taint`** (Terraform 1.16): after a " +
			"failure, the next apply trains again, which costs credits. `continue` turns the failure into a warning. " +
			"Refer to the training as `caller` there, as Terraform's warning says.",
		Attributes: map[string]schema.Attribute{
			"character_id": framework.ActionID("Id of the character that is trained."),
			"job_id":       framework.ActionID("Id of the training job: the `id` of a training resource."),
			"timeout": framework.ActionTimeout(
				"How long to wait, as in `90m`. After that, the action fails and the training goes on. Defaults to " +
					"`3h`.",
			),
		},
		Run: awaitTraining,
	}.New()
}

// awaitTraining returns an error where the resource only warns, because an
// action taints nothing.
func awaitTraining(
	ctx context.Context,
	data *run.ProviderData,
	config awaitTrainingModel,
	send func(line string),
) diag.Diagnostics {
	t, diags := namedTraining(data, config.CharacterID, config.JobID, send, "awaited")
	if diags.HasError() {
		return diags
	}
	timeout := framework.DurationOr(config.Timeout, waitTimeout)
	t.progress.Say(fmt.Sprintf("Waiting up to %s for %s", wait.ShortDuration(timeout), t.object()))
	err := newWaiter(t).wait(wait.WithTimeout(ctx, data.Clock, timeout, "timeout"))
	next := fmt.Sprintf("Last seen: %s. Invoking the action again resumes the wait.", t.statusLine())
	if errors.Is(err, errJobNotShown) {
		next = "Check both ids."
	}
	for _, warning := range t.endOfWait(err, next) {
		diags.AddError(warning.Summary(), warning.Detail())
	}
	if !diags.HasError() {
		t.progress.Say(fmt.Sprintf("Training %q of character %q has succeeded", t.jobID(), t.characterID()))
	}
	return diags
}

// namedTraining refuses a job whose id is not known. does completes the
// message: the step that is impossible without an id.
func namedTraining(
	data *run.ProviderData,
	character, job types.String,
	send func(line string),
	does string,
) (t *training, diags diag.Diagnostics) {
	t = newTraining(&work{data: data}, unknownLoRA)
	t.named = true
	t.CharacterID = character
	t.ID = job
	if framework.IsUnconfirmedID(job) {
		diags.Append(t.messages().hasNoJob(does))
	}
	t.progress = wait.NewProgress(data.Clock, t.statusLine, send)
	return t, diags
}

package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Delete cancels the job if it may still run, and forgets it. A job that is
// known to have ended needs no request.
func (r *bodyLoRATraining) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenLines(&resp.Diagnostics)
	t, diags := loadTraining(ctx, r.Data, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	timeout := framework.Timeout(t.model.Timeouts, "delete", deleteTimeout)
	if resp.Diagnostics.HasError() || !t.model.isRunning() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	if r.Data.Jobs.IsClaimed(t.characterID(), t.jobID(), framework.ByCreate) {
		resp.Diagnostics.AddWarning("Running Training Left to Its Replacement", fmt.Sprintf(
			"Body training %q of character %q was not cancelled: its replacement took it over before this destroy (create_before_destroy), "+
				"since the service trains one body LoRA of a character at a time. To train again, change triggers once it has ended.", t.jobID(), t.characterID()))
		return
	}
	defer t.logProgress(ctx)()
	if _, err := t.cancel(wait.WithTimeout(ctx, r.Data.Clock, timeout, "timeouts.delete")); err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Cancel", Noun: "Body LoRA Training", Object: t.model.object(),
			Consequence: "The training may still run, and stays in the state; destroy again to finish.",
		}.Error(err))
		return
	}
	if framework.IsUnknownID(t.model.ID) {
		resp.Diagnostics.AddWarning("Training of Unknown Outcome Forgotten", fmt.Sprintf(
			"The start of %s was never answered, and no job was found that is surely it. If it runs after all, it was not cancelled.", t.model.object()))
	}
}

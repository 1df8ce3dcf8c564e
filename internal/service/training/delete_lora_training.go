package training

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// errLeft says that another object goes on holding the job.
var errLeft = errors.New("another resource holds the job")

// Delete cancels the job if it may still run and no other object holds it, and
// forgets it. A job that is known to have ended needs no request.
func (r *trainingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	t, diags := loadTraining(ctx, r, req.State, req.Private, nil)
	resp.Diagnostics.Append(diags...)
	timeout := framework.Timeout(t.model.Timeouts, "delete", deleteTimeout)
	if resp.Diagnostics.HasError() || !t.model.isRunning() {
		return
	}
	if framework.IsUnknownID(t.model.ID) {
		// A job of its time may be that of a resource which this run has not read.
		resp.Diagnostics.AddWarning("Training of Unknown Outcome Forgotten", fmt.Sprintf(
			"The start of %s was never answered, and no refresh has found a job that is surely it. If it runs after all, it was not cancelled.", t.model.object()))
		return
	}
	if !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	t.logProgress(ctx)
	_, err := t.cancel(wait.WithTimeout(ctx, r.Data.Clock, timeout, "timeouts.delete"))
	t.progress.Say(t.statusLine())
	switch {
	case errors.Is(err, errLeft):
		resp.Diagnostics.AddWarning("Running Training Left to Another Resource", fmt.Sprintf(
			"The %s training %q of character %q was not cancelled: another object holds it, the replacement under create_before_destroy or a second resource. "+
				"The destroy of the last one that holds it cancels it.", r.kind.lora, t.jobID(), t.characterID()))
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Cancel", Noun: r.kind.title + " Training", Object: t.model.object(),
			Consequence: "The training may still run, and stays in the state; destroy again to finish.",
		}.Error(err))
	}
}

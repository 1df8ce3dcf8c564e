package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Delete cancels the job if it may still run, our own request has started it and no
// other object holds it, and forgets it. A job that is known to have ended needs no
// request.
func (r *trainingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	t := r.Load(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !t.model.isRunning() {
		return
	}
	t.private.Shared = r.Data.Trainings.Release(t.holding(t.jobID()), t.holder, t.private.Shared...)
	if !t.isCancelled() {
		resp.Diagnostics.AddWarning(t.Summary("Running Training Was Not Cancelled"), t.left("may still run. The destroy has only forgotten it"))
		return
	}
	if !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	_, err := t.cancel(r.Timeouts.Limit(ctx, r.Data.Clock, t.model.Timeouts, "delete"))
	t.progress.Say(t.statusLine())
	if err != nil {
		resp.Diagnostics.Append(t.failure("Cancel", "The training may still run, and stays in the state; destroy again to finish.").Error(err))
	}
}

// isCancelled reports whether a destroy cancels the job while it runs.
func (t *training) isCancelled() bool { return t.private.Started && len(t.private.Shared) == 0 }

// left says why a destroy does not.
func (t *training) left(forgets string) string {
	reason := "this resource has not started it"
	switch {
	case framework.IsUnconfirmedID(t.model.ID):
		reason = "no answer has named its job"
	case t.private.Started:
		reason = "another resource holds it"
	}
	return fmt.Sprintf("The %s %s: %s. While it runs, no other of its kind can start; the action mediagen_cancel_training cancels a job.", t.Object(), forgets, reason)
}

package training

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*trainingResource)(nil)

type trainingResource struct {
	framework.WorkResource[*training]
	kind kind
}

// The default timeouts, of the actions too.
const (
	waitTimeout   = 3 * time.Hour
	cancelTimeout = 10 * time.Minute
)

// resource returns the managed resource. It is late, since the id of a job whose start
// got no reply is found later.
func (k kind) resource() resource.Resource {
	return &trainingResource{framework.WorkResource[*training]{
		Identified: framework.Identified{
			Resource: framework.Resource{Name: k.typeName}, IDs: framework.OfCharacter("id", "job_id", "Id of the training job."),
			Late: true, Defaults: map[string]any{"wait_for_completion": true}, Buys: api.KindTraining,
		},
		Verb: "Start", Noun: k.title + " Training", Inferred: k.inferred, Makes: framework.LoRA, Inputs: []string{"triggers"}, Load: k.load,
		Timeouts: framework.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout},
	}, k}
}

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
		resp.Diagnostics.AddWarning(t.Summary("Running Training Was Not Cancelled"), t.whyLeft("may still run. The destroy has only forgotten it"))
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

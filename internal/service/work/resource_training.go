package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ framework.Managed = (*trainingResource)(nil)

// trainingResource is mediagen_body_lora_training or
// mediagen_face_lora_training.
type trainingResource struct {
	framework.Identified
	kind kind
}

const waitTimeout, cancelTimeout = 3 * time.Hour, 10 * time.Minute // the defaults, of the actions too

var trainingTimeouts = attributes.Timeouts{"create": waitTimeout, "update": waitTimeout, "delete": cancelTimeout}

// resource is late, since the id of a job whose start got no reply is found
// later.
func (k kind) resource() resource.Resource {
	return &trainingResource{framework.Identified{
		Resource: framework.Resource{Name: k.typeName},
		IDs:      framework.OfCharacter("id", "job_id", "Id of the training job."),
		Late:     true,
		Defaults: map[string]any{"wait_for_completion": true},
		Buys:     purchases.KindTraining,
	}, k}
}

// Create starts the training, which is paid for, and waits for its end. Once it
// may be paid for, nothing is an error: that would have it destroyed and bought
// again.
func (r *trainingResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, &resp.Diagnostics)
	defer end()
	planned := framework.Configured(req.Plan, tftypes.Value{})
	t := r.kind.load(ctx, r.Data, planned, resp.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	unlock, err := r.Data.Characters.LockCreate(ctx, t.characterID(), run.LoRA)
	if err != nil {
		resp.Diagnostics.Append(t.notStarted("Start", t.kind.noun(), err))
		return
	}
	defer unlock()
	t.model.Tally = r.Data.Tally(run.Tally{}, t.order().Purchase)
	limited := trainingTimeouts.Limit(ctx, r.Data.Clock, t.model.Timeouts, "create")
	resp.Diagnostics.Append(t.start(limited)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(t.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &t.model, &t.private)...)
}

// Read refreshes the training, and removes from the state what is gone.
func (r *trainingResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	t := r.kind.load(ctx, r.Data, req.State, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.Data.Refreshed(ctx, req.Private, t.model.Holding(t.order().Entry))
	existence, err := t.refresh(ctx, privatestate.Imported(ctx, req.Private), &resp.Diagnostics)
	switch {
	case err != nil:
		failure := t.failure("Read", report.Unchanged)
		failure.NotFound = path.Root("character_id")
		resp.Diagnostics.Append(failure.Error(err))
	case existence == api.Gone:
		r.Data.FoundGone(ctx, req.Private, t.model.Holding(t.order().Entry))
		r.Forget(ctx, resp, &t.model)
	case !resp.Diagnostics.HasError():
		r.Data.Characters.Note(t.characterID(), t.object())
		resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &t.model, &t.private)...)
	}
}

// Update stores what the plan configures, and resumes a wait. It buys nothing.
func (r *trainingResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	planned := framework.Configured(req.Plan, req.State.Raw)
	t := r.kind.load(ctx, r.Data, planned, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || t.needsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	limited := trainingTimeouts.Limit(ctx, r.Data.Clock, t.model.Timeouts, "update")
	resp.Diagnostics.Append(t.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &t.model, &t.private)...)
	privatestate.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Delete cancels only what our own request has started and no other object
// holds.
func (r *trainingResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	t := r.kind.load(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	r.Data.Stored(ctx, req.Private, t.model.Holding(t.order().Entry))
	if r.Data.RefuseDeletion(ctx, req.Private, t.guarded, &resp.Diagnostics) {
		return
	}
	if t.model.isRunning() {
		r.end(ctx, t, resp)
	}
	if !resp.Diagnostics.HasError() {
		r.Data.Forgotten(ctx, req.Private, t.model.Holding(t.order().Entry))
	}
}

// end cancels a running training, or says why it is left running.
func (r *trainingResource) end(ctx context.Context, t *training, resp *resource.DeleteResponse) {
	t.private.Shared = r.Data.Trainings.Release(t.holding(t.jobID()), t.holder, t.private.Shared...)
	if !t.isCancelled() {
		resp.Diagnostics.Append(t.wasNotCancelled())
		return
	}
	if !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	_, err := t.cancel(trainingTimeouts.Limit(ctx, r.Data.Clock, t.model.Timeouts, "delete"))
	t.progress.Say(t.statusLine())
	if err != nil {
		stays := "The training may still run, and stays in the state; destroy again to finish."
		resp.Diagnostics.Append(t.failure("Cancel", stays).Error(err))
	}
}

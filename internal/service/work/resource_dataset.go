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

var _ framework.Managed = (*datasetResource)(nil)

// datasetResource is mediagen_dataset.
type datasetResource struct {
	framework.Identified
}

var datasetTimeouts = attributes.Timeouts{"create": time.Hour, "update": time.Hour}

func newDatasetResource() resource.Resource {
	return &datasetResource{framework.Identified{
		Resource: framework.Resource{Name: "dataset"},
		// Nothing shows whether the job made the dataset.
		IDs: framework.OfCharacter(
			"id",
			"job_id",
			"Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it "+
				"is not checked.",
		),
		Defaults: map[string]any{"wait_for_completion": true},
		Buys:     purchases.KindDataset,
	}}
}

// Create generates the dataset, which is paid for, and waits for its end. Once
// it may be paid for, nothing is an error: that would have it destroyed and
// bought again.
func (r *datasetResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := r.Data.BeginPurchase(ctx, req.Plan, resp.Private, &resp.Diagnostics)
	defer end()
	d := loadDataset(ctx, r.Data, framework.Configured(req.Plan, tftypes.Value{}), nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	unlock, err := r.Data.Characters.LockCreate(ctx, d.characterID(), run.Dataset)
	if err != nil {
		resp.Diagnostics.Append(d.notStarted("Generate", "Dataset", err))
		return
	}
	defer unlock()
	d.model.Tally = r.Data.Tally(run.Tally{}, d.order().Purchase)
	limited := datasetTimeouts.Limit(ctx, r.Data.Clock, d.model.Timeouts, "create")
	resp.Diagnostics.Append(d.start(limited)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(d.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &d.model, &d.private)...)
}

// Read refreshes the dataset, and removes from the state what is gone.
func (r *datasetResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	d := loadDataset(ctx, r.Data, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.Data.Refreshed(ctx, req.Private, d.model.Holding(d.order().Entry))
	existence, err := d.refresh(ctx, privatestate.Imported(ctx, req.Private), &resp.Diagnostics)
	switch {
	case err != nil:
		resp.Diagnostics.Append(report.Failure{
			Verb:        "Read",
			Noun:        "Dataset",
			Object:      d.object(),
			NotFound:    path.Root("character_id"),
			Consequence: report.Unchanged,
		}.Error(err))
	case existence == api.Gone:
		r.Data.FoundGone(ctx, req.Private, d.model.Holding(d.order().Entry))
		r.Forget(ctx, resp, &d.model)
	case !resp.Diagnostics.HasError():
		r.Data.Characters.Note(d.characterID(), d.object())
		resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &d.model, &d.private)...)
	}
}

// Update stores what the plan configures, and resumes a wait. It buys nothing.
func (r *datasetResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	d := loadDataset(ctx, r.Data, framework.Configured(req.Plan, req.State.Raw), req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || d.needsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	limited := datasetTimeouts.Limit(ctx, r.Data.Clock, d.model.Timeouts, "update")
	resp.Diagnostics.Append(d.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &d.model, &d.private)...)
	privatestate.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Delete only forgets the dataset: the service deletes none.
func (r *datasetResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	d := loadDataset(ctx, r.Data, req.State, req.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	r.Data.Forgotten(ctx, req.Private, d.model.Holding(d.order().Entry))
}

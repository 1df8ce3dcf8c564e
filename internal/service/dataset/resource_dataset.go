package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*datasetResource)(nil)

var operationTimeouts = framework.Timeouts{"create": time.Hour, "update": time.Hour}

type datasetResource struct{ framework.Identified }

func newDatasetResource() resource.Resource {
	return &datasetResource{framework.Identified{
		Resource: framework.Resource{Name: "dataset"},
		// Nothing tells whether the job made the dataset.
		IDs:      framework.OfCharacter("id", "job_id", "Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it is not checked."),
		Defaults: map[string]any{"wait_for_completion": true},
	}}
}

// Create generates the dataset, once. Once it may have been accepted, nothing is
// an error: that would have it generated again.
func (r *datasetResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, returned := r.Data.Purchasing(ctx, &resp.Diagnostics)
	defer returned()
	var plan datasetModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	g := &generation{data: r.Data, model: datasetModel{}.withConfigOf(&plan)}
	mutex := r.Data.Characters.CreateMutex(g.characterID(), framework.Dataset)
	if err := mutex.Lock(ctx); err != nil {
		resp.Diagnostics.Append(g.notStartedError("Generate", "Dataset", err))
		return
	}
	defer mutex.Unlock()
	limited := operationTimeouts.Limit(ctx, r.Data.Clock, plan.Timeouts, "create")
	g.logProgress(ctx)
	resp.Diagnostics.Append(g.start(limited)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(g.awaitEnd(limited)...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &g.model, &g.private)...)
}

// Read refreshes the dataset from its character's status.
func (r *datasetResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	g, diags := loadGeneration(ctx, r.Data, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	var status *api.DatasetStatus
	existence, failure, err := r.Data.Client.Find(ctx, g.private.Evidence, func(ctx context.Context) (failure error) {
		status, failure = r.Data.Client.DatasetStatus(ctx, g.characterID())
		return failure
	})
	// What is imported must exist. A dataset that was made here had a status.
	importing := framework.Imported(ctx, req.Private) && !g.private.Shown
	if existence == api.NotYetSeen {
		err = failure
	}
	switch {
	case err != nil:
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Dataset", Object: g.model.object(), NotFound: path.Root("character_id"),
		}.Error(err))
		return
	case existence == api.Gone:
		r.Drop(ctx, resp, &g.model)
		return
	case importing && status.IsNone():
		resp.Diagnostics.AddError("Dataset Not Found", fmt.Sprintf(
			"The service shows no image in the %s, and none that is being generated. Nothing was imported.", g.model.object()))
		return
	}
	g.take(status)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &g.model, &g.private)...)
}

// Update stores what the plan configures, and resumes a wait. It generates
// nothing.
func (r *datasetResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan datasetModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	g, diags := loadGeneration(ctx, r.Data, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	g.model = g.model.withConfigOf(&plan)
	if g.needsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	g.logProgress(ctx)
	resp.Diagnostics.Append(g.awaitEnd(operationTimeouts.Limit(ctx, r.Data.Clock, plan.Timeouts, "update"))...)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &g.model, &g.private)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

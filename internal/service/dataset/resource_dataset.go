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

type datasetResource struct {
	framework.WorkResource[*generation]
}

func newDatasetResource() resource.Resource {
	return &datasetResource{framework.WorkResource[*generation]{
		Identified: framework.Identified{
			Resource: framework.Resource{Name: "dataset"},
			// Nothing tells whether the job made the dataset.
			IDs:      framework.OfCharacter("id", "job_id", "Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it is not checked."),
			Defaults: map[string]any{"wait_for_completion": true},
		},
		Verb: "Generate", Noun: "Dataset", Makes: framework.Dataset, Timeouts: framework.Timeouts{"create": time.Hour, "update": time.Hour},
		Inputs: []string{"prompts", "use_default_prompts", "triggers"}, Load: loadGeneration,
	}}
}

// Read refreshes the dataset from its character's status.
func (r *datasetResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	g := r.Load(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
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
			Verb: "Read", Noun: "Dataset", Object: g.Object(), NotFound: path.Root("character_id"),
		}.Error(err))
		return
	case existence == api.Gone:
		r.Drop(ctx, resp, &g.model)
		return
	case importing && status.IsNone():
		resp.Diagnostics.AddError("Dataset Not Found", fmt.Sprintf(
			"The service shows no image in the %s, and none that is being generated. Nothing was imported.", g.Object()))
		return
	}
	g.take(status)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, &g.model, &g.private)...)
}

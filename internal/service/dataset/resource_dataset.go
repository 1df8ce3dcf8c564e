package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*datasetResource)(nil)

type datasetResource struct {
	framework.WorkResource[*dataset]
}

func newDatasetResource() resource.Resource {
	return &datasetResource{framework.WorkResource[*dataset]{
		Identified: framework.Identified{
			Resource: framework.Resource{Name: "dataset"},
			// Nothing shows whether the job made the dataset.
			IDs:      framework.OfCharacter("id", "job_id", "Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it is not checked."),
			Defaults: map[string]any{"wait_for_completion": true}, Buys: api.KindDataset,
		},
		Verb: "Generate", Noun: "Dataset", Makes: framework.Dataset, Timeouts: framework.Timeouts{"create": time.Hour, "update": time.Hour},
		Inputs: []string{"prompts", "use_default_prompts", "triggers"}, Load: loadDataset,
	}}
}

// Delete sends nothing, and says what stays.
func (r *datasetResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	if d := loadDataset(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics); !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(d.forgotten("", true))
	}
}

// forgotten says what stays, after a sentence about what is bought.
func (d *dataset) forgotten(bought string, done bool) diag.Diagnostic {
	return framework.Forgotten("Dataset", fmt.Sprintf("%sThe %s (%s)", bought, d.Object(), d.describe()),
		"Its images stay at the service, unless a deletion of the character takes them along, and what is being generated goes on.", done, d.Summary)
}

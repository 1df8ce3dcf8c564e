package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// order returns the order of the dataset: a generation of the requested images.
func (d *dataset) order() purchases.Order[*api.Receipt] {
	request := api.DatasetRequest{UseDefaultPrompts: d.model.UseDefaultPrompts.ValueBoolPointer()}
	for _, prompt := range d.model.Prompts.Elements() {
		text, _ := prompt.(types.String)
		request.Prompts = append(request.Prompts, text.ValueString())
	}
	return purchases.OrderDataset(request, d.characterID(), framework.TextsByKey(d.model.Triggers))
}

// refuseSecond refuses a second dataset in a single run, and a dataset while the
// service is generating another.
func (d *dataset) refuseSecond(ctx context.Context) diag.Diagnostics {
	// Private state may come from a predecessor, and does not apply to this
	// dataset.
	d.private = datasetState{}
	if d.data.Characters.IsMade(d.characterID(), run.GeneratedDataset) {
		return diag.Diagnostics{d.messages().isGeneratedAlready()}
	}
	before, err := d.data.Client.Datasets.Status(ctx, d.characterID())
	if err != nil {
		return diag.Diagnostics{d.notStarted("Read", "Dataset Status", err)}
	}
	if before.IsRunning() {
		d.model.statusFromAPI(before)
		return diag.Diagnostics{d.messages().runsAlready()}
	}
	d.private.Evidence = d.data.Client.Seen(d.private.Evidence)
	d.private.Before = before
	d.model.limitsFromAPI(before)
	return nil
}

// accepted stores a dataset that the service is generating. A missing job id is
// no problem: no request needs the id.
func (d *dataset) accepted(receipt *api.Receipt, sent time.Time) {
	d.begin(sent)
	d.ID = types.StringPointerValue(receipt.JobID)
	if d.jobID() == "" {
		d.ID = framework.UnconfirmedID()
	}
	d.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
}

// unknown stores a start whose effect is not known. A single read records the
// status that the service shows now.
func (d *dataset) unknown(ctx context.Context, _ *api.Receipt, unconfirmed framework.Unconfirmed) {
	d.begin(unconfirmed.Sent)
	d.private.Lost = unconfirmed
	d.model.Status = types.StringValue("unconfirmed")
	d.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := d.data.Client.Datasets.Status(ctx, d.characterID())
		if err == nil {
			d.updateFrom(status)
		}
		return err
	})
}

// begin notes that the service is generating a dataset, or may be.
func (d *dataset) begin(sent time.Time) {
	d.private.Started = sent
	d.data.Characters.NoteMade(d.characterID(), run.GeneratedDataset)
}

package dataset

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// order is what the dataset buys: one generation of the images that are asked
// for.
func (d *dataset) order() api.WorkOrder {
	request := api.DatasetRequest{
		UseDefaultPrompts: d.model.UseDefaultPrompts.ValueBoolPointer(),
		Triggers:          attributes.TriggerTexts(d.model.Triggers),
	}
	for _, prompt := range d.model.Prompts.Elements() {
		text, _ := prompt.(types.String)
		request.Prompts = append(request.Prompts, text.ValueString())
	}
	return request.Order(d.characterID())
}

// start sends one request, unless another run has sent it and no state is known
// to have that. Only an error says that nothing was bought, as far as the
// service says.
func (d *dataset) start(ctx context.Context) (diags diag.Diagnostics) {
	order := d.order()
	if found := d.data.Client.PurchaseLog().Find(order.Entry); len(found) > 0 {
		return diag.Diagnostics{d.guarded(found).Error()}
	}
	diags.Append(d.prepare(ctx)...)
	if diags.HasError() {
		return diags
	}
	sent := d.data.Clock.Now()
	receipt, err := d.data.Client.StartWork(ctx, order)
	bought, isBought := errors.AsType[*purchases.BoughtError](err)
	switch {
	case isBought:
		diags.Append(d.guarded(bought.Found).Error())
	case err != nil && !reply.IsEffectUnknown(err):
		diags.Append(d.notStarted("Generate", "Dataset", err))
	default:
		diags.Append(d.record(ctx, receipt, err, sent)...)
	}
	return diags
}

// guarded is about the same dataset, which another run has bought.
func (d *dataset) guarded(found []purchases.Bought) run.Guarded {
	return framework.GuardedWork(d.object(), d.characterID(), found, d.summary)
}

// prepare refuses a second dataset in one run, and one while another is being
// generated.
func (d *dataset) prepare(ctx context.Context) diag.Diagnostics {
	if d.data.Characters.IsMade(d.characterID(), run.GeneratedDataset) {
		return diag.Diagnostics{d.isGeneratedAlready()}
	}
	before, err := d.data.Client.Datasets.Status(ctx, d.characterID())
	if err != nil {
		return diag.Diagnostics{d.notStarted("Read", "Dataset Status", err)}
	}
	if before.IsRunning() {
		d.model.statusFromAPI(before)
		return diag.Diagnostics{d.runsAlready()}
	}
	d.private.Evidence = d.data.Client.Seen(d.private.Evidence)
	d.private.Before = before
	d.model.limitsFromAPI(before)
	return nil
}

// record stores the outcome of a start: the dataset is generated, or may be and
// is unconfirmed.
func (d *dataset) record(ctx context.Context, receipt *api.Receipt, err error, sent time.Time) diag.Diagnostics {
	d.private.Started = sent
	d.data.Characters.NoteMade(d.characterID(), run.GeneratedDataset)
	if err != nil {
		return diag.Diagnostics{d.recordUnconfirmed(ctx, err)}
	}
	d.model.ID = types.StringPointerValue(receipt.JobID)
	if d.model.ID.ValueString() == "" {
		d.model.ID = run.UnconfirmedID()
	}
	d.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
	return report.OddReceipt(d.object(), receipt.CreditsDeducted, receipt.Assumed, receipt.TooLarge, d.summary)
}

// recordUnconfirmed records a start whose effect is not known. One read finds
// out what is shown now.
func (d *dataset) recordUnconfirmed(ctx context.Context, cause error) diag.Diagnostic {
	d.model.ID = run.UnconfirmedID()
	d.model.Status = types.StringValue("unconfirmed")
	d.private.Unconfirmed = true
	d.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := d.data.Client.Datasets.Status(ctx, d.characterID())
		if err == nil {
			d.updateFrom(status)
		}
		return err
	})
	return d.isUnconfirmed(d.data.Unanswered(cause))
}

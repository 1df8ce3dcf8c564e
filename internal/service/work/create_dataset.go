package work

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/attributes"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// order is what the dataset buys: one generation of the images that are asked
// for.
func (d *dataset) order() api.Order[*api.Receipt] {
	request := api.DatasetRequest{
		UseDefaultPrompts: d.model.UseDefaultPrompts.ValueBoolPointer(),
		Triggers:          attributes.TextsByKey(d.model.Triggers),
	}
	for _, prompt := range d.model.Prompts.Elements() {
		text, _ := prompt.(types.String)
		request.Prompts = append(request.Prompts, text.ValueString())
	}
	return request.Order(d.characterID())
}

// start buys the dataset, unless another run has bought it and no state is known
// to have that. Only an error says that nothing was bought, as far as the
// service says.
func (d *dataset) start(ctx context.Context) (diags diag.Diagnostics) {
	order := d.order()
	if d.data.RefuseGuarded(ctx, order.Entry, d.guarded, &diags) {
		return diags
	}
	diags.Append(d.prepare(ctx)...)
	if !diags.HasError() {
		run.Buy(ctx, d.data, order, &startingDataset{d, &diags})
	}
	return diags
}

// guarded is about the same dataset, which another run has bought.
func (d *dataset) guarded(found []purchases.Bought) run.Guarded {
	return d.model.Guarded(d.object(), found, d.summary)
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

// startingDataset is the purchase of a dataset.
type startingDataset struct {
	*dataset
	diags *diag.Diagnostics
}

var _ run.Buyer[*api.Receipt] = (*startingDataset)(nil)

// Accepted stores a dataset that is being generated. Nothing needs its job.
func (s *startingDataset) Accepted(_ context.Context, receipt *api.Receipt, sent time.Time) {
	s.begin(sent)
	s.model.ID = types.StringPointerValue(receipt.JobID)
	if s.model.ID.ValueString() == "" {
		s.model.ID = run.UnconfirmedID()
	}
	s.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
	s.diags.Append(
		report.OddReceipt(
			s.object(),
			receipt.CreditsDeducted,
			receipt.Assumed,
			receipt.TooLarge,
			s.summary,
		)...)
}

// Unknown records a start whose effect is not known. One read finds out what is
// shown now.
func (s *startingDataset) Unknown(ctx context.Context, _ *api.Receipt, unconfirmed run.Unconfirmed) {
	s.begin(unconfirmed.Sent)
	s.private.Lost = unconfirmed
	s.model.ID = run.UnconfirmedID()
	s.model.Status = types.StringValue("unconfirmed")
	s.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := s.data.Client.Datasets.Status(ctx, s.characterID())
		if err == nil {
			s.updateFrom(status)
		}
		return err
	})
	s.diags.Append(s.isUnconfirmed())
}

// Refused is an error: no dataset was generated.
func (s *startingDataset) Refused(_ context.Context, err error) {
	s.diags.Append(s.notStarted("Generate", "Dataset", err))
}

// Guarded is an error: another run has bought the dataset since this one has
// asked the purchase log.
func (s *startingDataset) Guarded(_ context.Context, found []purchases.Bought) {
	s.diags.Append(s.guarded(found).Error())
}

// begin notes that a dataset is being generated, or may be.
func (s *startingDataset) begin(sent time.Time) {
	s.private.Started = sent
	s.data.Characters.NoteMade(s.characterID(), run.GeneratedDataset)
}

package dataset

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
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
		return diag.Diagnostics{
			diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Generated Already", fmt.Sprintf(
				"Another resource has already generated the %s in this run. A run generates only one, because "+
					"nothing would tell two apart. Nothing was sent for this one, and nothing was bought. Remove one "+
					"of the resources.",
				d.object(),
			)),
		}
	}
	before, err := d.data.Client.Datasets.Status(ctx, d.characterID())
	if err != nil {
		return diag.Diagnostics{d.notStarted("Read", "Dataset Status", err)}
	}
	if before.IsRunning() {
		d.model.statusFromAPI(before)
		return diag.Diagnostics{d.runningError()}
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
	d.data.Characters.Makes(d.characterID(), run.GeneratedDataset)
	if err != nil {
		return diag.Diagnostics{d.recordUnconfirmed(ctx, err)}
	}
	d.model.ID = types.StringPointerValue(receipt.JobID)
	if d.model.ID.ValueString() == "" {
		d.model.ID = run.UnconfirmedID()
	}
	d.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
	return report.OddReceipt(d.object(), receipt.CreditsDeducted, receipt.Assumed, receipt.BeyondReason, d.summary)
}

func (d *dataset) runningError() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Is Being Generated", fmt.Sprintf(
		"A %s is being generated (%s). What a second one does to it is not documented. Nothing was bought. Apply "+
			"again once it has ended; or import it, to manage it without generating another.",
		d.object(),
		d.describe(),
	))
}

// notStarted is a failure after which nothing is generated, as far as the
// service says.
func (d *dataset) notStarted(verb, noun string, err error) diag.Diagnostic {
	fields := map[string]path.Path{
		"prompts":             path.Root("prompts"),
		"use_default_prompts": path.Root("use_default_prompts"),
	}
	return framework.NotBought(report.Failure{
		Verb:   verb,
		Noun:   noun,
		Fields: fields,
	}, &d.model.WorkModel, "No dataset was generated", err)
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
	return d.unconfirmedWarning(d.data.Unanswered(cause))
}

// unconfirmedWarning says that the images may be paid for, and where to look
// for them.
func (d *dataset) unconfirmedWarning(what string) diag.Diagnostic {
	lines := report.ImportLines(report.Quote(framework.ImportID(d.characterID(), "JOB_ID")))
	return diag.NewWarningDiagnostic(d.summary("Dataset Unconfirmed"), fmt.Sprintf(
		"The request to generate a dataset of character %q %s.\n\nIt is recorded as %q and not sent again by itself. "+
			"The status names no job: before the request it was %s, and it is %s now.\n\n"+
			"If the dataset is this one, import it in place of this resource, which generates nothing (no JOB_ID is "+
			"checked):\n\n%s\n\nOtherwise change triggers to generate it again, which may cost credits.",
		d.characterID(),
		what,
		d.model.ID.ValueString(),
		describe(d.private.Before),
		describe(d.private.Now),
		lines,
	))
}

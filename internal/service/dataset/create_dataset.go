package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// Order is what the dataset buys: one generation of the images that are asked
// for.
func (d *dataset) Order() api.WorkOrder {
	request := api.DatasetRequest{
		UseDefaultPrompts: d.model.UseDefaultPrompts.ValueBoolPointer(),
		Triggers:          framework.TriggerTexts(d.model.Triggers),
	}
	for _, prompt := range d.model.Prompts.Elements() {
		text, _ := prompt.(types.String)
		request.Prompts = append(request.Prompts, text.ValueString())
	}
	return request.Order(d.characterID())
}

// Prepare refuses a second dataset in one run, and one while another is being
// generated.
func (d *dataset) Prepare(ctx context.Context) diag.Diagnostics {
	if d.data.Characters.IsMade(d.characterID(), framework.GeneratedDataset) {
		return diag.Diagnostics{
			diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Generated Already", fmt.Sprintf(
				"Another resource has already generated the %s in this run. A run generates only one, because "+
					"nothing would tell two apart. Nothing was sent for this one, and nothing was bought. Remove one "+
					"of the resources.",
				d.Object(),
			)),
		}
	}
	before, err := d.data.Client.DatasetStatus(ctx, d.characterID())
	if err != nil {
		return diag.Diagnostics{d.NotStarted("Read", "Dataset Status", err)}
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

// Record stores the outcome of a start: the dataset is generated, or may be and
// is unconfirmed.
func (d *dataset) Record(ctx context.Context, receipt *api.Receipt, err error, sent time.Time) diag.Diagnostics {
	d.private.Started = sent
	d.data.Characters.Makes(d.characterID(), framework.GeneratedDataset)
	if err != nil {
		return diag.Diagnostics{d.recordUnconfirmed(ctx, err)}
	}
	d.model.ID = types.StringPointerValue(receipt.JobID)
	if d.model.ID.ValueString() == "" {
		d.model.ID = framework.UnconfirmedID()
	}
	d.model.TotalImages = types.Int64PointerValue(receipt.TotalImages)
	return framework.OddReceipt(d.Object(), receipt.CreditsDeducted, receipt.Assumed, receipt.BeyondReason, d.Summary)
}

func (d *dataset) runningError() diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("character_id"), "Dataset Is Being Generated", fmt.Sprintf(
		"A %s is being generated (%s). What a second one does to it is not documented. Nothing was bought. Apply "+
			"again once it has ended; or import it, to manage it without generating another.",
		d.Object(),
		d.describe(),
	))
}

// NotStarted is a failure after which nothing is generated, as far as the
// service says.
func (d *dataset) NotStarted(verb, noun string, err error) diag.Diagnostic {
	fields := map[string]path.Path{
		"prompts":             path.Root("prompts"),
		"use_default_prompts": path.Root("use_default_prompts"),
	}
	return framework.NotBought(framework.Failure{
		Verb:   verb,
		Noun:   noun,
		Fields: fields,
	}, &d.model.WorkModel, "No dataset was generated", err)
}

// recordUnconfirmed records a start whose effect is not known. One read finds
// out what is shown now.
func (d *dataset) recordUnconfirmed(ctx context.Context, cause error) diag.Diagnostic {
	d.model.ID = framework.UnconfirmedID()
	d.model.Status = types.StringValue("unconfirmed")
	d.private.Unconfirmed = true
	d.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := d.data.Client.DatasetStatus(ctx, d.characterID())
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
	lines := framework.ImportLines(framework.Quote(framework.ImportID(d.characterID(), "JOB_ID")))
	return diag.NewWarningDiagnostic(d.Summary("Dataset Unconfirmed"), fmt.Sprintf(
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

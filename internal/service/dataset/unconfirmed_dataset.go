package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// recordUnconfirmed records a start whose effect is not known. One read finds out what
// the status shows now.
func (d *dataset) recordUnconfirmed(ctx context.Context, cause error) diag.Diagnostic {
	d.model.ID, d.model.Status, d.private.Unconfirmed = framework.UnconfirmedID(), types.StringValue("unconfirmed"), true
	d.data.LookOnce(ctx, func(ctx context.Context) error {
		status, err := d.data.Client.DatasetStatus(ctx, d.characterID())
		if err == nil {
			d.updateFrom(status)
		}
		return err
	})
	return d.unconfirmedWarning(d.data.Unanswered(cause))
}

// unconfirmedWarning says what the status shows, which names no job, and the two ways
// out.
func (d *dataset) unconfirmedWarning(what string) diag.Diagnostic {
	lines := framework.ImportLines(framework.Quote(framework.ImportID(d.characterID(), "JOB_ID")))
	return diag.NewWarningDiagnostic(d.Summary("Dataset Unconfirmed"), fmt.Sprintf(
		"The request to generate a dataset of character %q %s. It is recorded as %q and not sent again by itself. The status names no job: before the request it was %s, and it is %s now.\n\n"+
			"If the dataset is this one, import it in place of this resource, which generates nothing (no JOB_ID is checked):\n\n%s\n\nOtherwise change triggers to generate it again, which may cost credits.",
		d.characterID(), what, d.model.ID.ValueString(), describe(d.private.Before), describe(d.private.Now), lines))
}

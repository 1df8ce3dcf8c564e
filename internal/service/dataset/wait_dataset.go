package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// AwaitEnd waits, if the configuration says so, and says how the wait has ended.
// That is no error: the dataset may be paid for, and an error would have it
// generated again.
func (d *dataset) AwaitEnd(ctx context.Context) (diags diag.Diagnostics) {
	if !d.NeedsWait() {
		return nil
	}
	schedule := framework.WorkSchedule
	err := wait.Poll(ctx, d.data.Clock, d.data.Polls.Limit(schedule.Next), d.progress, func(ctx context.Context) (bool, error) {
		status, existence, failure, err := d.find(ctx, d.private.AsShown())
		switch {
		case err != nil:
			return false, err
		case existence == api.Gone:
			return false, failure
		}
		d.updateFrom(status)
		return d.private.EndSeen, nil
	})
	d.progress.Say(d.statusLine())
	switch {
	case err != nil:
		diags.Append(framework.EndedEarly(err, "Dataset", "Being Generated", fmt.Sprintf("%s (%s)", d.Object(), d.describe()), framework.Resumes))
	case d.hasFailed():
		diags.AddWarning(d.Summary("Dataset Failed"), d.describeFailure())
	}
	return diags
}

func (d *dataset) describeFailure() string {
	return fmt.Sprintf("The %s was not generated: %s. What that cost is not known. Change the triggers of its resource to generate it again, which may cost credits.", d.Object(), d.describe())
}

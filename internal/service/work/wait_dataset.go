package work

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// awaitEnd waits for the end of the dataset, and warns if the dataset has
// failed.
func (d *dataset) awaitEnd(ctx context.Context) (diags diag.Diagnostics) {
	schedule := workSchedule
	err := wait.Poll(
		ctx,
		d.data.Clock,
		d.data.Polls.Limit(schedule.Next),
		d.progress,
		func(ctx context.Context) (bool, error) {
			status, existence, failure, err := d.find(ctx, d.private.AsShown())
			switch {
			case err != nil:
				return false, err
			case existence == evidence.Gone:
				return false, failure
			}
			d.updateFrom(status)
			return d.private.EndSeen, nil
		},
	)
	d.progress.Say(d.statusLine())
	switch {
	case err != nil:
		diags.Append(
			endedEarly(
				err,
				"Dataset",
				"Being Generated",
				fmt.Sprintf("%s (%s)", d.object(), d.describe()),
				resumes,
			),
		)
	case d.phase() == phaseFailed:
		diags.Append(d.messages().failed())
	}
	return diags
}

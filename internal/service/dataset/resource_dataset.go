package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var _ framework.Managed = (*datasetResource)(nil)

// datasetResource is mediagen_dataset.
type datasetResource struct {
	framework.WorkResource[*dataset]
}

// newDatasetResource describes a dataset as work that is bought, waited for and
// kept.
func newDatasetResource() resource.Resource {
	return &datasetResource{framework.WorkResource[*dataset]{
		Identified: framework.Identified{
			Resource: framework.Resource{Name: "dataset"},
			// Nothing shows whether the job made the dataset.
			IDs: framework.OfCharacter(
				"id",
				"job_id",
				"Id of the job, as the service answered when the dataset was started. Nothing tells it again, so it "+
					"is not checked.",
			),
			Defaults: map[string]any{"wait_for_completion": true},
			Buys:     purchases.KindDataset,
		},
		Verb:     "Generate",
		Noun:     "Dataset",
		Makes:    framework.Dataset,
		Timeouts: framework.Timeouts{"create": time.Hour, "update": time.Hour},
		Inputs:   []string{"prompts", "use_default_prompts", "triggers"},
		Load:     loadDataset,
	}}
}

func (r *datasetResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	d := loadDataset(ctx, r.Data, req.State, req.Private, nil, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	r.Forget(ctx, req.Private, d)
	resp.Diagnostics.Append(d.forgotten("", true))
}

// forgotten says that the images stay at the service.
func (d *dataset) forgotten(bought string, done bool) diag.Diagnostic {
	return framework.Forgotten(
		"Dataset",
		fmt.Sprintf("%sThe %s (%s)", bought, d.Object(), d.describe()),
		"Its images stay at the service, unless a deletion of the character takes them along, and what is being "+
			"generated goes on.",
		done,
		d.Summary,
	)
}

// Refresh reads how far the dataset is. A dataset of which the service says
// nothing is kept: it may not be visible yet.
func (d *dataset) Refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (api.Existence, error) {
	status, existence, failure, err := d.find(ctx, d.private.Evidence)
	switch {
	case existence == api.NotYetSeen:
		return existence, failure // what is imported must exist, and one that was made here had a status
	case err != nil || existence == api.Gone:
		return existence, err
	case imported && !d.private.Shown && status.IsNone():
		diags.AddError("Dataset Not Found", fmt.Sprintf(
			"The service shows no image in the %s, and none that is being generated. Nothing was imported.",
			d.Object(),
		))
	default:
		d.updateFrom(status)
	}
	return existence, nil
}

// find reads the status of the dataset, and what it proves.
func (d *dataset) find(
	ctx context.Context,
	last api.Evidence,
) (status *api.DatasetStatus, existence api.Existence, failure, err error) {
	existence, failure, err = d.data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		status, failure = d.data.Client.DatasetStatus(ctx, d.characterID())
		return failure
	})
	return status, existence, failure, err
}

// updateFrom takes what a status says of the dataset.
func (d *dataset) updateFrom(status *api.DatasetStatus) {
	d.private.Evidence = d.data.Client.Seen(d.private.Evidence)
	if d.private.Unconfirmed {
		d.private.Now = status // that of somebody else's dataset, perhaps
		return
	}
	d.model.statusFromAPI(status)
	if status.Phase() != api.Running {
		isSince := d.private.Before == nil || status.IsSince(d.private.Before)
		d.private.EndSeen = d.private.EndSeen || isSince ||
			d.data.Clock.Now().Sub(d.private.Started) >= framework.PropagationTimeout
	}
}

// AwaitEnd returns no error: the dataset may be paid for, and would be
// generated again.
func (d *dataset) AwaitEnd(ctx context.Context) (diags diag.Diagnostics) {
	if !d.NeedsWait() {
		return nil
	}
	schedule := framework.WorkSchedule
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
			case existence == api.Gone:
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
			framework.EndedEarly(
				err,
				"Dataset",
				"Being Generated",
				fmt.Sprintf("%s (%s)", d.Object(), d.describe()),
				framework.Resumes,
			),
		)
	case d.hasFailed():
		diags.AddWarning(d.Summary("Dataset Failed"), d.describeFailure())
	}
	return diags
}

func (d *dataset) describeFailure() string {
	return fmt.Sprintf(
		"The %s was not generated: %s. What that cost is not known. Change the triggers of its resource to generate "+
			"it again, which may cost credits.",
		d.Object(),
		d.describe(),
	)
}

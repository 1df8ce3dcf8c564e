package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
)

// refresh reads how far the dataset is. If the service says nothing of the
// dataset, the dataset stays in the state: it may not be visible yet.
func (d *dataset) refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (evidence.Existence, error) {
	status, existence, failure, err := d.find(ctx, d.private.Evidence)
	switch {
	case existence == evidence.NotYetSeen:
		return existence, failure // an imported dataset must exist, and a dataset that was made here had a status
	case err != nil || existence == evidence.Gone:
		return existence, err
	case imported && !d.private.Shown && status.IsNone():
		diags.Append(d.messages().importNotFound())
	default:
		d.updateFrom(status)
	}
	return existence, nil
}

// find reads the status of the dataset, and returns what the reply proves.
func (d *dataset) find(
	ctx context.Context,
	last evidence.Evidence,
) (status *api.DatasetStatus, existence evidence.Existence, failure, err error) {
	existence, failure, err = d.data.Client.Find(ctx, last, func(ctx context.Context) (failure error) {
		status, failure = d.data.Client.Datasets.Status(ctx, d.characterID())
		return failure
	})
	return status, existence, failure, err
}

// updateFrom stores the dataset's part of a status.
func (d *dataset) updateFrom(status *api.DatasetStatus) {
	d.private.Evidence = d.data.Client.Seen(d.private.Evidence)
	if !d.private.Lost.IsZero() {
		d.private.Now = status // perhaps the status of somebody else's dataset
		return
	}
	d.model.statusFromAPI(status)
	if status.Phase() != api.Running {
		isSince := d.private.Before == nil || status.IsSince(d.private.Before)
		d.private.EndSeen = d.private.EndSeen || isSince ||
			d.data.Clock.Now().Sub(d.private.Started) >= propagationTimeout
	}
}

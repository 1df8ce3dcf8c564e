package generation

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// operation is one create, read, update or delete of a group: what buying,
// waiting, reading and deleting share.
type operation struct {
	data  *framework.ProviderData
	group *group
	diags *diag.Diagnostics
	// private is where a holder's name is stored.
	private framework.PrivateData
	// progress shows a wait to a person; nil if nobody watches.
	progress *wait.Progress
	// paid: a batch was accepted, or may have been. After that every problem is
	// a warning.
	paid bool
	// sent is when the last batch was sent.
	sent time.Time
	// bought holds the ids that this operation has bought.
	bought map[string]bool
	// openBatches holds the keys of its batches whose replies leave open whose the
	// generations are.
	openBatches [][]string
	// estimate is the service's last estimate for a batch; 0 without one.
	estimate time.Duration
	// statuses holds the last status that a wait read, by id.
	statuses map[string]*api.Generation
	// lastErrors holds the failure of the last read of a wait, by id.
	lastErrors map[string]error
	// missed holds the ids that the wait was told are gone: the next poll tells
	// whether that is so.
	missed map[string]bool
	// deleted holds the result of each deletion of a generation, by id.
	deleted map[string]error
	// orphanedImages are images that stay at the service and that no request can name any
	// more, since their generation is gone.
	orphanedImages []string
}

func newOperation(data *framework.ProviderData, g *group, private framework.PrivateData, diags *diag.Diagnostics) *operation {
	return &operation{
		data: data, group: g, private: private, diags: diags, bought: map[string]bool{}, statuses: map[string]*api.Generation{},
		lastErrors: map[string]error{}, missed: map[string]bool{}, deleted: map[string]error{},
	}
}

// judge concludes from the outcome of a request for one object, and records the
// caller that was shown it.
func (op *operation) judge(ctx context.Context, failure error, last api.Evidence) (api.Existence, error) {
	existence, err := op.data.Client.Judge(ctx, failure, last)
	if existence == api.Present {
		op.group.private.By = op.data.Client.Seen(last).By
	}
	return existence, err
}

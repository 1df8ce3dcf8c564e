package generation

import (
	"cmp"
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// operation is one create, read, update or delete of a group.
type operation struct {
	data  *framework.ProviderData
	group *group
	diags *diag.Diagnostics
	// private is where a holder's name is stored.
	private framework.PrivateData
	// paid: a batch was accepted, or may have been: every problem is a warning now.
	paid bool
	// sent is when the last batch was sent.
	sent time.Time
	// bought holds the ids that this operation has bought.
	bought map[string]bool
	// openBatches are the keys of batches whose replies leave open whose is what.
	openBatches [][]string
	// estimate is the service's last estimate for a batch; 0 without one.
	estimate time.Duration
	// statuses holds the last status that a wait read, by id.
	statuses map[string]*api.Generation
	// lastErrors holds the failure of the last read of a wait, by id.
	lastErrors map[string]error
	// missed holds the ids that one poll of the wait has called gone: the next decides.
	missed map[string]bool
	// deleted holds the result of each deletion of a generation, by id.
	deleted map[string]error
	// orphanedImages stay at the service, and no request can name them any more.
	orphanedImages []string
}

func newOperation(data *framework.ProviderData, g *group, private framework.PrivateData, diags *diag.Diagnostics) *operation {
	return &operation{
		data: data, group: g, private: private, diags: diags, bought: map[string]bool{}, statuses: map[string]*api.Generation{},
		lastErrors: map[string]error{}, missed: map[string]bool{}, deleted: map[string]error{},
	}
}

// judge concludes from a request for one object, and records the caller that was shown it.
func (op *operation) judge(ctx context.Context, failure error, last api.Evidence) (api.Existence, error) {
	existence, err := op.data.Client.Judge(ctx, failure, last)
	if existence == api.Present {
		op.group.private.By = op.data.Client.Seen(last).By
	}
	return existence, err
}

// findGroupID reads a generation to find the group's id if no reply has named it: the
// next batch would create another group. Where one status lacks it, all do.
func (op *operation) findGroupID(ctx context.Context) {
	for _, id := range sortedKeys(op.bought) {
		if op.group.hasID() || op.statuses[id] != nil {
			return
		}
		if _ = op.readAwaited(ctx, []string{id}); op.statuses[id] != nil {
			return
		}
	}
}

// readAwaited reads awaited generations. It returns the first error, in the order of the
// ids, that says nothing about its generation.
func (op *operation) readAwaited(ctx context.Context, ids []string) error {
	var first error
	for _, read := range op.data.Client.Generations(ctx, ids) {
		existence, err := op.judge(ctx, read.Err, op.group.evidence(read.ID))
		op.lastErrors[read.ID] = read.Err
		switch {
		case existence == api.Present:
			if op.bought[read.ID] { // an older one may be of another group
				op.group.learnID(read.Status)
			}
			op.group.recordStatus(read.ID, read.Status)
			op.statuses[read.ID] = read.Status
			delete(op.missed, read.ID)
		case existence == api.Gone && op.missed[read.ID]:
			op.group.Vanished[read.ID] = true
			delete(op.missed, read.ID)
		case existence == api.Gone:
			op.missed[read.ID] = true
		}
		first = cmp.Or(first, err)
	}
	return first
}

// recordStatus applies a status to the working copy.
func (g *group) recordStatus(id string, status *api.Generation) {
	g.Seen[id] = true
	for _, key := range g.KeysOf(id) {
		g.Set(key, withStatus(g.Generations[key], status))
	}
	if group := orEmpty(status.GroupID); group != "" && len(g.KeysOf(id)) > 0 {
		g.tie(id, group)
	}
}

// tie records which group a reply shows a generation in. The deletion of the whole
// group covers only its own.
func (g *group) tie(id, group string) {
	if g.private.Apart = prompts.Without(g.private.Apart, id); group == "" || group != g.model.ID.ValueString() {
		g.private.Apart = append(g.private.Apart, id)
	}
}

// learnID takes the group's id from a status if no reply has named it.
func (g *group) learnID(status *api.Generation) {
	if group := orEmpty(status.GroupID); group != "" && !g.hasID() {
		g.model.ID = types.StringValue(group)
	}
}

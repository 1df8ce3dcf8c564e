package generation

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// findGroupID reads a generation of an earlier batch to find the group's id if
// the reply did not name it: the next batch would create another group. If one
// status does not contain it, the others do not either.
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

// readAwaited reads awaited generations. It returns the first error, in the
// order of the ids, that says nothing about its generation.
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

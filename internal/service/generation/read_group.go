package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// refresh reads the group's generations, one request each, and those that have
// vanished once more.
func (op *operation) refresh(ctx context.Context) error {
	g := op.group
	ids, err := op.readListed(ctx)
	if err != nil {
		return err
	}
	err = op.data.Client.Twice(ctx, func(ctx context.Context) (gone bool, err error) {
		ids, err = op.readAll(ctx, ids)
		return len(ids) > 0, err
	})
	if err != nil {
		return err
	}
	for _, id := range ids {
		g.vanished[id] = true
		for _, holder := range g.keysOf(id) {
			g.remove(holder) // it is planned again
		}
	}
	if g.private.GroupMissing && len(g.ids()) == 0 {
		g.model.ID = types.StringNull() // nothing can be added to it any more
	}
	g.private.GroupMissing = false
	if len(g.unconfirmed()) > 0 && !g.hasID() && op.data.ReadsMore() {
		_ = op.noteGroups(ctx) // it only helps a person
	}
	return nil
}

// readListed reads the group's own list, if a deployment has one and that takes
// fewer requests or is all that an import has, and returns the ids that are left:
// only their statuses tell why one has failed, how far one is, or that one is gone.
func (op *operation) readListed(ctx context.Context) (left []string, err error) {
	g := op.group
	requests := 1 + (len(g.holders)-1)/api.ListedPerRequest
	var group *api.Group
	switch importing := len(g.prompts) == 0; {
	case importing && g.hasID():
		group, err = op.adoptListed(ctx)
	case g.hasID() && len(g.idsOf(g.toBeRead())) > requests:
		group, err = op.data.Client.OfferedGroup(ctx, g.model.ID.ValueString())
	}
	if err != nil {
		return nil, err
	}
	op.noteListed(group)
	listed := group.ByID()
	return slices.DeleteFunc(g.idsOf(g.toBeRead()), func(id string) bool {
		if !listed[id].Success() {
			return false
		}
		op.recordListed(id, *listed[id])
		return true
	}), nil
}

// recordListed records that a generation has ended with results, as its group's own
// list says. That may show other addresses and words than a status: those that the
// state has stay.
func (op *operation) recordListed(id string, listed api.Generation) {
	g := op.group
	g.private.By = op.data.Client.Seen(g.private.Of(id)).By
	key, _ := g.keyOf(id)
	if stored := g.generations[key]; g.phaseOf(key) == phaseSucceeded && len(stored.ResultURLs) > 0 {
		listed.Status, listed.ResultURLs = stored.Status.ValueStringPointer(), stored.ResultURLs
	}
	g.recordStatus(id, &listed)
}

// readAll reads generations, and returns the ids of those that are gone. It concludes
// from what is shown before it does from what is not: if another generation of the
// group can be read, the caller is the same organization. At another address, that
// proves nothing about the rest.
func (op *operation) readAll(ctx context.Context, ids []string) (gone []string, err error) {
	address := op.group.private.By.Address
	reads := op.data.Client.Generations(ctx, ids)
	for _, shown := range []bool{true, false} {
		for _, read := range reads {
			if shown != (read.Err == nil) {
				continue
			}
			last := op.group.private.Of(read.ID)
			last.By.Address = address
			existence, err := op.recordRead(ctx, read, last)
			if err != nil {
				return nil, err
			}
			if existence == api.Gone {
				gone = append(gone, read.ID)
			}
		}
	}
	return gone, nil
}

// toBeRead returns the sorted keys, without finished ones if so configured and
// nothing requires reading them.
func (g *group) toBeRead() []string {
	keys := sortedKeys(g.generations)
	if g.model.RefreshFinished.ValueBool() || g.private.GroupMissing {
		return keys
	}
	return slices.DeleteFunc(keys, func(key string) bool { return g.phaseOf(key).isFinished() })
}

// recordRead concludes from a status, or from why there is none.
func (op *operation) recordRead(ctx context.Context, read api.GenerationRead, last api.Evidence) (api.Existence, error) {
	g, id := op.group, read.ID
	existence, err := op.judge(ctx, read.Err, last)
	if err != nil {
		return existence, err
	}
	key, _ := g.keyOf(id)
	if _, known := g.prompts[key]; !known { // it is imported
		if existence != api.Present {
			return existence, fmt.Errorf("the generation %q of the key %q does not exist: %w", id, key, read.Err)
		}
		for _, holder := range g.keysOf(id) {
			if err := g.adopt(holder, id, read.Status); err != nil {
				return existence, err
			}
		}
	}
	if existence == api.Present {
		g.learnID(read.Status)
		g.recordStatus(id, read.Status)
	}
	return existence, nil
}

// adopt takes over what a status says about an imported generation. Its inputs
// come from the configuration at the next plan.
func (g *group) adopt(key, id string, status *api.Generation) error {
	if group := orEmpty(status.GroupID); group != "" && g.hasID() && group != g.model.ID.ValueString() {
		return fmt.Errorf("the generations to import belong to different groups: %q is of the group %q, another one of %q; import each group by itself", id, group, g.model.ID.ValueString())
	}
	if g.model.GenerationType.IsNull() {
		g.model.GenerationType = types.StringPointerValue(status.GenerationType)
	}
	g.prompts[key] = promptModel{Prompt: types.StringPointerValue(status.Prompt)}
	g.set(key, newGeneration(id))
	return nil
}

// wasDeleted reports whether the group was deleted elsewhere: something of it
// vanished, and nothing that is left exists or may exist.
func (g *group) wasDeleted() bool {
	nothing := g.keysIn(sortedKeys(g.generations), phaseUnsubmitted, phaseRejected, phaseGone)
	return len(g.vanished) > 0 && len(nothing) == len(g.generations)
}

// recordStatus applies a status to the working copy.
func (g *group) recordStatus(id string, status *api.Generation) {
	g.private.Note(id)
	for _, key := range g.keysOf(id) {
		g.set(key, g.generations[key].withStatus(status))
	}
	if group := orEmpty(status.GroupID); group != "" && len(g.keysOf(id)) > 0 {
		g.tie(id, group)
	}
}

// learnID takes the group's id from a status if no reply has named it.
func (g *group) learnID(status *api.Generation) {
	if group := orEmpty(status.GroupID); group != "" && !g.hasID() {
		g.model.ID = types.StringValue(group)
	}
}

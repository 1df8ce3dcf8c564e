package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
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
		g.Vanished[id] = true
		for _, owner := range g.KeysOf(id) {
			g.Remove(owner) // it is planned again
		}
	}
	if g.private.GroupMissing && len(g.IDs()) == 0 {
		g.model.ID = types.StringNull() // nothing can be added to it any more
	}
	g.private.GroupMissing = false
	if len(g.Unconfirmed()) > 0 && !g.hasID() && op.data.ReadsMore() {
		_ = op.noteGroups(ctx) // it only helps a person
	}
	return nil
}

// readListed reads the group's own list, if a deployment has one and that takes
// fewer requests or is all that an import has, and returns the ids that are left:
// only their statuses tell why one has failed, how far one is, or that one is gone.
func (op *operation) readListed(ctx context.Context) (left []string, err error) {
	g := op.group
	requests := 1 + (len(g.PresentIDs())-1)/api.ListedPerRequest
	var group *api.Group
	switch importing := len(g.Prompts) == 0; {
	case importing && g.hasID():
		group, err = op.adoptListed(ctx)
	case g.hasID() && len(g.IDsOf(g.toBeRead())) > requests:
		group, err = op.data.Client.OptionalGroup(ctx, g.model.ID.ValueString())
	}
	if err != nil {
		return nil, err
	}
	op.noteListed(group)
	listed := group.ByID()
	return slices.DeleteFunc(g.IDsOf(g.toBeRead()), func(id string) bool {
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
	g.private.By = op.data.Client.Seen(g.evidence(id)).By
	if stored := g.Of(id); stored.Succeeded.Get() && len(stored.ResultURLs) > 0 {
		listed.Status, listed.ResultURLs = pointerOf(stored.Status), stored.ResultURLs
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
			last := op.group.evidence(read.ID)
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
	keys := g.HeldKeys()
	if g.model.RefreshFinished.ValueBool() || g.private.GroupMissing {
		return keys
	}
	return slices.DeleteFunc(keys, func(key string) bool { return g.PhaseOf(key).IsFinished() })
}

// recordRead concludes from a status, or from why there is none.
func (op *operation) recordRead(ctx context.Context, read api.GenerationRead, last api.Evidence) (api.Existence, error) {
	g, id := op.group, read.ID
	existence, err := op.judge(ctx, read.Err, last)
	if err != nil {
		return existence, err
	}
	key, _ := g.KeyOf(id)
	if _, known := g.Prompts[key]; !known { // it is imported
		if existence != api.Present {
			return existence, fmt.Errorf("the generation %q of the key %q does not exist: %w", id, key, read.Err)
		}
		for _, owner := range g.KeysOf(id) {
			if err := g.adopt(owner, id, read.Status); err != nil {
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
	g.Prompts[key] = prompts.Prompt{Text: textOf(types.StringPointerValue(status.Prompt))}
	g.Set(key, prompts.NewGeneration(id))
	return nil
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

// learnID takes the group's id from a status if no reply has named it.
func (g *group) learnID(status *api.Generation) {
	if group := orEmpty(status.GroupID); group != "" && !g.hasID() {
		g.model.ID = types.StringValue(group)
	}
}

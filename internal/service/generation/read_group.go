package generation

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// refresh reads the generations, one request each, and those that have vanished once more.
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

// readListed reads the group's own list, if there is one and it takes fewer requests or
// is all that an import has, and returns the ids that are left: only a status tells why
// one has failed, how far one is, or that one is gone.
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

// recordListed records that a generation has ended with results, as its group's list
// says. That may show other addresses and words than a status: the state's stay.
func (op *operation) recordListed(id string, listed api.Generation) {
	g := op.group
	g.private.By = op.data.Client.Seen(g.evidence(id)).By
	if stored := g.Of(id); stored.Succeeded.Get() && len(stored.ResultURLs) > 0 {
		listed.Status, listed.ResultURLs = stored.Status.Pointer(), stored.ResultURLs
	}
	g.recordStatus(id, &listed)
}

// toBeRead returns the sorted keys, without finished ones if refresh_finished is false.
func (g *group) toBeRead() []string {
	keys := g.HeldKeys()
	if g.model.RefreshFinished.ValueBool() || g.private.GroupMissing {
		return keys
	}
	return slices.DeleteFunc(keys, func(key string) bool { return g.Generations[key].Succeeded.IsKnown() })
}

// readAll reads generations, and returns the ids of those that are gone. It concludes
// first from what is shown: if one can be read, the caller is the same organization. At
// another address, that proves nothing about the rest.
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

// recordRead concludes from a status, or from why there is none.
func (op *operation) recordRead(ctx context.Context, read api.GenerationRead, last api.Evidence) (api.Existence, error) {
	g, id := op.group, read.ID
	existence, err := op.judge(ctx, read.Err, last)
	if err != nil {
		return existence, err
	}
	key := g.KeyOf(id)
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

// warnOfUnseen warns, at every refresh, of what no status has ever shown.
func (g *group) warnOfUnseen(diags *diag.Diagnostics) {
	if unseen := g.KeysIn(g.HeldKeys(), prompts.PhaseNotYetSeen); len(unseen) > 0 {
		diags.AddWarning("Generations Never Shown", fmt.Sprintf(
			"No status has shown the generations of the prompts %s of the generation group %q since %s, when the first of them was bought. They stay in the state, and nothing is bought for them: they may wait in a queue, so that time proves nothing. "+
				"If they do not exist, set trust_not_found (MEDIAGEN_TRUST_NOT_FOUND=true) for one run, whose plan buys them again.",
			quoted(unseen), g.model.ID.ValueString(), g.private.Since.Format(time.RFC3339)))
	}
}

// warnOfEnd is for a refresh: the next plan knows nothing of what has left the state.
func (g *group) warnOfEnd(diags *diag.Diagnostics) {
	diags.AddWarning(g.summary("Generation Group Is Gone"),
		fmt.Sprintf("Nothing of the generation group %q is left at the service: it was deleted, and not by this configuration. What the configuration still has of its prompts is bought again, which costs credits: %s.",
			g.model.ID.ValueString(), quoted(g.Keys())))
}

package generation

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// refresh is the read of a group.
type refresh struct {
	operation
	// hasShown is true if a status has shown a generation of the group.
	hasShown bool
}

// run reads the generations, one request each. It reads generations that have
// vanished a second time.
func (op *refresh) run(ctx context.Context) error {
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
	if op.hasShown {
		op.data.Client.Groups.NoteGenerations(ctx, g.knownID())
	}
	op.data.FoundGone(ctx, nil, purchases.Holding{Generations: ids})
	for _, id := range ids {
		g.Gone[id] = true
		for _, owner := range g.KeysOf(id) {
			g.Remove(owner) // the group is planned again
		}
	}
	if g.private.GroupGone && len(g.IDs()) == 0 {
		g.values.ID = types.StringNull() // no prompt can be added to the group any more
	}
	g.private.GroupGone = false
	if len(g.Unconfirmed()) > 0 && !g.hasID() && op.data.ReadsMore() {
		_ = op.noteCandidateGroups(ctx) // a failed search only withholds a hint from a person
	}
	return nil
}

// readListed reads the group's own list, if that takes fewer requests or if an
// import has nothing else. It returns the ids that the list does not settle:
// only a status tells of a failure, a progress, or an end.
func (op *refresh) readListed(ctx context.Context) (unsettled []string, err error) {
	g := op.group
	requests := 1 + (len(g.PresentIDs())-1)/api.ListedPerRequest
	var group *api.Group
	switch importing := len(g.Prompts) == 0; {
	case importing && g.hasID():
		group, err = op.adoptListed(ctx)
	case g.hasID() && len(g.IDsOf(toBeRead(g))) > requests:
		group, err = op.data.Client.Groups.GetOptional(ctx, g.values.ID.ValueString())
	}
	if err != nil {
		return nil, err
	}
	op.noteListed(group)
	op.data.NoteListed(group)
	listed := group.ByID()
	for _, id := range g.IDsOf(toBeRead(g)) {
		if isSettledBy(g, listed[id], id) {
			op.recordListed(id, *listed[id])
		} else {
			unsettled = append(unsettled, id)
		}
	}
	return unsettled, nil
}

// isSettledBy reports whether the results in the group's list make a read of
// the generation's status unnecessary. A list may show other addresses than a
// status does, for instance thumbnails. The status therefore decides if the
// stored results would give way to others, or if there are none and no word
// says that the listed ones are final.
func isSettledBy(g *group, listed *api.Generation, id string) bool {
	stored := g.Of(id)
	switch {
	case listed == nil || len(listed.ResultURLs) == 0:
		return false
	case !stored.IsFinal():
		return listed.IsListedSuccess() && api.WordOf(orEmpty(listed.Status)) == prompts.WordSuccess
	default:
		isSame := slices.Equal(sameResults(stored.ResultURLs, listed.ResultURLs), stored.ResultURLs)
		mayBePreview := !listed.IsListedSuccess()
		return isSame || mayBePreview || !resultsOf(stored).GiveWayTo(listed.Shown(), len(listed.ResultURLs))
	}
}

// recordListed records a generation that the group's list settles. The list
// never replaces stored results.
func (op *refresh) recordListed(id string, listed api.Generation) {
	g := op.group
	g.private.By = op.data.Client.Seen(g.evidence(id)).By
	if stored := g.Of(id); stored.IsFinal() {
		listed.Status = (*reply.Text)(stored.Status.Pointer())
		listed.ResultURLs = stored.ResultURLs
	}
	listed.Progress = nil // no word of a list is known to mean the same as a status
	g.recordStatus(id, &listed)
}

// toBeRead returns the keys whose generations a refresh reads. Finished
// generations are read only if refresh_finished is true, if the group is in
// doubt, or if old media are kept until the new results are shown.
func toBeRead(g *group) (keys []string) {
	all := g.values.RefreshFinished.ValueBool() || g.private.GroupGone
	for _, key := range g.GenerationKeys() {
		if all || !g.Generations[key].Succeeded.IsKnown() || g.AwaitsResults(key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// readAll reads generations, and returns the ids of those that are gone. It
// evaluates the successful reads first: if a generation can be read, the caller
// belongs to the same organization. A read at a different address proves
// nothing about the rest.
func (op *refresh) readAll(ctx context.Context, ids []string) (gone []string, err error) {
	address := op.group.private.By.Address
	reads := op.data.Client.Generations.GetAll(ctx, ids)
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
			if existence == evidence.Gone {
				gone = append(gone, read.ID)
			}
		}
	}
	return gone, nil
}

// recordRead records the result of reading a generation: its status, or that it
// is gone. An error that proves nothing changes nothing.
func (op *refresh) recordRead(
	ctx context.Context,
	read api.GenerationRead,
	last evidence.Evidence,
) (evidence.Existence, error) {
	g := op.group
	id := read.ID
	existence, err := op.judge(ctx, read.Err, last)
	if err != nil {
		return existence, err
	}
	key := g.KeyOf(id)
	if _, known := g.Prompts[key]; !known { // the generation is imported
		if existence != evidence.Present {
			return existence, fmt.Errorf("the generation %q of the key %q does not exist: %w", id, key, read.Err)
		}
		if err := op.adopt(id, read.Status); err != nil {
			return existence, err
		}
	}
	if existence == evidence.Present {
		g.learnID(read.Status)
		g.recordStatus(id, read.Status)
		op.hasShown = op.hasShown || !slices.Contains(g.private.Apart, id)
	}
	return existence, nil
}

// recordStatus applies a status to all keys that have the generation. Results
// that were shown once stay in the state if a later status leaves them out.
func (g *group) recordStatus(id string, status *api.Generation) {
	g.Seen[id] = true
	if g.Of(id).IsFinal() && len(status.ResultURLs) == 0 {
		g.unshown = append(g.unshown, id)
	}
	for _, key := range g.KeysOf(id) {
		g.Set(key, withStatus(g.Generations[key], status))
	}
	if group := orEmpty(status.GroupID); group != "" && len(g.KeysOf(id)) > 0 {
		g.tie(id, group)
	}
}

// tie records the group in which a reply shows a generation. The deletion of a
// group proves only the end of its own generations.
func (g *group) tie(id, group string) {
	g.private.Apart = prompts.Without(g.private.Apart, id)
	if group == "" || group != g.values.ID.ValueString() {
		g.private.Apart = append(g.private.Apart, id)
	}
}

func (g *group) learnID(status *api.Generation) {
	if group := orEmpty(status.GroupID); group != "" && !g.hasID() {
		g.values.ID = types.StringValue(group)
	}
}

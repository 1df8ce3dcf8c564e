package generation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var (
	errUnsaved = errors.New("the download has not succeeded in this run, so that the media may exist nowhere else. " +
		"Try again once it works, or remove the action_trigger to delete them anyway")
	errNotSent    = errors.New("the operation ended before this was sent")
	errStillShown = errors.New(
		"the service says that it did not find the generation to delete, and it still shows its status",
	)
)

// deletion is the part of an operation that deletes generations.
type deletion struct {
	operation
	// outcomes are the outcomes of the deletions, by generation id: nil after a
	// success, else the reason why the generation still stands.
	outcomes map[string]error
	// leftoverImages are images that stay at the service. No request can delete
	// them any more.
	leftoverImages []string
}

func newDeletion(op operation) *deletion {
	return &deletion{
		operation: op,
		outcomes:  map[string]error{},
	}
}

// deleteRemoved deletes the generations of removed keys, unless a remaining key
// needs them. A generation that cannot be deleted returns to the group with an
// error. The error belongs to an update, and so taints nothing.
func (op *deletion) deleteRemoved(ctx context.Context, prior *group, keys []string) {
	g := op.group
	if g.keeps() {
		return
	}
	needed := g.Needed()
	op.deleteAll(ctx, slices.DeleteFunc(prior.WithSuperseded(keys...), needed))
	for _, key := range keys {
		var leftovers []string
		for _, id := range prior.WithSuperseded(key) {
			if err := op.outcomes[id]; err != nil && !needed(id) { // an earlier key may have taken the generation back
				leftovers = append(leftovers, id)
				op.diags.Append(removedFailure(id, key).Error(err))
			}
		}
		if len(leftovers) > 0 {
			g.TakeBack(&prior.Group, key, leftovers)
		}
	}
}

// deleteSuperseded deletes generations whose successors have results. A
// generation that cannot be deleted stays in private state: the next plan shows
// complete as unknown, and its update tries again.
func (op *deletion) deleteSuperseded(ctx context.Context) {
	deletable := op.group.Deletable()
	op.deleteAll(ctx, slices.Concat(slices.Collect(maps.Values(deletable))...))
	for _, key := range prompts.SortedKeys(deletable) {
		for _, id := range deletable[key] {
			if err := op.outcomes[id]; err != nil {
				op.diags.Append(supersededFailure(id, key).Warning(err))
			}
		}
	}
	op.noteDeleted()
}

// deleteAll deletes generations, each once, and reports whether any still
// existed. The outcomes are in op.outcomes. A 404 is confirmed by a read.
func (op *deletion) deleteAll(ctx context.Context, ids []string) (found bool) {
	var absent []string
	ids = slices.DeleteFunc(prompts.Unique(ids), func(id string) bool { _, again := op.outcomes[id]; return again })
	for _, id := range ids {
		op.outcomes[id] = errNotSent
	}
	for _, id := range ids {
		existed, isAbsent, err := op.sendDeletion(ctx, id)
		found = found || existed
		if isAbsent {
			absent = append(absent, id)
			continue
		}
		op.outcomes[id] = err
		if _, late := errors.AsType[*wait.TimeoutError](err); late || ctx.Err() != nil {
			break
		}
	}
	return op.confirm(ctx, absent) || found
}

// confirm reads the generations that a deletion did not find, deletes those
// again that still exist, and reports whether any did.
func (op *deletion) confirm(ctx context.Context, absent []string) (found bool) {
	if len(absent) == 0 {
		return false
	}
	for _, id := range absent {
		op.outcomes[id] = errNotSent
	}
	_ = op.data.Client.Again(ctx, func(ctx context.Context) error {
		for _, read := range op.data.Client.Generations.GetAll(ctx, absent) {
			gone, err := op.judgeDeletion(ctx, read.Err)
			if !gone && err == nil {
				found = true
				err = op.deleteAgain(ctx, read)
			}
			op.outcomes[read.ID] = err
		}
		return nil
	})
	return found
}

// deleteAgain deletes a generation that a read has shown although its deletion
// found nothing. If the second deletion finds nothing either, the generation
// still counts as shown, unless the read said that it is deleted.
func (op *deletion) deleteAgain(ctx context.Context, read api.GenerationRead) error {
	_, absent, err := op.sendDeletion(ctx, read.ID)
	if absent && !read.Status.SaysDeleted() {
		return errStillShown
	}
	return err
}

// unsaved returns the given generations that an action of this run was to save
// and has not saved.
func (op *deletion) unsaved(ids ...string) []string {
	hadResults := func(id string) bool { return op.group.Of(id).IsFinal() }
	return op.data.Generations.Unsaved(ids, hadResults)
}

// sendDeletion deletes a generation. It sends a second request if the first
// left images behind. absent is true if the service found nothing to delete.
func (op *deletion) sendDeletion(ctx context.Context, id string) (existed, absent bool, err error) {
	if len(op.unsaved(id)) > 0 {
		return false, false, errUnsaved
	}
	var leftovers []string
	for range 2 {
		result, failure := op.data.DeleteGeneration(ctx, id)
		switch gone, err := op.judgeDeletion(ctx, failure); {
		case gone:
			op.leftoverImages = append(op.leftoverImages, leftovers...)
			return existed, !existed, nil
		case err != nil:
			return existed, false, err
		}
		existed = true
		leftovers = result.FailedDeletionURLs
		if len(leftovers) == 0 && orEmpty(result.FailedDeletions) == 0 {
			return true, false, nil
		}
	}
	return true, false, fmt.Errorf(
		"the service deleted the generation %s only in part; images that still stand: %s",
		id,
		quoteAll(leftovers),
	)
}

func (op *deletion) judgeDeletion(ctx context.Context, failure error) (gone bool, err error) {
	existence, err := op.judge(ctx, failure, op.group.asShown())
	return existence == evidence.Gone, err
}

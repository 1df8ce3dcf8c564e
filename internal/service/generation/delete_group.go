package generation

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// destroy deletes the group, if it is this object's alone or, where groups are listed,
// if its list proves that; and one by one the generations that do not go with it.
func (op *operation) destroy(ctx context.Context) error {
	g, singly := op.group, op.group.OwnIDs()
	if unsaved := op.data.Unsaved.Among(singly); len(unsaved) > 0 {
		return fmt.Errorf("nothing was sent: of %s, %w", everyOf(unsaved), errUnsaved)
	}
	whole := g.goesWhole()
	if op.data.ReadsMore() {
		whole = g.hasID() && op.listsOnlyOwn(ctx)
	}
	if whole {
		with := prompts.Without(singly, g.private.Apart...)
		if err := op.deleteWhole(ctx, g.model.ID.ValueString(), with); err != nil {
			return err
		}
		singly = prompts.Without(singly, with...)
	}
	if _, err := op.deleteEach(ctx, singly); err != nil || whole || !g.goesWhole() {
		return err
	}
	op.diags.AddWarning(g.summary("Generation Group Stays"),
		fmt.Sprintf("Its generations were deleted one by one, and the group %q stays at the service: its list (extended_reads) could not be read, or does not prove that nothing else is in it. If it is empty, delete it there.",
			g.model.ID.ValueString()))
	return nil
}

// listsOnlyOwn reports whether the group's own list proves that nothing else is in it.
// It does if it is whole, and shows of this object's what a status has shown.
func (op *operation) listsOnlyOwn(ctx context.Context) bool {
	g, id := op.group, op.group.model.ID.ValueString()
	listed, err := op.data.Client.OptionalGroup(ctx, id)
	if err != nil || listed == nil || !listed.AllListed || len(op.data.Groups.Others(id, framework.HolderName(ctx, op.private, nil, op.diags))) > 0 {
		return false
	}
	own, shown := g.OwnIDs(), listed.ByID()
	if len(own) == 0 && !g.private.Created {
		return false // it may be anybody's
	}
	for _, held := range own {
		if shown[held] != nil {
			g.tie(held, id)
		} else if g.Seen[held] {
			return false
		}
	}
	return !slices.ContainsFunc(listed.Generations, func(made *api.Generation) bool { return !slices.Contains(own, *made.GenerationID) })
}

// deleteWhole deletes the group and then, one by one, what of it is left of this
// object's.
func (op *operation) deleteWhole(ctx context.Context, id string, ids []string) error {
	result, failure := op.data.Client.DeleteGroup(ctx, id, ids...)
	gone, err := op.judgeDeletion(ctx, failure)
	left, others, shown := ids, []string(nil), false
	switch {
	case gone && !op.group.private.Leftovers:
		shown = op.confirm(ctx, ids)
	case gone:
	case result == nil:
		return err
	default:
		op.warnOfOthers(id, result.OtherIDs)
		left, others = leftovers(ids, result, err != nil || op.group.private.Leftovers)
		for _, id := range prompts.Without(ids, left...) {
			op.deleted[id] = nil
		}
	}
	found, err := op.deleteEach(ctx, left)
	if result != nil && !found {
		// What still existed took its images with it, or names them in its error.
		op.orphanedImages = append(op.orphanedImages, result.FailedImageURLs...)
	}
	if len(others) > 0 {
		op.warnOfGroupLeft(id, others)
		return err
	}
	if err != nil || len(left) == 0 || gone && !found && !shown {
		return err
	}
	// The leftovers may have kept the group, which is empty now.
	// variant: empty-groups-stay
	_, failure = op.data.Client.DeleteGroup(ctx, id, ids...)
	_, err = op.judgeDeletion(ctx, failure)
	return err
}

// deleteEach deletes generations one by one, and reports whether one of them
// still existed.
func (op *operation) deleteEach(ctx context.Context, ids []string) (found bool, err error) {
	found = op.deleteAll(ctx, ids)
	var reasons []string
	rest := 0
	for _, id := range ids {
		if err := op.deleted[id]; errors.Is(err, errNotReached) {
			rest++
		} else if err != nil {
			reasons = append(reasons, fmt.Sprintf("generation %q was not deleted: %s", id, err))
		}
	}
	if rest > 0 {
		reasons = append(reasons, framework.Plural(rest, "generation was", "generations were")+" not reached")
	}
	if len(reasons) == 0 {
		return found, nil
	}
	op.group.private.Leftovers = true
	return found, errors.New(framework.Several(reasons, "; "))
}

// dropDeleted removes from the working copy what the operation has deleted.
func (op *operation) dropDeleted() {
	g := op.group
	for id, err := range op.deleted {
		if err == nil {
			g.Drop(id)
		}
	}
}

// leftovers returns the ids that a group deletion did not delete, according to
// its reply: what it lists as failed, and, if it failed or its counts
// contradict each other, what it does not list as deleted. Others it lists are not
// this object's to delete.
func leftovers(ids []string, result *api.Deletion, failed bool) (left, others []string) {
	failed = failed || orEmpty(result.FailedGenerationDeletions) > 0 || orEmpty(result.TotalFailedImageDeletions) > 0 || len(result.FailedImageURLs) > 0
	short := result.DeletedGenerations != nil && *result.DeletedGenerations < int64(len(ids))
	for _, id := range ids {
		isLeft := slices.Contains(result.FailedGenerationIDs, id)
		if isLeft || (failed || short) && !slices.Contains(result.DeletedGenerationIDs, id) {
			left = append(left, id)
		}
	}
	return left, prompts.Without(result.FailedGenerationIDs, ids...)
}

// keeps reports whether generations that the state gives up stay at the service.
func (g *group) keeps() bool { return g.model.DeletionPolicy.ValueString() == policyKeep }

// keep records generations that leave the state and stay at the service.
func (g *group) keep(data *framework.ProviderData, ids []string) {
	g.private.Kept += len(ids)
	if data.Known() {
		data.Client.LogKept(g.model.ID.ValueString(), ids)
	}
}

// deleteRemoved deletes the generations of keys that were removed from the
// configuration, unless another key needs them. What cannot be deleted returns
// to the working copy, with an error.
func (op *operation) deleteRemoved(ctx context.Context, prior *group, keys []string) {
	g := op.group
	if g.keeps() {
		return
	}
	needed := g.Needed()
	op.deleteAll(ctx, slices.DeleteFunc(prior.WithSuperseded(keys...), needed))
	for _, key := range keys {
		var left []string
		for _, id := range prior.WithSuperseded(key) {
			if needed(id) {
				continue // a key before has taken it back
			}
			if err := op.deleted[id]; err != nil {
				left = append(left, id)
				op.diags.Append(framework.Failure{
					Verb: "Delete", Noun: "Generation", Object: fmt.Sprintf("generation %q of the prompt %q", id, key),
					Consequence: "Its media are still at the service. The prompt stays in the state, and the next apply tries again.",
				}.Error(err))
			}
		}
		if len(left) > 0 {
			g.TakeBack(&prior.Group, key, left)
		}
	}
}

// deleteSuperseded deletes what finished generations have superseded. What
// cannot be deleted stays in private state, and the next plan shows the group
// as incomplete.
func (op *operation) deleteSuperseded(ctx context.Context) {
	deletable := op.group.Deletable()
	op.deleteAll(ctx, slices.Concat(slices.Collect(maps.Values(deletable))...))
	for _, key := range sortedKeys(deletable) {
		for _, id := range deletable[key] {
			if err := op.deleted[id]; err != nil {
				op.diags.Append(framework.Failure{
					Verb: "Delete", Noun: "Superseded Generation", Object: fmt.Sprintf("generation %q, formerly of the prompt %q", id, key),
					Consequence: "Its successor is finished and paid for; the old media are still at the service. The next apply tries again.",
				}.Warning(err))
			}
		}
	}
	op.dropDeleted()
}

// warnOfOthers names what went with the group, and is in no state here.
func (op *operation) warnOfOthers(group string, ids []string) {
	if len(ids) > 0 {
		op.diags.AddWarning(op.group.summary("Other Generations Were Deleted"),
			fmt.Sprintf("The generation group %q also had generations that were not in the state of this resource. They were deleted with it, and so were their media: %s. "+
				"They may be of its own unconfirmed prompts. A resource elsewhere that holds one shows it as gone in its next plan, and buys it again.", group, everyOf(ids)))
	}
}

// warnOfGroupLeft names what keeps the group.
func (op *operation) warnOfGroupLeft(group string, ids []string) {
	op.diags.AddWarning(op.group.summary("Generation Group Stays"),
		fmt.Sprintf("The generation group %q has generations that are not in the state of this resource, and the service did not delete them with it: %s. They and the group stay at the service; nothing more was sent about them.", group, everyOf(ids)))
}

// warnOfLostImages names the images that no request can delete any more.
func (op *operation) warnOfLostImages() {
	if len(op.orphanedImages) > 0 {
		op.diags.AddWarning(op.group.summary("Images Could Not Be Deleted"),
			"The service deleted the generations but not these images, and no request can name them any more. Ask the service's operator to delete them: "+everyOf(op.orphanedImages))
	}
}

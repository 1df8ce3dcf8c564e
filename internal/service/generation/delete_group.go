package generation

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// run deletes the group. Under deletion_policy = "keep" it only forgets the
// group.
func (op *deletion) run(ctx context.Context) error {
	if op.group.keeps() {
		op.group.forget(op.data, op.group.OwnIDs())
		return nil
	}
	err := op.destroy(operationTimeouts.Limit(ctx, op.data.Clock, op.group.values.Timeouts, "delete"))
	op.warnOfLeftoverImages()
	return err
}

// destroy deletes the group if it belongs to this object alone. Where groups
// are listed, the group's list has to prove that nothing else is in the group.
// Generations that do not go with the group are deleted one by one.
func (op *deletion) destroy(ctx context.Context) error {
	g := op.group
	singly := op.group.OwnIDs()
	if unsaved := op.unsaved(singly...); len(unsaved) > 0 {
		return fmt.Errorf("nothing was sent: of %s, %w", quoteAll(unsaved), errUnsaved)
	}
	whole := g.goesWhole()
	if op.data.ReadsMore() {
		whole = g.hasID() && op.proveOnlyOwn(ctx)
	}
	if whole {
		with := prompts.Without(singly, g.private.Apart...)
		if err := op.deleteWhole(ctx, g.values.ID.ValueString(), with); err != nil {
			return err
		}
		singly = prompts.Without(singly, with...)
	}
	found, err := op.deleteEach(ctx, singly)
	if found {
		op.data.Client.Groups.NoteGenerations(ctx, g.knownID())
	}
	if err != nil || whole || !g.goesWhole() {
		return err
	}
	op.diags.Append(groupStays(g))
	return nil
}

// proveOnlyOwn reads the group's own list, ties the listed generations to the
// group, and reports whether the list proves that the group contains nothing but
// this object's generations. The list has to be complete, and has to show every
// generation of this object that a status has shown.
func (op *deletion) proveOnlyOwn(ctx context.Context) (proven bool) {
	g := op.group
	id := op.group.values.ID.ValueString()
	listed, err := op.data.Client.Groups.GetOptional(ctx, id)
	isWhole := err == nil && listed != nil && listed.AllListed
	if !isWhole {
		return false
	}
	if len(op.data.Groups.Others(id, framework.HolderName(ctx, op.private, nil, op.diags))) > 0 {
		return false
	}
	own := g.OwnIDs()
	shown := listed.ByID()
	if len(own) == 0 && !g.private.Created {
		return false // a generation of anybody
	}
	for _, made := range own {
		if shown[made] != nil {
			g.tie(made, id)
		} else if g.Seen[made] {
			return false
		}
	}
	return !slices.ContainsFunc(
		listed.Generations,
		func(made *api.Generation) bool { return !slices.Contains(own, *made.GenerationID) },
	)
}

// deleteWhole deletes the group, and then, one by one, the generations of this
// object that are left.
func (op *deletion) deleteWhole(ctx context.Context, id string, ids []string) error {
	result, failure := op.data.DeleteGroup(ctx, id, ids...)
	gone, err := op.judgeDeletion(ctx, failure)
	leftovers := ids
	others := []string(nil)
	shown := false
	switch {
	case gone && !op.group.private.Leftovers:
		shown = op.confirm(ctx, ids)
	case gone:
	case result == nil:
		return err
	default:
		op.warnOfOthers(id, result.OtherIDs)
		leftovers, others = leftoversOf(ids, result, err != nil || op.group.private.Leftovers)
		for _, id := range prompts.Without(ids, leftovers...) {
			op.outcomes[id] = nil
		}
	}
	found, err := op.deleteEach(ctx, leftovers)
	if result != nil && !found {
		// The deletion of an existing generation took its images with it, or
		// named the remaining images in its error.
		op.leftoverImages = append(op.leftoverImages, result.FailedImageURLs...)
	}
	if len(others) > 0 {
		op.diags.Append(groupStaysWith(op.group, others))
		return err
	}
	wasGone := gone && !found && !shown
	if err != nil || len(leftovers) == 0 || wasGone {
		return err
	}
	// The remaining generations may have kept the group, which is empty now.
	_, failure = op.data.DeleteGroup(ctx, id, ids...) // variant: empty-groups-stay
	_, err = op.judgeDeletion(ctx, failure)
	return err
}

// leftoversOf evaluates the reply to a group's deletion. leftovers are this
// object's generations that still exist: all that the reply lists as failed
// and, if the deletion failed or its counts contradict each other, all that it
// does not list as deleted. others are listed generations that are not this
// object's to delete.
func leftoversOf(ids []string, result *api.Deletion, failed bool) (leftovers, others []string) {
	failedImages := orEmpty(result.TotalFailedImageDeletions) > 0 || len(result.FailedImageURLs) > 0
	isShort := result.DeletedGenerations != nil && *result.DeletedGenerations < int64(len(ids))
	isInPart := failed || failedImages || isShort || orEmpty(result.FailedGenerationDeletions) > 0
	for _, id := range ids {
		hasFailed := slices.Contains(result.FailedGenerationIDs, id)
		saysDeleted := slices.Contains(result.DeletedGenerationIDs, id)
		if hasFailed || isInPart && !saysDeleted {
			leftovers = append(leftovers, id)
		}
	}
	return leftovers, prompts.Without(result.FailedGenerationIDs, ids...)
}

// deleteEach deletes generations one by one. Its error gives the reason for
// each generation that could not be deleted. Generations that no request was
// sent for are counted, not named.
func (op *deletion) deleteEach(ctx context.Context, ids []string) (found bool, err error) {
	found = op.deleteAll(ctx, ids)
	var reasons []string
	rest := 0
	for _, id := range ids {
		if err := op.outcomes[id]; errors.Is(err, errNotSent) {
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

func (op *deletion) noteDeleted() {
	g := op.group
	for id, err := range op.outcomes {
		if err == nil {
			g.NoteDeleted(id)
		}
	}
}

// forget records generations that leave the state and stay at the service.
func (g *group) forget(data *run.ProviderData, ids []string) {
	g.private.Forgotten += len(ids)
	if data.Known() {
		data.Log().ForgottenGenerations(g.values.ID.ValueString(), ids)
	}
}

// warnOfOthers names the generations that were deleted with a whole group
// although this resource did not hold them. They may have belonged to somebody
// else, and cannot be restored.
func (op *deletion) warnOfOthers(group string, ids []string) {
	warn(op.group, op.diags.AddWarning, notice{
		when: len(ids) > 0,
		what: "Other Generations Were Deleted",
		text: fmt.Sprintf(
			"The generation group %q also had generations that were not in the state of this resource. They were "+
				"deleted with it, and so were their media: %s. They may be of its own unconfirmed prompts. A "+
				"resource elsewhere that holds one shows it as gone in its next plan, and buys it again.",
			group,
			quoteAll(ids),
		),
	})
}

// warnOfLeftoverImages names images that the service kept when it deleted their
// generations. No request can name them any more.
func (op *deletion) warnOfLeftoverImages() {
	warn(op.group, op.diags.AddWarning, notice{
		when: len(op.leftoverImages) > 0,
		what: "Images Could Not Be Deleted",
		text: "The service deleted the generations but not these images, and no request can name them any more. Ask " +
			"the service's operator to delete them: " + quoteAll(
			op.leftoverImages,
		),
	})
}

func exists(g *group) bool { return g.hasID() || len(g.AllIDs()) > 0 }

package generation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func (g *group) continueFrom(prior *group, imported bool) prompts.Difference {
	diff := g.carryOver(prior, g.model.MaxAttempts.ValueInt64(), imported)
	g.promised = g.Promised(diff, g.model.WaitForCompletion.ValueBool())
	return diff
}

// carryOver gives the planned group what the prior one has of its keys, and
// returns what an update has to do.
func (g *group) carryOver(prior *group, maxAttempts int64, imported bool) prompts.Difference {
	g.keepReceipts(prior)
	diff := prompts.Compare(&prior.Group, g.Prompts, maxAttempts, imported)
	g.CarryOver(&prior.Group, diff, asNumber.of(g.model.MaxAttempts))
	g.private = prior.private
	if g.keeps() {
		diff.Forgotten = g.Forget(&prior.Group, diff)
	}
	return diff
}

func (g *group) keepReceipts(prior *group) {
	g.model.ID = prior.model.ID
	g.model.GenerationType = prior.model.GenerationType
	g.model.CreditsDeducted = prior.model.CreditsDeducted
	g.model.RemainingBalance = prior.model.RemainingBalance
	g.model.Tally = prior.model.Tally
}

// deleteRemoved deletes the generations of removed keys, unless another key
// needs them. What cannot be deleted returns to the working copy, with an
// error.
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
			if err := op.deleted[id]; err != nil && !needed(id) { // a key before may have taken it back
				left = append(left, id)
				op.diags.Append(framework.Failure{
					Verb:   "Delete",
					Noun:   "Generation",
					Object: fmt.Sprintf("generation %q of the prompt %q", id, key),
					Consequence: "Its media are still at the service. The prompt stays in the state, and the next " +
						"apply tries again.",
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
	for _, key := range prompts.SortedKeys(deletable) {
		for _, id := range deletable[key] {
			if err := op.deleted[id]; err != nil {
				op.diags.Append(framework.Failure{
					Verb:   "Delete",
					Noun:   "Superseded Generation",
					Object: fmt.Sprintf("generation %q, formerly of the prompt %q", id, key),
					Consequence: "Its successor is finished and paid for; the old media are still at the service. " +
						"The next apply tries again.",
				}.Warning(err))
			}
		}
	}
	op.dropDeleted()
}

// warnOfFailures names the prompts without results, each with its reason and
// what is kept in its place. A failure is data: an error would taint the group,
// and the next apply would buy all of it again.
func (op *operation) warnOfFailures(bought []string) {
	g := op.group
	var lines []string
	failed := g.KeysIn(g.Keys(), prompts.PhaseFailed, prompts.PhaseRejected)
	for _, key := range failed {
		line := fmt.Sprintf("%q: %s", key, reply.Text(g.Generations[key].Error.Get()))
		if old := g.Superseded[key]; len(old) > 0 {
			line += fmt.Sprintf(" (the former generation %s is kept)", everyOf(old))
		}
		lines = append(lines, line)
	}
	g.warn(op.diags.AddWarning, notice{
		when: len(lines) > 0,
		what: "Generations Failed",
		text: fmt.Sprintf(
			"In the generation group %q these prompts have no results:\n%s\n\nWhat was deducted for them is in "+
				"credits_deducted as far as the service says. %s",
			g.model.ID.ValueString(),
			framework.Several(lines, "\n"),
			g.again(failed),
		),
	})
	if left := g.KeysIn(bought, prompts.PhaseUnsubmitted); len(left) > 0 {
		op.diags.Append(notSubmitted(left))
	}
}

package generation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// continueFrom plans the update of the prior group to this one, and begins it:
// the group has then what it keeps of the prior one.
func (g *group) continueFrom(prior *group, imported bool) prompts.Plan {
	plan := prompts.NewPlan(&prior.Group, g.Prompts, prompts.Options{
		MaxAttempts: asNumber.of(g.model.MaxAttempts),
		Waits:       g.model.WaitForCompletion.ValueBool() || g.model.WaitForCompletion.IsUnknown(),
		Keeps:       g.keeps(),
		Imported:    imported,
	})
	g.keepReceipts(prior)
	g.private = prior.private
	g.Group = plan.Next
	g.unchanged = plan.Keep
	return plan
}

// execute sends what the plan of a create or an update has to, and reports false
// after an error that has changed nothing. It buys first: a service may delete a
// group with its last generation.
func (op *operation) execute(ctx context.Context, what string, prior *group, plan prompts.Plan) bool {
	if !op.data.Ready(op.diags) {
		return false
	}
	defer op.data.WarnOfFailedReads(op.diags)
	g := op.group
	g.model.Tally = op.data.Tally(
		prior.model.Tally,
		purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(plan.Buy))},
	)
	ctx = operationTimeouts.Limit(ctx, op.data.Clock, g.model.Timeouts, what)
	if !op.submit(ctx, plan.Buy) {
		return false
	}
	warn(g, op.diags.AddWarning, importedWereLeft(g, plan.Leftover))
	g.hold(ctx, op.data, op.private, op.diags)
	op.deleteRemoved(ctx, prior, plan.Removed)
	op.wait(ctx)
	if ctx.Err() == nil {
		op.deleteSuperseded(ctx)
		op.warnOfLeftoverImages()
	}
	op.warnOfFailures(plan.Buy)
	return true
}

// keepReceipts keeps what the service has said of the group so far.
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
	warn(g, op.diags.AddWarning, notice{
		when: len(lines) > 0,
		what: "Generations Failed",
		text: fmt.Sprintf(
			"In the generation group %q these prompts have no results:\n%s\n\nWhat was deducted for them is in "+
				"credits_deducted as far as the service says. %s",
			g.model.ID.ValueString(),
			framework.Several(lines, "\n"),
			again(g, failed),
		),
	})
	if left := g.KeysIn(bought, prompts.PhaseUnsubmitted); len(left) > 0 {
		op.diags.Append(notSubmitted(left))
	}
}

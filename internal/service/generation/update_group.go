package generation

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
)

// continueFrom gives the planned group what the prior one has, and returns what to do.
func (g *group) continueFrom(prior *group, imported bool) prompts.Difference {
	diff := g.carryOver(prior, g.model.MaxAttempts.ValueInt64(), imported)
	g.promised = g.Promised(diff, g.model.WaitForCompletion.ValueBool())
	return diff
}

// carryOver compares the planned group with the prior one, and gives it what that has.
func (g *group) carryOver(prior *group, maxAttempts int64, imported bool) prompts.Difference {
	g.keepReceipts(prior)
	diff := prompts.Compare(&prior.Group, g.Prompts, maxAttempts, imported)
	g.CarryOver(&prior.Group, diff, asNumber.of(g.model.MaxAttempts))
	if g.private = prior.private; g.keeps() {
		diff.Forgotten = g.Forget(&prior.Group, diff)
	}
	return diff
}

// keepReceipts keeps what the service has said of the group so far.
func (g *group) keepReceipts(prior *group) {
	g.model.ID, g.model.GenerationType = prior.model.ID, prior.model.GenerationType
	g.model.CreditsDeducted, g.model.RemainingBalance = prior.model.CreditsDeducted, prior.model.RemainingBalance
	g.model.Tally = prior.model.Tally
}

// needsService reports whether the update may send a request.
func (g *group) needsService(diff prompts.Difference) bool {
	return len(diff.Buy) > 0 || len(diff.Removed) > 0 || len(g.Deletable()) > 0 ||
		g.model.WaitForCompletion.ValueBool() && len(g.Awaited()) > 0
}

// finish deletes what was superseded, and warns of what did not succeed.
func (op *operation) finish(ctx context.Context, bought []string) {
	if ctx.Err() == nil {
		op.deleteSuperseded(ctx)
		op.warnOfOrphans()
	}
	op.warnOfFailures(bought)
}

// deleteRemoved deletes the generations of removed keys, unless another key needs them.
// What cannot be deleted returns to the working copy, with an error.
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

// deleteSuperseded deletes what finished generations have superseded. What cannot be
// deleted stays in private state, and the next plan shows the group as incomplete.
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

// warnOfFailures names the bought prompts that ended this run without results.
func (op *operation) warnOfFailures(bought []string) {
	g := op.group
	var lines []string
	failed := g.KeysIn(g.Keys(), prompts.PhaseFailed, prompts.PhaseRejected)
	for _, key := range failed {
		line := fmt.Sprintf("%q: %s", key, g.Generations[key].Error.Get())
		if old := g.Superseded[key]; len(old) > 0 {
			line += fmt.Sprintf(" (the former generation %s is kept)", everyOf(old))
		}
		lines = append(lines, line)
	}
	g.warn(op.diags.AddWarning, notice{when: len(lines) > 0, what: "Generations Failed",
		text: fmt.Sprintf("In the generation group %q these prompts have no results:\n%s\n\nWhat was deducted for them is in credits_deducted as far as the service says. %s", g.model.ID.ValueString(), framework.Several(lines, "\n"),
			g.again(failed, "To submit them again (and pay again), raise max_attempts; for one of them alone, change its take or its text."))})
	if left := g.KeysIn(bought, prompts.PhaseUnsubmitted); len(left) > 0 {
		op.diags.AddWarning("Prompts Not Submitted", fmt.Sprintf("These prompts were not submitted: %s. They cost nothing; the next apply submits them.", quoted(left)))
	}
}

// warnOfLeftBehind names imported generations that a purchase has replaced.
func (g *group) warnOfLeftBehind(ids []string, diags *diag.Diagnostics) {
	g.warn(diags.AddWarning, notice{when: len(ids) > 0, what: "Imported Generations Left at the Service",
		text: fmt.Sprintf("The prompts of the imported generations %s were bought again in the group %q. The imported ones and their media are no longer in the state and stay at the service. A destroy does not delete them either.", everyOf(ids), g.model.ID.ValueString())})
}

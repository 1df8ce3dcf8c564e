package generation

import (
	"context"
	"fmt"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// newPlan plans the update that turns the group prior into the group want.
func newPlan(prior, want *group, imported bool) prompts.Plan {
	return prompts.NewPlan(&prior.Group, want.Prompts, prompts.Options{
		MaxAttempts: asNumber.of(want.values.MaxAttempts),
		Waits:       want.values.WaitForCompletion.ValueBool() || want.values.WaitForCompletion.IsUnknown(),
		Keeps:       want.keeps(),
		Imported:    imported,
	})
}

// begin gives the group everything that the plan keeps of the prior group.
func (g *group) begin(prior *group, plan prompts.Plan) {
	g.takeReceipts(prior)
	g.private = prior.private
	g.Group = plan.Next
	g.unchanged = plan.Keep
}

// execution is the apply of a create or an update. It executes the group's
// plan.
type execution struct {
	waiting
	prior *group
	plan  prompts.Plan
	// deletion is the deletion of old generations in this execution.
	deletion *deletion
	// mayBePaid is true if a batch was accepted, or may have been. From then
	// on, failures of later batches and of the wait are warnings: an error
	// would taint a created group, and the next apply would buy every prompt
	// again.
	mayBePaid bool
	// sent is the time of the last batch.
	sent time.Time
	// unsettled are the keys, by batch, whose generations are open until their
	// statuses tell which of them belongs to which key.
	unsettled [][]string
}

func newExecution(op operation, prior *group, plan prompts.Plan) *execution {
	return &execution{
		waiting:  newWaiting(op),
		prior:    prior,
		plan:     plan,
		deletion: newDeletion(op),
	}
}

// run sends the requests of a create's or an update's plan. It returns false
// after an error that has changed nothing. It buys before it deletes, because a
// service may delete a group together with its last generation.
func (op *execution) run(ctx context.Context, what string) bool {
	if !op.data.Ready(op.diags) {
		return false
	}
	defer op.data.WarnOfFailedReads(op.diags)
	g := op.group
	g.values.Tally = op.data.Tally(
		op.prior.values.Tally,
		purchases.Purchase{Kind: purchases.KindGeneration, Count: int64(len(op.plan.Buy))},
	)
	ctx = operationTimeouts.Limit(ctx, op.data.Clock, g.values.Timeouts, what)
	if !op.submit(ctx, op.plan.Buy) {
		return false
	}
	warn(g, op.diags.AddWarning, importedAreLeftover(g, op.plan.Leftover))
	g.hold(ctx, op.data, op.private, op.diags)
	op.deletion.deleteRemoved(ctx, op.prior, op.plan.Removed)
	op.wait(ctx)
	if ctx.Err() == nil {
		op.deletion.deleteSuperseded(ctx)
		op.deletion.warnOfLeftoverImages()
	}
	op.warnOfFailures(op.plan.Buy)
	return true
}

// forget records the generations that an update gives up under deletion_policy
// = "keep". It leaves out generations that the group needs after all: the
// service may have retried a failed generation under its old id.
func (op *execution) forget() {
	needed := op.group.Needed()
	var forgotten []string
	for _, id := range op.plan.Forget {
		if !needed(id) {
			forgotten = append(forgotten, id)
		}
	}
	op.group.forget(op.data, forgotten)
}

// takeReceipts copies the id, the receipts and the tally from the prior group.
func (g *group) takeReceipts(prior *group) {
	g.values.ID = prior.values.ID
	g.values.GenerationType = prior.values.GenerationType
	g.values.CreditsDeducted = prior.values.CreditsDeducted
	g.values.RemainingBalance = prior.values.RemainingBalance
	g.values.Tally = prior.values.Tally
}

// wait waits for the generations if wait_for_completion is set. If not, it only
// reads a generation to find the group's id, and settles open generations. A wait
// that ends early is a warning, because everything is paid for.
func (op *execution) wait(ctx context.Context) {
	defer op.settle(ctx)
	if !op.group.values.WaitForCompletion.ValueBool() {
		op.findGroupID(ctx)
		return
	}
	line := func() string {
		return fmt.Sprintf("Generation group %q: %s", op.group.values.ID.ValueString(), op.statusLine())
	}
	progress := wait.NewProgress(op.data.Clock, line, op.data.LogProgress(ctx))
	err := op.waitAll(ctx, progress)
	progress.Say(line())
	if err != nil {
		op.diags.Append(op.waitEnded(err))
	}
}

// settle reads generations that were just bought if the reply did not tell
// which key they belong to. The prompt texts in their statuses do.
func (op *execution) settle(ctx context.Context) {
	g := op.group
	for _, keys := range op.unsettled {
		var unread []string
		for _, id := range g.IDsOf(keys) {
			if op.statuses[id] == nil {
				unread = append(unread, id)
			}
		}
		if op.readAwaited(ctx, unread) == nil {
			texts := map[string]*string{}
			for id, status := range op.statuses {
				texts[id] = status.Prompt
			}
			g.Settle(keys, texts)
		}
	}
	if len(op.bought) > 0 {
		warnOfOpen(g, op.diags)
	}
}

// warnOfFailures names the prompts without results, with the reason and the old
// media that stay in place. A failed prompt is data, not an error: an error
// would taint the group, and the next apply would buy every prompt again.
func (op *execution) warnOfFailures(bought []string) {
	g := op.group
	var lines []string
	failed := g.KeysIn(g.Keys(), prompts.PhaseFailed, prompts.PhaseRejected)
	for _, key := range failed {
		line := fmt.Sprintf("%q: %s", key, reply.Text(g.Generations[key].Error.Get()))
		if old := g.Superseded[key]; len(old) > 0 {
			line += fmt.Sprintf(" (the former generation %s is kept)", quoteAll(old))
		}
		lines = append(lines, line)
	}
	warn(g, op.diags.AddWarning, notice{
		when: len(lines) > 0,
		what: "Generations Failed",
		text: fmt.Sprintf(
			"In the generation group %q these prompts have no results:\n%s\n\nWhat was deducted for them is in "+
				"credits_deducted as far as the service says. %s",
			g.values.ID.ValueString(),
			framework.Several(lines, "\n"),
			again(g, failed),
		),
	})
	if unsubmitted := g.KeysIn(bought, prompts.PhaseUnsubmitted); len(unsubmitted) > 0 {
		op.diags.Append(notSent(unsubmitted))
	}
}

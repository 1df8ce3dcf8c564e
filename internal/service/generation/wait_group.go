package generation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// remainingLimit bounds the reads that follow a wait that timed out.
	remainingLimit = 30 * time.Second
	// resultsLimit is how long results may take after a status of success;
	// resultsInterval is when they are first looked for.
	resultsLimit, resultsInterval = 30 * time.Second, 3 * time.Second
)

// wait waits if so configured. Otherwise it reads only what needs it: the
// generations that a reply leaves open, one of a group without an id. Whatever ends
// the wait is a warning: everything is paid for.
func (op *operation) wait(ctx context.Context) {
	defer op.settle(ctx)
	if !op.group.model.WaitForCompletion.ValueBool() {
		op.findGroupID(ctx)
		return
	}
	progress := wait.NewProgress(op.data.Clock, op.groupLine, framework.LogProgress(ctx))
	err := op.waitAll(ctx, progress)
	progress.Say(op.groupLine())
	if err != nil {
		op.diags.Append(framework.Failure{
			Verb: "Wait for", Noun: "Generations", Object: op.group.name(),
			Consequence: fmt.Sprintf("%s still running. What runs is paid for, goes on at the service and is in the state; the next apply goes on waiting and buys nothing.",
				framework.Plural(len(op.group.Running()), "generation was", "generations were")),
		}.Warning(err))
	}
}

// waitAll waits until no generation runs. It polls the one that should end first: n
// generations cost n requests plus one per interval, not n per interval.
func (op *operation) waitAll(ctx context.Context, progress *wait.Progress) error {
	awaited := op.group.Running()
	w := &waiter{op: op, began: op.data.Clock.Now(), schedules: map[string]*wait.Schedule{}}
	err := wait.Poll(ctx, op.data.Clock, op.data.Polls.Limit(w.Next), progress, w.poll)
	if timeout := (*wait.TimeoutError)(nil); errors.As(err, &timeout) && !api.IsTimeout(timeout.Last) { // others would hang too
		if _ = op.readAwaited(wait.WithPolling(wait.WithTimeout(ctx, op.data.Clock, remainingLimit, "")), op.group.Running()); len(op.group.Running()) == 0 {
			return nil
		}
	}
	if err == nil {
		op.waitForResults(ctx, awaited, progress)
	}
	return err
}

// waitForResults polls those ids that have succeeded without results yet. Whether
// results must come is not documented: nothing is concluded if none do.
func (op *operation) waitForResults(ctx context.Context, ids []string, progress *wait.Progress) {
	if len(op.group.WithoutResults(ids)) == 0 || progress.Sleep(ctx, op.data.Clock, resultsInterval) != nil {
		return
	}
	ctx = wait.Within(ctx, op.data.Clock, resultsLimit)
	schedule := wait.Schedule{First: resultsInterval, Shortest: 20 * time.Second}
	_ = wait.Poll(ctx, op.data.Clock, schedule.Next, progress, func(ctx context.Context) (bool, error) {
		for _, id := range op.group.WithoutResults(ids) {
			if err := op.readAwaited(ctx, []string{id}); err != nil {
				return false, err
			}
			if len(op.group.WithoutResults([]string{id})) > 0 {
				return false, nil
			}
		}
		return true, nil
	})
}

// settle gives the open generations of each batch of the operation to their keys.
func (op *operation) settle(ctx context.Context) {
	g := op.group
	for _, keys := range op.openBatches {
		unread := slices.DeleteFunc(g.IDsOf(keys), func(id string) bool { return op.statuses[id] != nil })
		if op.readAwaited(ctx, unread) == nil {
			g.Settle(keys, op.shownText)
		}
	}
	if len(op.bought) > 0 {
		g.warnOfOpen(op.diags)
	}
}

// shownText returns the text that the status of a generation has shown.
func (op *operation) shownText(id string) (text string, shown bool) {
	if status := op.statuses[id]; status != nil && status.Prompt != nil {
		return *status.Prompt, true
	}
	return "", false
}

// groupLine is the statusLine of a group.
func (op *operation) groupLine() string {
	return fmt.Sprintf("Generation group %q: %s", op.group.model.ID.ValueString(), op.statusLine())
}

// statusLine says how many have ended, and how far the polled one is.
func (op *operation) statusLine() string {
	running := op.group.Running()
	text := fmt.Sprintf("%d of %s ended", op.total()-len(running), framework.Plural(op.total(), "generation has", "generations have"))
	if without := len(op.failed()); without > 0 {
		text += fmt.Sprintf(", %d of them without results", without)
	}
	if len(running) > 0 {
		text += "; " + op.describe(running[0])
	}
	return text
}

func (op *operation) total() int { return len(op.group.PresentIDs()) }

// describe gives the progress of a running generation.
func (op *operation) describe(id string) string {
	generation := op.group.Of(id)
	if !op.isShown(id) {
		return fmt.Sprintf("%q is not shown by the service yet", id)
	}
	var parts []string
	if !generation.Status.IsNull() {
		parts = append(parts, generation.Status.Get())
	}
	if status := op.statuses[id]; status != nil && status.Progress != nil {
		parts = append(parts, fmt.Sprintf("%d percent", *status.Progress))
	}
	if len(parts) == 0 {
		parts = []string{"no status yet"}
	}
	return fmt.Sprintf("%q: %s", id, strings.Join(parts, ", "))
}

func (op *operation) isShown(id string) bool { return op.group.Seen[id] }

// failed returns the ids that failed, or were deleted during the wait.
func (op *operation) failed() []string {
	return slices.DeleteFunc(op.group.PresentIDs(), func(id string) bool {
		key, _ := op.group.KeyOf(id)
		return !op.group.PhaseOf(key).IsRetryable() && !op.group.Vanished[id]
	})
}

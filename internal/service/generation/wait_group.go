package generation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
	op.progress = wait.NewProgress(op.data.Clock, op.groupLine, framework.LogProgress(ctx))
	err := op.waitAll(ctx)
	op.progress.Say(op.groupLine())
	if err != nil {
		op.diags.Append(framework.Failure{
			Verb: "Wait for", Noun: "Generations", Object: op.group.name(),
			Consequence: fmt.Sprintf("%s still running. What runs is paid for, goes on at the service and is in the state; the next apply goes on waiting and buys nothing.",
				framework.Plural(len(op.group.Running()), "generation was", "generations were")),
		}.Warning(err))
	}
}

// waitAll waits until no generation runs. It polls the one that should end
// first: n generations cost n requests plus one per interval, not n per
// interval.
func (op *operation) waitAll(ctx context.Context) error {
	awaited := op.group.Running()
	w := &waiter{op: op, began: op.data.Clock.Now(), schedules: map[string]*wait.Schedule{}}
	err := wait.Poll(ctx, op.data.Clock, op.data.Polls.Limit(w.Next), op.progress, w.poll)
	if timeout := (*wait.TimeoutError)(nil); errors.As(err, &timeout) && !wait.IsTimeout(timeout.Last) { // others would hang too
		if _ = op.readAwaited(wait.WithPolling(wait.WithTimeout(ctx, op.data.Clock, remainingLimit, "")), op.group.Running()); len(op.group.Running()) == 0 {
			return nil
		}
	}
	if err == nil {
		op.waitForResults(ctx, awaited)
	}
	return err
}

// waitForResults polls those ids that have succeeded without results yet.
// Whether results must come is not documented, so nothing is concluded if none
// do.
func (op *operation) waitForResults(ctx context.Context, ids []string) {
	if len(op.group.WithoutResults(ids)) == 0 || op.progress.Sleep(ctx, op.data.Clock, resultsInterval) != nil {
		return
	}
	ctx = wait.Within(ctx, op.data.Clock, resultsLimit)
	schedule := wait.Schedule{First: resultsInterval, Shortest: 20 * time.Second}
	_ = wait.Poll(ctx, op.data.Clock, schedule.Next, op.progress, func(ctx context.Context) (bool, error) {
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

// readAwaited reads awaited generations. It returns the first error, in the
// order of the ids, that says nothing about its generation.
func (op *operation) readAwaited(ctx context.Context, ids []string) error {
	var first error
	for _, read := range op.data.Client.Generations(ctx, ids) {
		existence, err := op.judge(ctx, read.Err, op.group.evidence(read.ID))
		op.lastErrors[read.ID] = read.Err
		switch {
		case existence == api.Present:
			if op.bought[read.ID] { // an older one may be of another group
				op.group.learnID(read.Status)
			}
			op.group.recordStatus(read.ID, read.Status)
			op.statuses[read.ID] = read.Status
			delete(op.missed, read.ID)
		case existence == api.Gone && op.missed[read.ID]:
			op.group.Vanished[read.ID] = true
			delete(op.missed, read.ID)
		case existence == api.Gone:
			op.missed[read.ID] = true
		}
		first = cmp.Or(first, err)
	}
	return first
}

package generation

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// pollSchedule is how often a wait looks at the first generation that still
// runs.
var pollSchedule = wait.Schedule{Initial: 3 * time.Second, Max: 20 * time.Second}

const (
	// lastLook bounds the reads that follow a wait whose time ran out.
	lastLook = 30 * time.Second
	// lateResults is how long after the word for success the addresses of the
	// results may come.
	lateResults = 30 * time.Second
)

// waiter watches the running generations of a group.
type waiter struct {
	data  *framework.Data
	group *group
	// fresh are the ids that this operation bought itself.
	fresh map[string]bool
	// gone are the ids that were seen once and are no longer there.
	gone map[string]bool
}

// waitAll waits until no generation runs. It looks at one generation at a time
// and goes on to the next when that one has ended: a group of n costs n
// requests and one for each interval, not n for each interval.
func (w *waiter) waitAll(ctx context.Context) error {
	awaited := w.running()
	err := pollSchedule.Poll(ctx, w.data.Clock, func(ctx context.Context) (bool, error) {
		for _, id := range w.running() {
			if err := w.look(ctx, id); err != nil {
				return false, err
			}
			if w.runs(id) {
				return false, nil
			}
		}
		return true, nil
	})
	if timeout := (*wait.TimeoutError)(nil); errors.As(err, &timeout) {
		w.lookAtRest(ctx)
		if len(w.running()) == 0 {
			return nil
		}
	}
	if err == nil {
		w.waitForResults(ctx, awaited)
	}
	return err
}

// waitForResults looks again at those of the ids that have succeeded and show
// no results yet. Whether there will be any is not documented, so that nothing
// is made of it if none come.
func (w *waiter) waitForResults(ctx context.Context, ids []string) {
	if len(w.withoutResults(ids)) == 0 || w.data.Clock.Sleep(ctx, pollSchedule.Initial) != nil {
		return
	}
	ctx = wait.Within(ctx, w.data.Clock, lateResults)
	_ = pollSchedule.Poll(ctx, w.data.Clock, func(ctx context.Context) (bool, error) {
		for _, id := range w.withoutResults(ids) {
			if err := w.look(ctx, id); err != nil {
				return false, err
			}
			if len(w.withoutResults([]string{id})) > 0 {
				return false, nil
			}
		}
		return true, nil
	})
}

// withoutResults are those of the ids that have succeeded and show no results.
func (w *waiter) withoutResults(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		key, found := w.group.keyOf(id)
		generation := w.group.generations[key]
		return !found || w.gone[id] || !generation.Succeeded.ValueBool() || len(generation.ResultURLs.Elements()) > 0
	})
}

// lookAtRest reads those that the wait has not come to yet.
func (w *waiter) lookAtRest(ctx context.Context) {
	ctx = wait.WithDeadline(ctx, w.data.Clock.Now().Add(lastLook))
	for _, id := range w.running() {
		if w.look(ctx, id) != nil {
			return
		}
	}
}

func (w *waiter) look(ctx context.Context, id string) error {
	status, verdict, err := w.group.find(ctx, w.data.Client, id)
	switch verdict {
	case api.Present:
		w.group.observe(id, status, w.fresh[id])
	case api.Gone:
		w.gone[id] = true
	case api.Pending, api.Undecided:
	}
	return err
}

// running are the ids that still run, in the order of their keys.
func (w *waiter) running() []string {
	var ids []string
	for _, key := range w.group.keysWhere(generationModel.isRunning) {
		if id := w.group.generations[key].ID.ValueString(); !w.gone[id] && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (w *waiter) runs(id string) bool {
	key, found := w.group.keyOf(id)
	return found && w.group.generations[key].isRunning() && !w.gone[id]
}

// settle waits if the group is to be waited for, and else looks only at what
// needs it: a batch whose results cannot be told apart, a group without a
// name. Whatever ends the wait is a warning: everything is paid for.
func (w *waiter) settle(ctx context.Context, diags *diag.Diagnostics) {
	if !w.group.model.WaitForCompletion.ValueBool() {
		w.identify(ctx)
		return
	}
	if err := w.waitAll(ctx); err != nil {
		diags.Append(framework.Failure{
			Verb: "Wait for", Noun: "Generations", Object: fmt.Sprintf("generation group %q", w.group.model.ID.ValueString()),
			Consequence: fmt.Sprintf("%d generations were still running. They are paid for, go on at the service and are in the state; the next apply goes on waiting and buys nothing.", len(w.running())),
		}.Warning(err))
	}
}

// identify reads the fresh generations whose prompt or group is in doubt, once.
func (w *waiter) identify(ctx context.Context) {
	for _, id := range sortedKeys(w.fresh) {
		place, unverified := w.group.private.Unverified[id]
		if (unverified && !place.Certain) || !w.group.hasID() {
			if w.look(ctx, id) != nil {
				return
			}
		}
	}
}

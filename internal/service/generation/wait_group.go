package generation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// remainingLimit bounds the reads after a wait that timed out.
	remainingLimit = 30 * time.Second
	// resultsLimit is how long results may take after a successful status.
	resultsLimit, resultsInterval = 30 * time.Second, 3 * time.Second

	firstInterval, minInterval = 1500 * time.Millisecond, 2 * time.Second
	// When a generation ends, the other generations of its batch are read too. After
	// maxApart such reads that found them running, some are left out: see due.
	maxApart = 16
)

// waiting is the wait for generations, with everything that it has read. Its
// maps are by generation id.
type waiting struct {
	operation
	// bought are the generations that this operation bought: the group in their
	// statuses belongs to this object.
	bought map[string]bool
	// estimate is the service's latest estimate for a batch; 0 without one.
	estimate time.Duration
	// statuses and lastErrors are the results of the latest reads.
	statuses   map[string]*api.Generation
	lastErrors map[string]error
	// goneOnce has the generations that a single poll has found gone; the
	// next poll decides.
	goneOnce map[string]bool
}

func newWaiting(op operation) waiting {
	return waiting{
		operation:  op,
		bought:     map[string]bool{},
		statuses:   map[string]*api.Generation{},
		lastErrors: map[string]error{},
		goneOnce:   map[string]bool{},
	}
}

// waitAll waits until no generation runs. It polls only the generation that
// should end first: n generations cost n requests plus one per interval,
// instead of n per interval.
func (op *waiting) waitAll(ctx context.Context, progress *wait.Progress) error {
	awaited := op.group.Running()
	w := &waiter{
		op:        op,
		began:     op.data.Clock.Now(),
		schedules: map[string]*wait.Schedule{},
	}
	next := func(waited time.Duration) time.Duration { return w.schedule(w.soonest()[0]).Next(waited) }
	err := wait.Poll(ctx, op.data.Clock, op.data.Polls.Limit(next), progress, w.poll)
	timeout, isOver := errors.AsType[*wait.TimeoutError](err)
	if isOver && !wait.IsTimeout(timeout.Last) { // the other reads would hang too
		_ = op.readAwaited(
			wait.WithPolling(wait.WithTimeout(ctx, op.data.Clock, remainingLimit, "")),
			op.group.Running(),
		)
		if len(op.group.Running()) == 0 {
			return nil
		}
	}
	if err == nil {
		op.waitForResults(ctx, awaited, progress)
	}
	return err
}

// waitForResults polls the ids that have succeeded but have no results yet. It
// is not documented whether results must come, so that nothing is concluded if
// none do.
func (op *waiting) waitForResults(ctx context.Context, ids []string, progress *wait.Progress) {
	if len(op.group.WithoutResults(ids)) == 0 || progress.Sleep(ctx, op.data.Clock, resultsInterval) != nil {
		return
	}
	ctx = wait.Within(ctx, op.data.Clock, resultsLimit)
	schedule := wait.Schedule{First: resultsInterval, Min: 20 * time.Second}
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

// findGroupID reads a generation to find the group's id if no reply has named
// it: without the id, the next batch would create a second group. If one status
// lacks the id, all of them do.
func (op *waiting) findGroupID(ctx context.Context) {
	for _, id := range prompts.SortedKeys(op.bought) {
		if op.group.hasID() || op.statuses[id] != nil {
			return
		}
		_ = op.readAwaited(ctx, []string{id})
		if op.statuses[id] != nil {
			return
		}
	}
}

// readAwaited reads generations, and returns the first error that says nothing
// about its generation.
func (op *waiting) readAwaited(ctx context.Context, ids []string) (first error) {
	for _, read := range op.data.Client.Generations.GetAll(ctx, ids) {
		existence, err := op.judge(ctx, read.Err, op.group.evidence(read.ID))
		op.lastErrors[read.ID] = read.Err
		switch {
		case existence == evidence.Present:
			if op.bought[read.ID] { // an older generation may belong to a different group
				op.group.learnID(read.Status)
			}
			op.group.recordStatus(read.ID, read.Status)
			op.statuses[read.ID] = read.Status
			delete(op.goneOnce, read.ID)
		case existence == evidence.Gone && op.goneOnce[read.ID]:
			op.group.Gone[read.ID] = true
			delete(op.goneOnce, read.ID)
		case existence == evidence.Gone:
			op.goneOnce[read.ID] = true
		}
		first = cmp.Or(first, err)
	}
	return first
}

// waiter polls the generations of a group until all have ended.
type waiter struct {
	op    *waiting
	began time.Time
	// apart counts the times when a generation had ended and the next was still
	// running.
	apart int
	// schedules are the schedules of generations that were found running, by
	// id.
	schedules map[string]*wait.Schedule
}

// poll reads the generations that the last poll did not find, and then the
// generation that should end first. If that has ended, it reads 1, 2, 4, 8 …
// more, as long as all of them have ended: a batch ends together.
func (w *waiter) poll(ctx context.Context) (done bool, err error) {
	if _, err := w.read(ctx, prompts.SortedKeys(w.op.goneOnce)); err != nil {
		return false, err
	}
	next := w.soonest()
	if len(next) == 0 {
		return true, nil
	}
	foreseen := w.end(next[0]) < math.MaxInt64
	ended, err := w.read(ctx, next[:1])
	for count := 1; ended && err == nil; count *= 2 {
		next = w.due(foreseen)
		if len(next) == 0 {
			break
		}
		ended, err = w.read(ctx, next[:min(count, len(next))])
		if !ended && count == 1 {
			w.apart++
		}
	}
	return err == nil && len(w.op.group.Running()) == 0, err
}

// read reads generations. It reports whether all of them have ended or seem to
// be gone, and records the progress of the others.
func (w *waiter) read(ctx context.Context, ids []string) (ended bool, err error) {
	err = w.op.readAwaited(ctx, ids)
	ended = true
	waited := w.op.data.Clock.Now().Sub(w.began)
	for _, id := range ids {
		if !w.op.group.Runs(id) {
			delete(w.schedules, id)
			continue
		}
		ended = ended && w.op.goneOnce[id]
		percent := int64(0)
		if status := w.op.statuses[id]; status != nil && status.Progress != nil {
			percent = *status.Progress
		}
		w.schedule(id).Observe(waited, percent)
	}
	return ended, err
}

// due returns the ids to read after a generation has ended, because a batch
// ends together. It leaves out a generation whose progress says that it ends
// later. After an end that was foreseen, it also leaves out generations without
// progress, if such reads were too often in vain.
func (w *waiter) due(foreseen bool) (ids []string) {
	waited := w.op.data.Clock.Now().Sub(w.began)
	wasWrong := foreseen && w.apart >= maxApart
	for _, id := range w.soonest() {
		end := w.end(id)
		isForeseen := end < math.MaxInt64
		endsLater := end > waited && (isForeseen || wasWrong)
		if !w.op.goneOnce[id] && !endsLater {
			ids = append(ids, id)
		}
	}
	return ids
}

// soonest returns the ids of the running generations, in the order in which
// they should end.
func (w *waiter) soonest() []string {
	running := w.op.group.Running()
	slices.SortStableFunc(running, func(a, b string) int { return cmp.Compare(w.end(a), w.end(b)) })
	return running
}

// end returns the time from the start of the wait to a generation's expected
// end; MaxInt64 without a progress.
func (w *waiter) end(id string) time.Duration {
	if end, known := w.schedule(id).End(); known {
		return end
	}
	return math.MaxInt64
}

// schedule returns the schedule by which a generation is polled.
func (w *waiter) schedule(id string) *wait.Schedule {
	if w.schedules[id] == nil {
		w.schedules[id] = &wait.Schedule{
			First:    firstInterval,
			Min:      minInterval,
			Estimate: w.op.estimate,
		}
	}
	return w.schedules[id]
}

// statusLine says how many generations have ended, and how far the polled one
// is.
func (op *waiting) statusLine() string {
	running := op.group.Running()
	text := fmt.Sprintf(
		"%d of %s ended",
		op.total()-len(running),
		framework.Plural(op.total(), "generation has", "generations have"),
	)
	if without := len(op.failed()); without > 0 {
		text += fmt.Sprintf(", %d of them without results", without)
	}
	if len(running) > 0 {
		text += "; " + op.describe(running[0])
	}
	return text
}

func (op *waiting) total() int { return len(op.group.PresentIDs()) }

// describe says how far a generation is, for the progress line of a wait.
func (op *waiting) describe(id string) string {
	if !op.group.Seen[id] {
		return fmt.Sprintf("%q is not shown by the service yet", id)
	}
	how := reply.Text(op.group.Of(id).Status.Get()).Or("")
	if status := op.statuses[id]; status != nil && status.Progress != nil {
		how = strings.TrimPrefix(fmt.Sprintf("%s, %d percent", how, *status.Progress), ", ")
	}
	return fmt.Sprintf("%q: %s", id, cmp.Or(how, "no status yet"))
}

func (op *waiting) failed() (ids []string) {
	for _, id := range op.group.PresentIDs() {
		if op.group.HasFailed(id) || op.group.Gone[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

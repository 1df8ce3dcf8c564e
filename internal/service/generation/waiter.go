package generation

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

const (
	// The first interval of a wait, and the shortest of the later ones.
	firstInterval, shortestInterval = 1500 * time.Millisecond, 2 * time.Second
	// maxApart is how often a generation is read in vain because another ended.
	maxApart = 16
)

// waiter decides which generations of a group a wait polls, and when.
type waiter struct {
	op    *operation
	began time.Time
	// apart counts the ends after which the next generation still ran.
	apart int
	// schedules, by id, are for generations found running.
	schedules map[string]*wait.Schedule
}

// poll reads what the last one missed, then the generation that should end first and, if
// it has ended, 1, 2, 4, 8 … more, while all of them have: a batch ends together.
func (w *waiter) poll(ctx context.Context) (done bool, err error) {
	if _, err := w.read(ctx, sortedKeys(w.op.missed)); err != nil {
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

// read reads generations, and reports whether all of them have ended, or seem to
// be gone.
func (w *waiter) read(ctx context.Context, ids []string) (ended bool, err error) {
	err = w.op.readAwaited(ctx, ids)
	w.observe(ids)
	return !slices.ContainsFunc(ids, func(id string) bool { return w.op.group.Runs(id) && !w.op.missed[id] }), err
}

// due returns the ids that may have ended together with another: not those whose
// progress says that they end later, and, after a foreseen end, none without progress
// once that was too often wrong.
func (w *waiter) due(foreseen bool) []string {
	waited := w.op.data.Clock.Now().Sub(w.began)
	return slices.DeleteFunc(w.soonest(), func(id string) bool {
		end := w.end(id)
		return w.op.missed[id] || end > waited && (end < math.MaxInt64 || foreseen && w.apart >= maxApart)
	})
}

// Next returns how long to sleep until the first generation may have ended.
func (w *waiter) Next(waited time.Duration) time.Duration {
	return w.schedule(w.soonest()[0]).Next(waited)
}

// soonest returns the running ids in the order in which they should end.
func (w *waiter) soonest() []string {
	running := w.op.group.Running()
	slices.SortStableFunc(running, func(a, b string) int { return cmp.Compare(w.end(a), w.end(b)) })
	return running
}

// end returns when a generation should end, from the start of the wait; MaxInt64 without
// progress.
func (w *waiter) end(id string) time.Duration {
	if end, known := w.schedule(id).End(); known {
		return end
	}
	return math.MaxInt64
}

// observe records the progress of those still running.
func (w *waiter) observe(ids []string) {
	waited := w.op.data.Clock.Now().Sub(w.began)
	for _, id := range ids {
		if !w.op.group.Runs(id) {
			delete(w.schedules, id)
			continue
		}
		percent := int64(0)
		if status := w.op.statuses[id]; status != nil && status.Progress != nil {
			percent = *status.Progress
		}
		w.schedule(id).Observe(waited, percent)
	}
}

func (w *waiter) schedule(id string) *wait.Schedule {
	if w.schedules[id] == nil {
		w.schedules[id] = &wait.Schedule{First: firstInterval, Shortest: shortestInterval, Estimate: w.op.estimate}
	}
	return w.schedules[id]
}

package generation

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// shortestInterval is that of a wait for generations.
const shortestInterval = 2 * time.Second

// waiter decides which generations of a group a wait polls, and when.
type waiter struct {
	op    *operation
	began time.Time
	// estimate is how long the service says that a batch takes, 0 if it does not.
	estimate time.Duration
	// forecasts, by id, are for the generations that were found running.
	forecasts map[string]*wait.Forecast
}

func newWaiter(op *operation) *waiter {
	w := &waiter{op: op, began: op.data.Clock.Now(), forecasts: map[string]*wait.Forecast{}}
	if last := len(op.group.batches) - 1; last >= 0 && len(op.bought) > 0 {
		w.estimate = time.Duration(op.group.batches[last].EstimatedTime.ValueFloat64() * float64(time.Second))
	}
	return w
}

// poll reads the generation that should end first and, if it has ended, 1, 2,
// 4, 8 … more, as long as all of them have: those of a batch end together.
func (w *waiter) poll(ctx context.Context) (done bool, err error) {
	for count, more := 1, 1; ; count, more = more, 2*more {
		ids := w.soonest()
		if len(ids) == 0 {
			return true, nil
		}
		ids = ids[:min(count, len(ids))]
		err := w.op.readAwaited(ctx, ids)
		w.observe(ids)
		if err != nil || slices.ContainsFunc(ids, w.op.group.runs) {
			return false, err
		}
	}
}

// Next is how long to sleep until the generation that should end first may have
// ended.
func (w *waiter) Next(waited time.Duration) time.Duration {
	return w.forecast(w.soonest()[0]).Next(waited)
}

// soonest are the ids that still run, in the order in which they should end;
// those without any progress come last.
func (w *waiter) soonest() []string {
	running := w.op.group.running()
	ends := make(map[string]time.Duration, len(running))
	for _, id := range running {
		ends[id] = math.MaxInt64
		if forecast, found := w.forecasts[id]; found {
			if end, known := forecast.End(); known {
				ends[id] = end
			}
		}
	}
	slices.SortStableFunc(running, func(a, b string) int { return int(min(max(ends[a]-ends[b], -1), 1)) })
	return running
}

// observe records the progress of those that still run.
func (w *waiter) observe(ids []string) {
	waited := w.op.data.Clock.Now().Sub(w.began)
	for _, id := range ids {
		if !w.op.group.runs(id) {
			delete(w.forecasts, id)
			continue
		}
		percent := int64(0)
		if status := w.op.statuses[id]; status != nil && status.Progress != nil {
			percent = *status.Progress
		}
		w.forecast(id).Observe(waited, percent)
	}
}

func (w *waiter) forecast(id string) *wait.Forecast {
	if w.forecasts[id] == nil {
		w.forecasts[id] = &wait.Forecast{Shortest: shortestInterval, Estimate: w.estimate}
	}
	return w.forecasts[id]
}

package wait_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// takes is a call that takes its time, and counts.
func takes(calls *atomic.Int64, d time.Duration, err error) func(context.Context) (int64, error) {
	return func(ctx context.Context) (int64, error) {
		call := calls.Add(1)
		if err := wait.System.Sleep(ctx, d); err != nil {
			return 0, err
		}
		return call, err
	}
}

func TestAFlightIsOneCallForAllWhoWait(t *testing.T) {
	t.Parallel()
	for _, fails := range []error{nil, errors.New("broken")} {
		synctest.Test(t, func(t *testing.T) {
			var flight wait.Flight[int64]
			var calls, began atomic.Int64
			var group sync.WaitGroup
			for i := range 10 {
				group.Go(func() {
					time.Sleep(time.Duration(i) * time.Millisecond)
					value, own, err := flight.Do(t.Context(), takes(&calls, time.Second, fails))
					if value != 1 || !errors.Is(err, fails) {
						t.Errorf("%d, %v", value, err)
					}
					if own {
						began.Add(1)
					}
				})
			}
			group.Wait()
			if began.Load() != 1 {
				t.Errorf("%d have begun it", began.Load())
			}
			if value, own, _ := flight.Do(t.Context(), takes(&calls, time.Second, nil)); value != 2 || !own {
				t.Errorf("a later call: %d, %t", value, own)
			}
		})
	}
}

func TestAFlightOutlivesAllButItsLastCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flight wait.Flight[int64]
		var calls atomic.Int64
		var group sync.WaitGroup
		why, begun := errors.New("Ctrl-C"), time.Now()
		call := takes(&calls, time.Minute, nil)
		ended := make(chan error, 1)
		for _, after := range []time.Duration{time.Second, 3 * time.Second} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(after, func() { cancel(why) })
			group.Go(func() {
				_, _, err := flight.Do(ctx, func(ctx context.Context) (int64, error) {
					value, err := call(ctx)
					ended <- err
					return value, err
				})
				wantCanceled(t, err, why)
				if took := time.Since(begun); took != after {
					t.Errorf("left after %s, want %s", took, after)
				}
			})
		}
		group.Wait()
		if err := <-ended; !errors.Is(err, context.Canceled) || time.Since(begun) != 3*time.Second || calls.Load() != 1 {
			t.Errorf("it ended after %s with %v, %d calls", time.Since(begun), err, calls.Load())
		}
		if value, _, err := flight.Do(t.Context(), call); value != 2 || err != nil {
			t.Errorf("the next: %d, %v", value, err)
		}
	})
}

// A call that is about to be cancelled is nobody else's.
func TestNobodyJoinsACallWhoseCallersAreGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flight wait.Flight[int64]
		var calls atomic.Int64
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _, _ = flight.Do(ctx, takes(&calls, time.Hour, nil)) }()
		synctest.Wait()
		cancel()
		if value, began, err := flight.Do(t.Context(), takes(&calls, time.Second, nil)); value != 2 || !began || err != nil {
			t.Errorf("%d, %t, %v", value, began, err)
		}
	})
}

func TestAFlightHasTheLastDeadlineOfItsCallers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var flight wait.Flight[int64]
		var group sync.WaitGroup
		now := time.Now()
		seen, settings := map[int]time.Duration{}, map[int]string{}
		join := func(ctx context.Context) {
			group.Go(func() {
				_, _, _ = flight.Do(ctx, func(ctx context.Context) (int64, error) {
					for second := range 3 {
						time.Sleep(time.Second)
						if deadline, limited := wait.Deadline(ctx); limited {
							seen[second], settings[second] = deadline.Sub(now), wait.TimedOut(ctx, 0, nil).Setting
						}
					}
					return 0, nil
				})
			})
		}
		join(wait.WithDeadline(t.Context(), now.Add(time.Minute)))
		time.Sleep(1500 * time.Millisecond)
		join(wait.WithTimeout(t.Context(), wait.System, time.Hour-1500*time.Millisecond, "timeouts.create"))
		time.Sleep(time.Second)
		join(t.Context())
		if group.Wait(); len(seen) != 2 || seen[0] != time.Minute || seen[1] != time.Hour {
			t.Errorf("deadlines by second: %v", seen)
		}
		if settings[0] != "" || settings[1] != "timeouts.create" {
			t.Errorf("settings by second: %v", settings)
		}
	})
}

func TestPollMarksItsContext(t *testing.T) {
	t.Parallel()
	if wait.IsPolling(t.Context()) {
		t.Error("it is marked before")
	}
	err := schedule.Poll(t.Context(), wait.System, func(ctx context.Context) (bool, error) { return wait.IsPolling(ctx), nil })
	if err != nil {
		t.Error(err)
	}
}

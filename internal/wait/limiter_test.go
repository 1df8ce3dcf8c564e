package wait_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// every are intervals that stay the same.
func every(interval time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return interval }
}

func TestWaitsShareALimiter(t *testing.T) {
	t.Parallel()
	for waits, want := range map[int]struct{ least, most int64 }{1: {55, 61}, 10: {250, 320}} {
		synctest.Test(t, func(t *testing.T) {
			limiter := wait.NewLimiter(wait.System, 30)
			var group sync.WaitGroup
			var polls atomic.Int64
			for range waits {
				group.Go(func() {
					ctx := wait.WithTimeout(t.Context(), wait.System, 10*time.Minute, "")
					_ = wait.Poll(ctx, wait.System, limiter.Limit(every(10*time.Second)), nil, func(context.Context) (bool, error) {
						polls.Add(1)
						return false, nil
					})
				})
			}
			group.Wait()
			if got := polls.Load(); got < want.least || got > want.most {
				t.Errorf("%d waits have polled %d times in 10 minutes, want %d to %d", waits, got, want.least, want.most)
			}
		})
	}
}

// Waits that begin together do not poll together.
func TestLimitedPollsAreSpread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := wait.NewLimiter(wait.System, 30)
		for _, want := range []time.Duration{10 * time.Second, 12 * time.Second, 14 * time.Second, 16 * time.Second} {
			check.Equal(t, "sleep", limiter.Limit(every(10*time.Second))(0), want)
		}
	})
}

// Polls in the near and in the far future count alike, in whatever order they
// are reserved.
func TestLimitHoldsForMixedIntervals(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limiter := wait.NewLimiter(wait.System, 30)
		var group sync.WaitGroup
		var polls atomic.Int64
		for interval, waits := range map[time.Duration]int{5 * time.Second: 3, time.Minute: 20} {
			for range waits {
				group.Go(func() {
					ctx := wait.WithTimeout(t.Context(), wait.System, 10*time.Minute, "")
					_ = wait.Poll(ctx, wait.System, limiter.Limit(every(interval)), nil, func(context.Context) (bool, error) {
						polls.Add(1)
						return false, nil
					})
				})
			}
		}
		group.Wait()
		// Each wait polls at once, and once more at its deadline.
		if got := polls.Load(); got < 290 || got > 300+2*23 {
			t.Errorf("the waits have polled %d times in 10 minutes", got)
		}
	})
}

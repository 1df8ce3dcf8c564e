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

// How late is the end of work of up to an hour known, and after how many looks?
func TestSchedule(t *testing.T) {
	t.Parallel()
	linear := func(waited, total time.Duration) int64 { return int64(100 * waited / total) }
	silent := func(time.Duration, time.Duration) int64 { return -1 }
	for name, test := range map[string]struct {
		progress func(waited, total time.Duration) int64
		estimate float64       // of the duration, 0 for none
		atLeast  time.Duration // the delay that is always granted
		share    float64       // the delay that is, as a part of the duration
	}{
		"linear progress": {progress: linear, atLeast: 1500 * time.Millisecond, share: 0.05},
		"linear progress after a queue": {
			progress: func(waited, total time.Duration) int64 { return linear(waited-total/3, total-total/3) },
			atLeast:  1500 * time.Millisecond, share: 0.05,
		},
		"an estimate too long by a fifth": {
			progress: silent,
			estimate: 1.19,
			atLeast:  1500 * time.Millisecond,
			share:    0.05,
		},
		"an estimate too short by a fifth": {
			progress: silent,
			estimate: 0.81,
			atLeast:  1500 * time.Millisecond,
			share:    0.05,
		},
		"nothing":                     {progress: silent, atLeast: 2 * time.Second, share: 0.15},
		"a wrong estimate":            {progress: silent, estimate: 0.33, atLeast: 2 * time.Second, share: 0.15},
		"an estimate of another unit": {progress: silent, estimate: 60, atLeast: 2 * time.Second, share: 0.15},
		"progress in steps": {
			progress: func(waited, total time.Duration) int64 { return int64(4*waited/total) * 25 },
			atLeast:  2 * time.Second, share: 0.15,
		},
		"progress that stalls": {
			progress: func(waited, total time.Duration) int64 { return min(99, linear(3*waited, total)) },
			atLeast:  2 * time.Second, share: 0.15,
		},
		"progress that begins again": {
			progress: func(waited, total time.Duration) int64 { return linear(3*waited, total) % 100 },
			atLeast:  2 * time.Second, share: 0.15,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for total := 100 * time.Millisecond; total < time.Hour; total += total/97 + 7*time.Millisecond {
				schedule := &wait.Schedule{
					First:    1500 * time.Millisecond,
					Min:      2 * time.Second,
					Estimate: time.Duration(test.estimate * float64(total)),
				}
				waited := time.Duration(0)
				looks := 1
				for ; waited < total; looks++ {
					schedule.Observe(waited, test.progress(waited, total))
					waited += schedule.Next(waited)
				}
				late := waited - total
				granted := max(test.atLeast, time.Duration(test.share*float64(total)))
				if late > granted {
					t.Fatalf("the end after %s is known %s late, %s are granted", total, late, granted)
				}
				if granted := map[bool]int{true: 1 + 25, false: 1 + 60}[total <= time.Minute]; looks > granted {
					t.Fatalf("%d looks at work of %s, %d are granted", looks, total, granted)
				}
			}
		})
	}
}

// What is nearly done is looked at first.
func TestScheduleKnowsTheEnd(t *testing.T) {
	t.Parallel()
	schedule := &wait.Schedule{First: 1500 * time.Millisecond, Min: 2 * time.Second}
	end, known := schedule.End()
	check.True(t, "it knows no end before any look", !known, end)
	schedule.Observe(10*time.Second, 20)
	end, known = schedule.End()
	check.True(t, "from its beginning", known && end == 50*time.Second, end)
	schedule.Observe(20*time.Second, 60)
	end, known = schedule.End()
	check.True(t, "from the first look that showed any", known && end == 30*time.Second, end)
	schedule.Observe(30*time.Second, 10)
	schedule.Observe(40*time.Second, 20)
	end, known = schedule.End()
	check.True(t, "from where it began again", known && end == 120*time.Second, end)
}

func TestScheduleHasALongestInterval(t *testing.T) {
	t.Parallel()
	schedule := &wait.Schedule{First: 1500 * time.Millisecond, Min: 10 * time.Second, Max: 5 * time.Minute}
	check.Equal(t, "sleep after ten hours", schedule.Next(10*time.Hour), 5*time.Minute)
}

func every(interval time.Duration) func(time.Duration) time.Duration {
	return func(time.Duration) time.Duration { return interval }
}

// Polls in the near and in the far future count alike, in whatever order they
// are reserved. Each wait polls at once, and once more at its deadline.
func TestWaitsShareALimiter(t *testing.T) {
	t.Parallel()
	type waits = map[time.Duration]int // by interval
	for _, test := range []struct {
		waits       waits
		least, most int64
	}{
		{waits{10 * time.Second: 1}, 55, 61},
		{waits{10 * time.Second: 10}, 250, 320},
		{waits{5 * time.Second: 3, time.Minute: 20}, 290, 300 + 2*23},
	} {
		synctest.Test(t, func(t *testing.T) {
			limiter := wait.NewLimiter(wait.System, 30)
			var group sync.WaitGroup
			var polls atomic.Int64
			for interval, waits := range test.waits {
				for range waits {
					group.Go(func() {
						ctx := wait.WithTimeout(t.Context(), wait.System, 10*time.Minute, "")
						_ = wait.Poll(
							ctx,
							wait.System,
							limiter.Limit(every(interval)),
							nil,
							func(context.Context) (bool, error) {
								polls.Add(1)
								return false, nil
							},
						)
					})
				}
			}
			group.Wait()
			check.True(
				t,
				"polls in 10 minutes",
				polls.Load() >= test.least && polls.Load() <= test.most,
				test.waits,
				polls.Load(),
			)
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

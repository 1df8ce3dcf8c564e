package wait_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// TestSchedule waits for work of every duration up to an hour, and checks how
// late its end is known and after how many looks.
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
		"an estimate too long by a fifth":  {progress: silent, estimate: 1.19, atLeast: 1500 * time.Millisecond, share: 0.05},
		"an estimate too short by a fifth": {progress: silent, estimate: 0.81, atLeast: 1500 * time.Millisecond, share: 0.05},
		"nothing":                          {progress: silent, atLeast: 2 * time.Second, share: 0.15},
		"a wrong estimate":                 {progress: silent, estimate: 0.33, atLeast: 2 * time.Second, share: 0.15},
		"an estimate of another unit":      {progress: silent, estimate: 60, atLeast: 2 * time.Second, share: 0.15},
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
				schedule := &wait.Schedule{First: 1500 * time.Millisecond, Shortest: 2 * time.Second, Estimate: time.Duration(test.estimate * float64(total))}
				waited, looks := time.Duration(0), 1
				for ; waited < total; looks++ {
					schedule.Observe(waited, test.progress(waited, total))
					waited += schedule.Next(waited)
				}
				if late, granted := waited-total, max(test.atLeast, time.Duration(test.share*float64(total))); late > granted {
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
	schedule := &wait.Schedule{First: 1500 * time.Millisecond, Shortest: 2 * time.Second}
	if end, known := schedule.End(); known {
		t.Errorf("it knows the end before any look: %s", end)
	}
	schedule.Observe(10*time.Second, 20)
	if end, known := schedule.End(); !known || end != 50*time.Second {
		t.Errorf("from its beginning: %s, %t", end, known)
	}
	schedule.Observe(20*time.Second, 60)
	if end, known := schedule.End(); !known || end != 30*time.Second {
		t.Errorf("from the first look that showed any: %s, %t", end, known)
	}
	schedule.Observe(30*time.Second, 10)
	schedule.Observe(40*time.Second, 20)
	if end, known := schedule.End(); !known || end != 120*time.Second {
		t.Errorf("from where it began again: %s, %t", end, known)
	}
}

func TestScheduleHasALongestInterval(t *testing.T) {
	t.Parallel()
	schedule := &wait.Schedule{First: 1500 * time.Millisecond, Shortest: 10 * time.Second, Longest: 5 * time.Minute}
	check.Equal(t, "sleep after ten hours", schedule.Next(10*time.Hour), 5*time.Minute)
}

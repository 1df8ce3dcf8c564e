package wait_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestProgress(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sleeps []time.Duration
		line   func(second float64) string
		want   []string
	}{
		"what stays the same, at every heartbeat": {
			sleeps: []time.Duration{10 * time.Second, 70 * time.Second, 9 * time.Second, 5 * time.Second},
			line:   func(float64) string { return "running" },
			want:   []string{"10: running", "40: running (after 40s)", "70: running (after 1m10s)"},
		},
		"what has changed, at once": {
			sleeps: []time.Duration{6 * time.Second, 6 * time.Second, time.Second},
			line:   func(second float64) string { return fmt.Sprintf("phase %d", int(second)/10) },
			want:   []string{"6: phase 0", "12: phase 1"},
		},
		"but not more often than every five seconds": {
			sleeps: []time.Duration{
				time.Second,
				time.Second,
				time.Second,
				time.Second,
				time.Second,
				time.Second,
				time.Second,
				40 * time.Second,
			},
			line: func(second float64) string { return fmt.Sprintf("%v", second) },
			want: []string{"5: 5", "35: 35"},
		},
		"nothing for a sleep of no time": {
			sleeps: []time.Duration{0, -time.Second},
			line:   func(float64) string { return "running" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				second := func() float64 { return time.Since(began).Seconds() }
				var lines []string
				status := func() string { return test.line(second()) }
				progress := wait.NewProgress(
					wait.System,
					status,
					func(line string) { lines = append(lines, fmt.Sprintf("%v: %s", second(), line)) },
				)
				progress.Say("begin")
				var total time.Duration
				for _, sleep := range test.sleeps {
					total += max(sleep, 0)
					check.Must(t, progress.Sleep(t.Context(), wait.System, sleep))
				}
				check.Equal(t, "slept", time.Since(began), total)
				progress.Say("end")
				want := append([]string{"0: begin"}, test.want...)
				check.Equal(t, "lines", lines, append(want, fmt.Sprintf("%v: end", total.Seconds())))
			})
		})
	}
}

func TestInterruptedProgressIsSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		count := 0
		progress := wait.NewProgress(wait.System, func() string { return "running" }, func(string) { count++ })
		time.AfterFunc(35*time.Second, cancel)
		began := time.Now()
		err := progress.Sleep(ctx, wait.System, time.Hour)
		check.True(
			t,
			"the end, its time and its lines",
			errors.Is(err, context.Canceled) && time.Since(began) == 35*time.Second && count == 1,
			err,
			time.Since(began),
			count,
		)
	})
}

func TestPollShowsItsProgress(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		look := 0
		var lines []string
		status := func() string { return fmt.Sprintf("look %d", look) }
		progress := wait.NewProgress(wait.System, status, func(line string) {
			lines = append(lines, fmt.Sprintf("%v: %s", time.Since(began).Seconds(), line))
		})
		schedule := wait.Schedule{First: 10 * time.Second, Min: 40 * time.Second, Max: 40 * time.Second}
		err := wait.Poll(t.Context(), wait.System, schedule.Next, progress, func(context.Context) (bool, error) {
			look++
			return look == 5, nil
		})
		want := []string{"10: look 2", "20: look 3", "40: look 4", "70: look 4 (after 1m10s)"}
		check.NoError(t, err)
		check.Equal(t, "lines", lines, want)
		check.Equal(t, "looked for", time.Since(began), 80*time.Second)
	})
}

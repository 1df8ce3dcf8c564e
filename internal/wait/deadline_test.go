package wait_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestADeadlineCancelsNothing(t *testing.T) {
	t.Parallel()
	if _, ok := wait.Deadline(t.Context()); ok {
		t.Error("a deadline that nobody set")
	}
	ctx := wait.WithTimeout(t.Context(), wait.System, -time.Hour, "")
	if deadline, ok := wait.Deadline(ctx); !ok || !deadline.Before(time.Now()) || ctx.Err() != nil {
		t.Errorf("%s, %t, %v", deadline, ok, ctx.Err())
	}
}

func TestTheCloserBoundHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for bound, want := range map[time.Duration]time.Duration{0: time.Minute, 30 * time.Second: 30 * time.Second, time.Hour: time.Minute} {
			ctx, now := t.Context(), time.Now()
			if bound > 0 {
				ctx = wait.WithTimeout(ctx, wait.System, bound, "")
			}
			if deadline, _ := wait.Deadline(wait.Within(ctx, wait.System, time.Minute)); deadline.Sub(now) != want {
				t.Errorf("with the bound %s it is %s, want %s", bound, deadline.Sub(now), want)
			}
		}
	})
}

// The last poll of a wait comes when the time is up; nothing comes later.
// Fault F24.
func TestABoundEndsWithTheDeadline(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ left, takes time.Duration }{
		"time left":      {time.Minute, time.Minute},
		"little left":    {time.Second, wait.Grace},
		"a last poll":    {-time.Millisecond, wait.Grace},
		"after the last": {-wait.Grace, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				begun := time.Now()
				bounded, end := wait.Bound(wait.WithTimeout(t.Context(), wait.System, test.left, "timeouts.delete"), wait.System)
				defer end()
				<-bounded.Done()
				timeout, is := errors.AsType[*wait.TimeoutError](wait.Ended(bounded))
				if took := time.Since(begun); took != test.takes || !is || timeout.Setting != "timeouts.delete" {
					t.Errorf("%v after %s", wait.Ended(bounded), took)
				}
			})
		})
	}
}

func TestABoundWithoutADeadlineEndsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	bounded, end := wait.Bound(ctx, wait.System)
	if end(); bounded.Err() != nil {
		t.Error("it has ended")
	}
	cancel()
	if _, is := errors.AsType[*wait.CanceledError](wait.Ended(bounded)); !is {
		t.Errorf("an interruption is %v", wait.Ended(bounded))
	}
}

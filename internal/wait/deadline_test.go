package wait_test

import (
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
	past := time.Unix(0, 0)
	ctx := wait.WithDeadline(t.Context(), past)
	if deadline, ok := wait.Deadline(ctx); !ok || !deadline.Equal(past) || ctx.Err() != nil {
		t.Errorf("%s, %t, %v", deadline, ok, ctx.Err())
	}
	if _, ok := wait.Deadline(wait.WithDeadline(ctx, time.Time{})); ok {
		t.Error("the zero time does not lift the bound")
	}
}

func TestTheCloserBoundHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for bound, want := range map[time.Duration]time.Duration{0: time.Minute, 30 * time.Second: 30 * time.Second, time.Hour: time.Minute} {
			ctx, now := t.Context(), time.Now()
			if bound > 0 {
				ctx = wait.WithDeadline(ctx, now.Add(bound))
			}
			if deadline, _ := wait.Deadline(wait.Within(ctx, wait.System, time.Minute)); deadline.Sub(now) != want {
				t.Errorf("with the bound %s it is %s, want %s", bound, deadline.Sub(now), want)
			}
		}
	})
}

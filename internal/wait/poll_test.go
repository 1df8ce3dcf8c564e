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

// looks polls until done says so, and tells after how many seconds it looked.
func looks(ctx context.Context, done func(look int) (bool, error)) (seconds []float64, err error) {
	began := time.Now()
	schedule := wait.Schedule{First: 4 * time.Second, Min: 10 * time.Second, Max: 10 * time.Second}
	err = wait.Poll(ctx, wait.System, schedule.Next, nil, func(context.Context) (bool, error) {
		seconds = append(seconds, time.Since(began).Seconds())
		return done(len(seconds))
	})
	return seconds, err
}

func TestPollLooksAtOnceAndThenEverMoreSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		seconds, err := looks(t.Context(), func(look int) (bool, error) { return look == 6, nil })
		check.NoError(t, err)
		check.Equal(t, "looks after", seconds, []float64{0, 4, 8, 16, 26, 36})
	})
}

func TestPollLooksOnceMoreWhenTheTimeIsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := wait.WithTimeout(t.Context(), wait.System, 12*time.Second, "")
		seconds, err := looks(ctx, func(int) (bool, error) { return false, nil })
		check.True(t, "it ends in time", wait.IsTimeout(err), err)
		check.Equal(t, "looks after", seconds, []float64{0, 4, 8, 12})
	})
}

func TestPollIsCancelledWhileItSleeps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(5*time.Second, cancel)
		began := time.Now()
		_, err := looks(ctx, func(int) (bool, error) { return false, nil })
		var canceled *wait.CanceledError
		check.True(
			t,
			"the end, and when",
			errors.As(err, &canceled) && time.Since(began) == 5*time.Second,
			time.Since(began),
			err,
		)
	})
}

func TestPollEndsWithTheErrorOfTheLook(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	_, err := looks(t.Context(), func(int) (bool, error) { return false, broken })
	check.True(t, "the end", errors.Is(err, broken), err)
}

// A look that fails because of Ctrl-C is an interruption, not a failed read.
func TestPollTellsAnInterruptedLookFromAFailedOne(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := looks(ctx, func(int) (bool, error) {
		cancel()
		return false, errors.New("connection closed")
	})
	check.True(t, "interrupted", wait.IsCanceled(err), err)
}

// Work that is over by then would hide the interruption.
func TestPollLooksAtNothingAfterAnInterruption(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seconds, err := looks(ctx, func(int) (bool, error) { return true, nil })
	check.True(t, "interrupted before a look", wait.IsCanceled(err) && len(seconds) == 0, len(seconds), err)
}

func TestPollGoesOnAfterALookThatTellsNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		unproven := fmt.Errorf("a gateway answered: %w", wait.ErrInconclusive)
		seconds, err := looks(t.Context(), func(look int) (bool, error) {
			if look == 3 {
				return true, nil
			}
			return false, unproven
		})
		check.True(t, "how often it looked", err == nil && len(seconds) == 3, len(seconds), err)
		_, err = looks(
			wait.WithTimeout(t.Context(), wait.System, time.Minute, ""),
			func(int) (bool, error) { return false, unproven },
		)
		timeout, is := errors.AsType[*wait.TimeoutError](err)
		check.True(t, "it says what the last look met", is && errors.Is(timeout, unproven), err)
	})
}

func TestPollMarksItsContext(t *testing.T) {
	t.Parallel()
	check.True(t, "it is not marked before", !wait.IsPolling(t.Context()))
	err := wait.Poll(
		t.Context(),
		wait.System,
		every(time.Second),
		nil,
		func(ctx context.Context) (bool, error) { return wait.IsPolling(ctx), nil },
	)
	check.NoError(t, err)
}

func TestADeadlineCancelsNothing(t *testing.T) {
	t.Parallel()
	_, ok := wait.Deadline(t.Context())
	check.True(t, "no deadline that nobody set", !ok)
	ctx := wait.WithTimeout(t.Context(), wait.System, -time.Hour, "")
	deadline, ok := wait.Deadline(ctx)
	check.True(t, "the deadline", ok && deadline.Before(time.Now()) && ctx.Err() == nil, deadline, ok, ctx.Err())
}

func TestTheCloserBoundHolds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for bound, want := range map[time.Duration]time.Duration{
			0:                time.Minute,
			30 * time.Second: 30 * time.Second,
			time.Hour:        time.Minute,
		} {
			ctx := t.Context()
			now := time.Now()
			if bound > 0 {
				ctx = wait.WithTimeout(ctx, wait.System, bound, "")
			}
			deadline, _ := wait.Deadline(wait.Within(ctx, wait.System, time.Minute))
			check.Equal(t, fmt.Sprint("with the bound ", bound), deadline.Sub(now), want)
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
				bounded, end := wait.Bound(
					wait.WithTimeout(t.Context(), wait.System, test.left, "timeouts.delete"),
					wait.System,
				)
				defer end()
				<-bounded.Done()
				timeout, is := errors.AsType[*wait.TimeoutError](wait.Ended(bounded))
				check.True(
					t,
					"the end, and when",
					time.Since(begun) == test.takes && is && timeout.Setting == "timeouts.delete",
					wait.Ended(bounded),
					time.Since(begun),
				)
			})
		})
	}
}

func TestABoundWithoutADeadlineEndsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	bounded, end := wait.Bound(ctx, wait.System)
	end()
	check.NoError(t, bounded.Err())
	cancel()
	check.True(t, "an interruption", wait.IsCanceled(wait.Ended(bounded)), wait.Ended(bounded))
}

package wait_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// looks polls until done says so, and tells after how many seconds it looked.
func looks(ctx context.Context, done func(look int) (bool, error)) (seconds []float64, err error) {
	began := time.Now()
	schedule := wait.Schedule{First: 4 * time.Second, Shortest: 10 * time.Second, Longest: 10 * time.Second}
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
		if want := []float64{0, 4, 8, 16, 26, 36}; err != nil || !slices.Equal(seconds, want) {
			t.Errorf("looked after %v seconds (%v), want %v", seconds, err, want)
		}
	})
}

func TestPollLooksOnceMoreWhenTheTimeIsUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx := wait.WithTimeout(t.Context(), wait.System, 12*time.Second, "")
		seconds, err := looks(ctx, func(int) (bool, error) { return false, nil })
		var timeout *wait.TimeoutError
		if want := []float64{0, 4, 8, 12}; !errors.As(err, &timeout) || !slices.Equal(seconds, want) {
			t.Errorf("looked after %v seconds, want %v; %v", seconds, want, err)
		}
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
		check.True(t, "the end, and when", errors.As(err, &canceled) && time.Since(began) == 5*time.Second, time.Since(began), err)
	})
}

func TestPollEndsWithTheErrorOfTheLook(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	if _, err := looks(t.Context(), func(int) (bool, error) { return false, broken }); !errors.Is(err, broken) {
		t.Errorf("ended with %v", err)
	}
}

// A look that fails because of Ctrl-C is an interruption, not a failed read.
func TestPollTellsAnInterruptedLookFromAFailedOne(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	_, err := looks(ctx, func(int) (bool, error) {
		cancel()
		return false, errors.New("connection closed")
	})
	if _, canceled := errors.AsType[*wait.CanceledError](err); !canceled {
		t.Errorf("ended with %v", err)
	}
}

// Work that is over by then would hide the interruption.
func TestPollLooksAtNothingAfterAnInterruption(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seconds, err := looks(ctx, func(int) (bool, error) { return true, nil })
	if _, canceled := errors.AsType[*wait.CanceledError](err); !canceled || len(seconds) > 0 {
		t.Errorf("looked %d times, ended with %v", len(seconds), err)
	}
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
		_, err = looks(wait.WithTimeout(t.Context(), wait.System, time.Minute, ""), func(int) (bool, error) { return false, unproven })
		if timeout, is := errors.AsType[*wait.TimeoutError](err); !is || !errors.Is(timeout, unproven) {
			t.Errorf("ended with %v, which does not say what the last look met", err)
		}
	})
}

func TestPollMarksItsContext(t *testing.T) {
	t.Parallel()
	check.True(t, "it is not marked before", !wait.IsPolling(t.Context()))
	err := wait.Poll(t.Context(), wait.System, every(time.Second), nil, func(ctx context.Context) (bool, error) { return wait.IsPolling(ctx), nil })
	check.NoError(t, err)
}

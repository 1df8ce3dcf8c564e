package api_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestNoMinuteSeesMoreRequestsThanTheLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 2, 7, 10, 60, 600} {
		clock := newClock()
		gate := api.NewGate(clock, limit)
		var passed []time.Time
		for n := range int(4*limit + 10) {
			if err := gate.Pass(t.Context()); err != nil {
				t.Fatal(err)
			}
			if n%17 == 3 { // Pauses fill the bucket again.
				_ = clock.Sleep(t.Context(), 11*time.Second)
			}
			passed = append(passed, clock.Now())
			// The pause above belongs before the request that it delays.
			if n%17 == 3 {
				passed[n] = passed[n].Add(-11 * time.Second)
			}
		}
		for i := range passed {
			count := int64(0)
			for _, at := range passed[i:] {
				if at.Sub(passed[i]) < time.Minute {
					count++
				}
			}
			if count > limit {
				t.Fatalf("limit %d: %d requests within a minute", limit, count)
			}
		}
		if took := clock.Slept(); took < 2*time.Minute {
			t.Errorf("limit %d: %d requests within %s", limit, len(passed), took)
		}
	}
}

func TestTheLimitHoldsForAllGoroutinesAndStarvesNone(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t, func(c *api.Config) { c.MaxRequestsPerMinute = 60 })
	begun := s.clock.Now()
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			for range 4 {
				if _, err := client.Generation(t.Context(), "g1"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if took := s.clock.Now().Sub(begun); len(s.Requests()) != 200 || took < 2*time.Minute {
		t.Errorf("%d requests within %s", len(s.Requests()), took)
	}
	if s.Exchanges() != 1 {
		t.Errorf("%d exchanges", s.Exchanges())
	}
}

func TestTheGateGivesUpBeforeItsDeadline(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	client := s.client(t, func(c *api.Config) { c.MaxRequestsPerMinute = 1 })
	if _, err := client.Generation(t.Context(), "g1"); err != nil {
		t.Fatal(err)
	}
	before := s.clock.Now()
	_, err := client.Generation(wait.WithDeadline(t.Context(), before.Add(30*time.Second)), "g1")
	if !api.IsTimeout(err) || s.clock.Now() != before || len(s.Requests()) != 1 {
		t.Errorf("%v at %s", err, s.clock.Now())
	}
	// The place in the queue was given back.
	if _, err := client.Generation(wait.WithDeadline(t.Context(), before.Add(61*time.Second)), "g1"); err != nil {
		t.Errorf("the next request: %v", err)
	}
}

// cooling is a clock during whose first sleep the service asks for a minute.
type cooling struct {
	*clock
	once sync.Once
	cool func()
}

func (c *cooling) Sleep(ctx context.Context, d time.Duration) error {
	err := c.clock.Sleep(ctx, d)
	c.once.Do(c.cool)
	return err
}

func TestACooldownHoldsForThoseInTheQueue(t *testing.T) {
	t.Parallel()
	clock := &cooling{clock: newClock()}
	gate := api.NewGate(clock, 60)
	clock.cool = func() { gate.Cool(time.Minute) }
	for range 3 { // the burst
		_ = gate.Pass(t.Context())
	}
	if err := gate.Pass(t.Context()); err != nil || clock.Slept() < time.Minute {
		t.Errorf("%v after %s", err, clock.Slept())
	}
}

func TestNothingIsSentOnceTheCallerIsGone(t *testing.T) {
	t.Parallel()
	s := newService(t, always(200, good))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for operation, send := range operations {
		err := send(ctx, s.client(t))
		if !api.IsCanceled(err) || api.IsOutcomeUnknown(err) || api.IsTimeout(err) {
			t.Errorf("%s: %v", operation, err)
		}
	}
	if len(s.Requests()) != 0 || s.Exchanges() != 0 {
		t.Errorf("%d requests, %d exchanges", len(s.Requests()), s.Exchanges())
	}
}

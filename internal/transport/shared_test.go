package transport_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var errDown = &transport.Error{Operation: "GET /x", Status: 503, Outage: &transport.Outage{}}

// TestWhoseFailureItIs is which failures of a shared read are those of others:
// of one who waits for it, of one who comes nine seconds later, and of one who
// comes eleven seconds later.
// Fault F18.
func TestWhoseFailureItIs(t *testing.T) {
	t.Parallel()
	same := func(ctx context.Context) context.Context { return ctx }
	for name, test := range map[string]struct {
		first, other func(context.Context) context.Context
		fails        error
		joins, soon  bool
	}{
		"no answer":                          {same, same, errDown, true, true},
		"no token":                           {same, same, &transport.Error{Err: errDown, Outage: errDown.Outage}, true, true},
		"an answer about the object":         {same, same, &transport.Error{Status: 404}, true, false},
		"the first one's time is up":         {same, same, &wait.TimeoutError{}, false, false},
		"sent once, for one who would retry": {transport.OneAttempt, same, errDown, false, false},
		"sent once, for one who sends once":  {transport.OneAttempt, transport.OneAttempt, errDown, true, false},
		"retried, for one who sends once":    {same, transport.OneAttempt, errDown, true, true},
		"retried, for a poll":                {same, wait.WithPolling, errDown, false, false},
		"of a poll, for another":             {wait.WithPolling, wait.WithPolling, errDown, true, false},
		"of a poll, for others":              {wait.WithPolling, same, errDown, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for after, shares := range map[time.Duration]bool{time.Second / 2: test.joins, 10 * time.Second: test.soon, 12 * time.Second: false} {
				synctest.Test(t, func(t *testing.T) {
					shared := transport.NewShared[int](wait.System)
					go func() {
						if _, began, err := shared.Do(test.first(t.Context()), func(context.Context) (int, error) {
							time.Sleep(time.Second)
							return 0, test.fails
						}); !began || !errors.Is(err, test.fails) {
							t.Errorf("the first: %t, %v", began, err)
						}
					}()
					time.Sleep(after)
					value, began, err := shared.Do(test.other(t.Context()), func(context.Context) (int, error) { return 2, nil })
					if shared := errors.Is(err, test.fails) && !began; shared != shares || !shares && (value != 2 || err != nil) {
						t.Errorf("after %s: %d, %v; it began a read: %t", after, value, err, began)
					}
				})
			}
		})
	}
}

// Who has little time does not wait for the hanging read of one who has more.
// Fault F24.
func TestASharedReadHoldsNobodyBeyondTheTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		shared, hang := transport.NewShared[int](wait.System), func(ctx context.Context) (int, error) {
			<-ctx.Done()
			return 0, wait.Ended(ctx)
		}
		patient, leave := context.WithCancel(t.Context())
		go func() { _, _, _ = shared.Do(patient, hang) }()
		synctest.Wait()
		begun := time.Now()
		_, began, err := shared.Do(wait.WithTimeout(t.Context(), wait.System, 5*time.Second, "timeouts.delete"), hang)
		if took := time.Since(begun); took != 5*time.Second || began || !transport.IsTimeout(err) {
			t.Errorf("%v after %s; it began a read: %t", err, took, began)
		}
		leave()
	})
}

package transport_test

import (
	"context"
	"errors"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

var errDown = &reply.Error{
	Sent:   reply.Request{Operation: "GET /x"},
	Said:   reply.Answer{Status: 503},
	Proves: reply.Proof{Unanswered: true},
}

// TestWhoseFailureItIs is which failures of a shared read are those of others:
// of one who waits for it, of one who comes nine seconds later, and of one who
// comes eleven seconds later. Fault F18.
func TestWhoseFailureItIs(t *testing.T) {
	t.Parallel()
	same := func(ctx context.Context) context.Context { return ctx }
	for name, test := range map[string]struct {
		first, other func(context.Context) context.Context
		fails        error
		joins, soon  bool
	}{
		"no answer": {same, same, errDown, true, true},
		"no token": {
			same,
			same,
			&reply.Error{Proves: reply.Proof{Unanswered: true}, Err: errDown},
			true,
			true,
		},
		"an answer about the object":         {same, same, &reply.Error{Said: reply.Answer{Status: 404}}, true, false},
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
			for after, shares := range map[time.Duration]bool{
				time.Second / 2:  test.joins,
				10 * time.Second: test.soon,
				12 * time.Second: false,
			} {
				synctest.Test(t, func(t *testing.T) {
					begun := false
					cache := transport.NewCache(clientOf(wait.System), func(context.Context, string) (int, error) {
						if begun {
							return 2, nil
						}
						begun = true
						time.Sleep(time.Second)
						return 0, test.fails
					})
					go func() {
						_, err := cache.Get(test.first(t.Context()), "x")
						check.True(t, "the first", errors.Is(err, test.fails), err)
					}()
					time.Sleep(after)
					value, err := cache.Get(test.other(t.Context()), "x")
					check.True(
						t,
						"who shares it",
						errors.Is(err, test.fails) == shares && (shares || value == 2 && err == nil),
						after,
						value,
						err,
					)
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
		cache := transport.NewCache(clientOf(wait.System), func(ctx context.Context, _ string) (int, error) {
			<-ctx.Done()
			return 0, wait.Ended(ctx)
		})
		patient, leave := context.WithCancel(t.Context())
		go func() { _, _ = cache.Get(patient, "x") }()
		synctest.Wait()
		begun := time.Now()
		_, err := cache.Get(wait.WithTimeout(t.Context(), wait.System, 5*time.Second, "timeouts.delete"), "x")
		check.True(
			t,
			"the end, and when",
			time.Since(begun) == 5*time.Second && wait.IsTimeout(err),
			err,
			time.Since(begun),
		)
		leave()
	})
}

// counts is a cache whose reads take that long, and return their number. The
// first ends with err.
func counts(reads *atomic.Int64, take time.Duration, err error) *transport.Cache[string, int64] {
	return transport.NewCache(clientOf(wait.System), func(ctx context.Context, _ string) (int64, error) {
		read := reads.Add(1)
		if err := wait.System.Sleep(ctx, take); err != nil {
			return 0, err
		}
		if read == 1 {
			return read, err
		}
		return read, nil
	})
}

// What was found is kept until it is forgotten; a failure is not.
func TestAReadIsOneForAllWhoWantIt(t *testing.T) {
	t.Parallel()
	for _, fails := range []error{nil, errors.New("broken")} {
		synctest.Test(t, func(t *testing.T) {
			var reads atomic.Int64
			cache := counts(&reads, time.Second, fails)
			check.Times(10, func(i int) {
				time.Sleep(time.Duration(i) * time.Millisecond)
				value, err := cache.Get(t.Context(), "x")
				check.True(t, "the read", errors.Is(err, fails) && value == 1, value, err)
			})
			want := int64(1)
			if fails != nil {
				want++
			}
			value, _ := cache.Get(t.Context(), "x")
			check.Equal(t, "a later read", value, want)
			value, _ = cache.Get(t.Context(), "y")
			check.Equal(t, "a read of something else", value, want+1)
			cache.Refresh("x")
			value, _ = cache.Get(t.Context(), "x")
			check.Equal(t, "after it was forgotten", value, want+2)
		})
	}
}

// A read that began before the other wanted it afresh is none for the other.
func TestWhatIsReadAfresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int64
		cache := counts(&reads, time.Second, nil)
		get := func(ctx context.Context, want int64) {
			t.Helper()
			value, err := cache.Get(ctx, "x")
			check.True(t, "the read", value == want && err == nil, value, err, want)
		}
		afresh := transport.Afresh(t.Context())
		var group sync.WaitGroup
		group.Go(func() { get(t.Context(), 1) })
		synctest.Wait()
		group.Go(func() { get(t.Context(), 2) }) // it is overtaken
		synctest.Wait()
		group.Go(func() { get(afresh, 2) })
		synctest.Wait()
		group.Go(func() { get(afresh, 2) })
		group.Wait()
		get(t.Context(), 2)
		get(afresh, 3)
		get(t.Context(), 3)
	})
}

func TestAReadOutlivesAllButItsLastCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		ended := make(chan error, 2)
		cache := transport.NewCache(clientOf(wait.System), func(ctx context.Context, _ string) (int, error) {
			reads++
			err := wait.System.Sleep(ctx, time.Minute)
			ended <- err
			return reads, err
		})
		var group sync.WaitGroup
		why := errors.New("Ctrl-C")
		begun := time.Now()
		for _, after := range []time.Duration{time.Second, 3 * time.Second} {
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(after, func() { cancel(why) })
			group.Go(func() {
				_, err := cache.Get(ctx, "x")
				check.True(
					t,
					"who left, and when",
					time.Since(begun) == after && wait.IsCanceled(err) && errors.Is(err, why),
					time.Since(begun),
					err,
				)
			})
		}
		group.Wait()
		err := <-ended
		check.True(
			t,
			"the end, and when",
			errors.Is(err, context.Canceled) && time.Since(begun) == 3*time.Second && reads == 1,
			err,
			time.Since(begun),
			reads,
		)
		value, err := cache.Get(t.Context(), "x")
		check.True(t, "the next", value == 2 && err == nil, value, err)
	})
}

// A read that is about to be cancelled is nobody else's.
func TestNobodyJoinsAReadWhoseCallersAreGone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int64
		cache := counts(&reads, time.Hour, nil)
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = cache.Get(ctx, "x") }()
		synctest.Wait()
		cancel()
		value, err := cache.Get(t.Context(), "x")
		check.True(t, "the read", value == 2 && err == nil, value, err)
	})
}

func clientOf(clock wait.Clock) *transport.Client {
	return transport.New(
		transport.Config{BaseURL: &url.URL{}, Credential: transport.Credential{AccessToken: "static"}, Clock: clock},
	)
}

func TestACacheIsReadAndForgottenAtOnce(t *testing.T) {
	t.Parallel()
	cache := transport.NewCache(clientOf(newClock()), func(context.Context, string) (int, error) { return 1, nil })
	check.AtOnce(func() { _, _ = cache.Get(t.Context(), "x") }, func() { cache.Refresh("x") }, cache.RefreshAll)
}

// What a poll finds, which outlasts an outage, ends that for all.
func TestAPollEndsAnOutage(t *testing.T) {
	t.Parallel()
	fails := errDown
	cache := transport.NewCache(clientOf(newClock()), func(context.Context, string) (int, error) {
		if fails != nil {
			return 0, fails
		}
		return 1, nil
	})
	_, _ = cache.Get(t.Context(), "x")
	fails = nil
	_, err := cache.Get(t.Context(), "x")
	check.True(t, "the outage is for all", errors.Is(err, errDown), err)
	for _, ctx := range []context.Context{wait.WithPolling(t.Context()), t.Context()} {
		value, err := cache.Get(ctx, "x")
		check.True(t, "the read", err == nil && value == 1, value, err)
	}
}

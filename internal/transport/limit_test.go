package transport_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func TestNoMinuteSeesMoreRequestsThanTheLimit(t *testing.T) {
	t.Parallel()
	for _, limit := range []int64{1, 2, 7, 10, 60, 600} {
		clock := newClock()
		limiter := transport.NewLimiter(clock, limit)
		var passed []time.Time
		for n := range int(4*limit + 10) {
			check.Must(t, limiter.Pass(t.Context()))
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
		check.True(t, "requests in their time", clock.Slept() >= 2*time.Minute, limit, len(passed), clock.Slept())
	}
}

// cooling is a clock during whose first sleep the service asks for a minute.
type cooling struct {
	*waittest.Clock
	once sync.Once
	cool func()
}

func (c *cooling) Sleep(ctx context.Context, d time.Duration) error {
	err := c.Clock.Sleep(ctx, d)
	c.once.Do(c.cool)
	return err
}

func TestABackoffHoldsForThoseInTheQueue(t *testing.T) {
	t.Parallel()
	clock := &cooling{Clock: newClock()}
	limiter := transport.NewLimiter(clock, 60)
	clock.cool = func() { limiter.BackOff(time.Minute) }
	for range 3 { // the burst
		_ = limiter.Pass(t.Context())
	}
	err := limiter.Pass(t.Context())
	check.True(t, "it waits for the minute", err == nil && clock.Slept() >= time.Minute, err, clock.Slept())
}

// From a whole minute alone; it is doubled after each without a refusal.
// Fault F10.
func TestTheRateIsLearnedFromRefusals(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter := transport.NewLimiter(clock, 0)
	second := func(int) time.Duration { return time.Second }
	spaces := func() time.Duration { return spaces(t, clock, limiter) }
	check.Equal(t, "pause, without a limit", spaces(), 0)
	limiter.Refused(0, second)
	check.Equal(t, "pause, after the first refusal", spaces(), time.Second)
	_ = clock.Sleep(t.Context(), time.Minute)
	for range 6 {
		_ = clock.Sleep(t.Context(), 5*time.Second)
		limiter.Answered()
	}
	limiter.Refused(0, second)
	got := spaces()
	check.True(t, "pause, after 6 requests within a minute", got >= 10*time.Second && got <= 11*time.Second, got)
	_ = clock.Sleep(t.Context(), time.Minute)
	limiter.Answered()
	check.Equal(t, "pause, after a minute without a refusal", spaces(), 5*time.Second)
	for range 12 {
		_ = clock.Sleep(t.Context(), 2*time.Minute)
		limiter.Answered()
	}
	check.Equal(t, "pause, a long time later", spaces(), 0)
}

// Few answers since the start are no limit, even if the refusals lasted long
// enough for one. Fault F10.
func TestNoRateIsLearnedFromPartOfAMinute(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter := transport.NewLimiter(clock, 0)
	second := func(int) time.Duration { return time.Second }
	limiter.Refused(0, second)
	_ = clock.Sleep(t.Context(), 11*time.Second)
	limiter.Answered()
	limiter.Refused(0, second)
	begun := clock.Now()
	for range 5 {
		check.Must(t, limiter.Pass(t.Context()))
	}
	check.True(t, "five requests after the refusals", clock.Now().Sub(begun) <= 6*time.Second, clock.Now().Sub(begun))
}

func spaces(t *testing.T, clock *waittest.Clock, limiter *transport.Limiter) time.Duration {
	t.Helper()
	var gaps [4]time.Duration
	for i := range gaps {
		before := clock.Now()
		check.Must(t, limiter.Pass(t.Context()))
		gaps[i] = clock.Now().Sub(before)
	}
	return gaps[len(gaps)-1].Round(time.Second)
}

// A run is not held to the single answer of its first minute, and goes on once
// others have ended. Fault F10.
func TestTheRateRecoversBesideOtherRuns(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter := transport.NewLimiter(clock, 0)
	second := func(int) time.Duration { return time.Second }
	_ = clock.Sleep(t.Context(), 5*time.Second)
	limiter.Refused(0, second)
	_ = clock.Sleep(t.Context(), 57*time.Second)
	limiter.Answered()
	limiter.Refused(0, second)
	for _, step := range []struct{ quiet, spaces time.Duration }{
		{0, 15 * time.Second}, {time.Minute, 8 * time.Second}, {30 * time.Second, 4 * time.Second},
		{30 * time.Second, 2 * time.Second},
	} {
		if step.quiet > 0 {
			_ = clock.Sleep(t.Context(), step.quiet)
			limiter.Answered()
		}
		check.Equal(t, fmt.Sprint("pause ", step.quiet, " later"), spaces(t, clock, limiter), step.spaces)
	}
}

// What was under way then tells nothing new: ten refused at once are not the
// tenth in a row. Fault F3.
func TestABurstOfRefusalsIsOne(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter := transport.NewLimiter(clock, 0)
	var repetitions []int
	backoff := func(repetition int) time.Duration {
		repetitions = append(repetitions, repetition)
		return 10 * time.Second
	}
	for want := range 3 {
		for range 10 {
			limiter.Refused(0, backoff)
		}
		check.True(
			t,
			"repetitions after a burst",
			len(repetitions) == want+1 && repetitions[want] == want,
			want,
			repetitions,
		)
		_ = clock.Sleep(t.Context(), 10*time.Second)
	}
}

// After a refusal one request a second goes ahead, until one that was sent
// since is answered. Fault F18.
func TestOneRequestFindsOutWhetherRefusalsAreOver(t *testing.T) {
	t.Parallel()
	clock := newClock()
	limiter := transport.NewLimiter(clock, 0)
	begun := clock.Now()
	passes := func(want time.Duration) {
		t.Helper()
		check.Must(t, limiter.Pass(t.Context()))
		check.Equal(t, "passed after", clock.Now().Sub(begun), want)
	}
	limiter.Refused(3*time.Second, transport.Backoff)
	limiter.Refused(4*time.Second, transport.Backoff) // sent before, as the next two
	limiter.Refused(0, transport.Backoff)
	limiter.Answered()
	passes(4 * time.Second)
	passes(5 * time.Second)
	limiter.Answered()
	passes(5 * time.Second)
	passes(5250 * time.Millisecond)
}

func TestALimitIsUsedAndLearnedAtOnce(t *testing.T) {
	t.Parallel()
	limiter := transport.NewLimiter(newClock(), 0)
	briefly := func(int) time.Duration { return time.Millisecond }
	check.AtOnce(
		func() { _ = limiter.Pass(t.Context()) },
		func() { limiter.Refused(0, briefly) }, limiter.Answered, func() { limiter.BackOff(time.Millisecond) },
	)
}

// While the service answers 429 alone, the pauses grow.
func TestRefusalsInARow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		client := answering(
			t,
			transport.Config{Credential: transport.Credential{AccessToken: "static"}},
			func(r *http.Request) *http.Response {
				requests++
				return response(r, http.StatusTooManyRequests, "")
			},
		)
		_, err := client.Do(wait.WithTimeout(t.Context(), wait.System, 3*time.Minute, ""), transport.Get("/x"))
		check.True(
			t,
			"requests in three minutes",
			reply.Status(err) == http.StatusTooManyRequests && requests <= 15,
			requests,
			err,
		)
	})
}

// A token that has expired while its request stood in the queue is not sent.
func TestATokenExpiresInTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var issued string
		client := answering(
			t,
			transport.Config{Credential: transport.Credential{APIKey: "key-0123456789"}, MaxRequestsPerMinute: 1},
			func(r *http.Request) *http.Response {
				if r.Method == http.MethodPost {
					issued = check.JWT(t, map[string]any{"exp": time.Now().Add(80 * time.Second).Unix()})
					return response(r, http.StatusOK, `{"accessToken":"`+issued+`"}`)
				}
				check.Equal(t, "the token that is sent", r.Header.Get("Authorization"), "Bearer "+issued)
				return response(r, http.StatusOK, `{"id":1}`)
			},
		)
		for range 3 {
			former := issued
			_, err := client.Do(t.Context(), transport.Get("/x"))
			check.True(t, "the token is renewed", err == nil && issued != former, err)
		}
	})
}

// Fault F3.
func TestRetryAfterIsReadInAllItsForms(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"":                                0,
		"7":                               7 * time.Second,
		" 7 ":                             7 * time.Second,
		"1.5":                             0,
		"0":                               0,
		"-5":                              0,
		"61":                              time.Minute,
		"99999999999999999999999":         time.Minute,
		strings.Repeat("9", 400):          time.Minute,
		"soon":                            0,
		"NaN":                             0,
		"Inf":                             0,
		".":                               0,
		"Tue, 01 Jan 2030 00:00:30 GMT":   30 * time.Second,
		"Tue, 01 Jan 2030 05:00:00 GMT":   time.Minute,
		"Mon, 31 Dec 2029 23:59:30 GMT":   0,
		"Tuesday, 01-Jan-30 00:00:30 GMT": 30 * time.Second,
	} {
		check.Equal(t, value, transport.RetryAfter(value, now), want)
	}
}

func TestBackoffGrowsToItsCap(t *testing.T) {
	t.Parallel()
	for repetition, seconds := range []float64{1, 2, 4, 8, 16, 30, 30} {
		got := transport.Backoff(repetition)
		check.True(t, "pause", got.Seconds() <= seconds && got.Seconds() >= seconds/2, repetition, got)
	}
	got := transport.Backoff(1 << 40)
	check.True(t, "after many", got <= 30*time.Second && got > 0, got)
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, seed := range []string{
		"7",
		"0",
		"-1",
		"1.5",
		"99999999999999999999",
		"Tue, 01 Jan 2030 00:00:30 GMT",
		"Inf",
		"0x10",
		"1e9",
		".",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := transport.RetryAfter(value, now)
		check.True(t, value, got >= 0 && got <= time.Minute, got)
	})
}

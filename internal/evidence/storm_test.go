package evidence_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

func informed(clock *waittest.Clock, at *[]time.Duration) func(*stub.Config) {
	begun := clock.Now()
	return func(c *stub.Config) {
		c.Inform = func(_ context.Context, line string) {
			if !strings.Contains(line, "429") {
				panic(line)
			}
			*at = append(*at, clock.Now().Sub(begun))
		}
	}
}

const stormEnds = "said so; no request has had another answer for five minutes, so it was given up (429 Too Many " +
	"Requests, code, GET "

// What changes nothing gives up a storm of five minutes, and tells of it at
// once and each minute. Those who come before the service accepts requests
// again send none. Fault F3.
func TestAReadGivesUpAStorm(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Status(429, "Retry-After", "20"))
	var told []time.Duration
	client := s.Client(t, informed(s.Clock, &told))
	_, err := client.Generations.Get(t.Context(), "g1")
	check.True(
		t,
		"the error",
		err != nil && err.Error() == stormEnds+"/generation/status/g1)" && reply.Status(err) == 429,
		err,
	)
	check.Equal(t, "requests", len(s.Requests()), 16) // every twenty seconds
	check.Equal(t, "slept", s.Clock.Slept(), 5*time.Minute)
	check.Equal(
		t,
		"told",
		told,
		[]time.Duration{0, time.Minute, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute, 5 * time.Minute},
	)

	for _, read := range []func() error{
		func() error { return check.ErrorOf(client.Generations.Get(t.Context(), "g2")) },
		func() error { return check.ErrorOf(client.Characters.CapabilitiesOnce(t.Context(), "ch_1")) },
	} {
		err := read()
		check.True(t, "the last answer is told", err != nil && strings.HasPrefix(err.Error(), stormEnds), err)
	}
	check.True(
		t,
		"nothing is sent or waited for",
		len(s.Requests()) == 16 && s.Clock.Slept() == 5*time.Minute,
		len(s.Requests()),
		s.Clock.Slept(),
	)

	s.Clock.Advance(20 * time.Second)
	_, err = client.Generations.Get(t.Context(), "g1")
	check.True(t, "later one request finds out", err != nil && len(s.Requests()) == 17, err, len(s.Requests()))
}

// Those that wait for their turn, far away at a low limit, give up with the
// others. Fault F3.
func TestReadsInTheQueueGiveUpAStorm(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		client := stub.InBubble(t, func(request *http.Request) (*http.Response, error) {
			return stub.JSON(request, 429, `{"error":"code","message":"said so"}`), nil
		}, func(c *stub.Config) { c.MaxRequestsPerMinute = 2 })
		check.Times(30, func(int) {
			err := check.ErrorOf(client.Generations.Get(t.Context(), "g1"))
			check.True(t, "the error", err != nil && strings.HasPrefix(err.Error(), stormEnds), err)
		})
		check.True(t, "it ends", time.Since(begun) < 7*time.Minute, time.Since(begun))
	})
}

// A change goes on, as long as it has time, and so does a poll.
// Fault F3.
func TestAChangeOutlastsAStorm(t *testing.T) {
	t.Parallel()
	for name, mark := range map[string]func(context.Context) context.Context{
		"change": transport.WithChange,
		"poll":   wait.WithPolling,
	} {
		for _, operation := range []string{"GET", "batch"} {
			s := stub.NewService(
				t,
				stub.Firsts(45, stub.Status(429, "Retry-After", "20"), stub.Always(200, good)),
			) // fifteen minutes
			check.NoError(t, operations[operation](mark(t.Context()), s.Client(t)))
			check.Equal(t, name+", "+operation+": requests", len(s.Requests()), 46)
		}
	}
}

// Another answer to any request of the process ends a storm, also a bad one.
// Fault F3.
func TestAnotherAnswerEndsAStorm(t *testing.T) {
	t.Parallel()
	for _, code := range []int{200, 403, 500} {
		each4Minutes := func(_ *http.Request, n int) bool { return n%13 == 0 }
		s := stub.NewService(t, stub.When(each4Minutes, stub.Always(code, good), stub.Status(429, "Retry-After", "20")))
		client := s.Client(t, func(c *stub.Config) { c.MaxRetries = 0 })
		for range 5 {
			_, err := client.Generations.Get(t.Context(), "g1")
			check.True(t, "another answer", reply.Status(err) != 429, code, err)
		}
	}
}

// The last answer is why an interrupted request has failed, also one that was
// about to be sent, and one that shares a read of another. Fault F3. Fault F7.
func TestAnInterruptedStormTellsTheLastAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var requests atomic.Int64
		client := stub.InBubble(t, func(request *http.Request) (*http.Response, error) {
			requests.Add(1)
			return stub.JSON(request, 429, `{"error":"code","message":"said so"}`), nil
		})
		ctx, interrupt := context.WithCancel(t.Context())
		failures := make(chan error, 40)
		for i := range 20 {
			go func() { failures <- check.ErrorOf(client.Generations.Get(ctx, string(rune('a'+i)))) }()
			go func() { failures <- check.ErrorOf(client.Characters.CapabilitiesOnce(ctx, "ch_1")) }()
		}
		time.Sleep(2 * time.Minute)
		before := requests.Load()
		interrupt()
		for range 40 {
			err := <-failures
			check.True(t, "the answer, and what ended the wait", wait.IsCanceled(err) && reply.Status(err) == 429 &&
				strings.HasPrefix(
					err.Error(),
					"said so; the operation was interrupted (429 Too Many Requests, code, GET ",
				), err)
		}
		check.Equal(t, "requests after it", requests.Load(), before)
	})
}

// A change that shares a read of a plan reads again when a storm ends that.
// Fault F3.
func TestAChangeDoesNotShareTheEndOfAPlan(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		client := stub.InBubble(t, func(request *http.Request) (*http.Response, error) {
			if time.Since(begun) < 8*time.Minute {
				return stub.JSON(request, 429, `{"error":"code","message":"said so"}`), nil
			}
			return stub.JSON(request, 200, good), nil
		})
		plan := make(chan error)
		go func() { plan <- check.ErrorOf(client.Characters.CapabilitiesOnce(t.Context(), "ch_1")) }()
		time.Sleep(time.Minute)
		err := check.ErrorOf(client.Characters.CapabilitiesOnce(transport.WithChange(t.Context()), "ch_1"))
		check.True(t, "the change", err == nil && time.Since(begun) >= 8*time.Minute, err, time.Since(begun))
		failure := <-plan
		check.True(t, "the plan", reply.Status(failure) == 429, failure)
	})
}

package evidence_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

func TestTheGateGivesUpBeforeItsDeadline(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	client := s.Client(t, func(c *stub.Config) { c.MaxRequestsPerMinute = 1 })
	check.Must(t, check.ErrorOf(client.Generations.Get(t.Context(), "g1")))
	before := s.Clock.Now()
	_, err := client.Generations.Get(wait.WithTimeout(t.Context(), s.Clock, 30*time.Second, ""), "g1")
	check.True(
		t,
		"the error, and when",
		wait.IsTimeout(err) && s.Clock.Now().Equal(before) && len(s.Requests()) == 1,
		err,
		s.Clock.Now(),
	)
	// The place in the queue was given back.
	check.NoError(
		t,
		check.ErrorOf(client.Generations.Get(wait.WithTimeout(t.Context(), s.Clock, 61*time.Second, ""), "g1")),
	)
}

func TestNothingIsSentOnceTheCallerIsGone(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, stub.Always(200, good))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for operation, send := range operations {
		err := send(ctx, s.Client(t))
		check.True(t, operation, wait.IsCanceled(err) && !reply.IsEffectUnknown(err) && !wait.IsTimeout(err), err)
	}
	check.Equal(t, "requests", len(s.Requests()), 0)
	check.Equal(t, "exchanges", s.Exchanges(), 0)
}

// serial is a service that answers one request at a time, and refuses others
// meanwhile.
type serial struct {
	busy            atomic.Bool
	served, refused atomic.Int32
}

func (s *serial) RoundTrip(request *http.Request) (*http.Response, error) {
	code := http.StatusTooManyRequests
	if s.busy.CompareAndSwap(false, true) {
		code = http.StatusOK
		s.served.Add(1)
		time.Sleep(300 * time.Millisecond)
		s.busy.Store(false)
	} else {
		s.refused.Add(1)
	}
	return stub.JSON(request, code, good), nil
}

// Such a service has no limit a minute, and must not be taken for one.
// Fault F10.
func TestAServiceOfOneRequestAtATimeIsNotSlowedDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := &serial{}
		took := crowded(t, service)
		t.Logf("it took %s, %d refused", took, service.refused.Load())
		check.True(
			t,
			"answered, refused",
			service.served.Load() == 200 && service.refused.Load() <= 20 && took <= 4*time.Minute,
			service.served.Load(),
			service.refused.Load(),
			took,
		)
	})
}

// hasty answers whoever asks after 150 ms, and refuses the requests of the
// given numbers.
type hasty struct {
	numbers    map[int32]bool
	retryAfter string
	seen       atomic.Int32
}

func (s *hasty) RoundTrip(request *http.Request) (*http.Response, error) {
	response := stub.JSON(request, http.StatusOK, good)
	refused := s.numbers[s.seen.Add(1)]
	time.Sleep(150 * time.Millisecond)
	if refused {
		response.StatusCode = http.StatusTooManyRequests
		if s.retryAfter != "" {
			response.Header.Set("Retry-After", s.retryAfter)
		}
	}
	return response, nil
}

// A fast run that is refused once or twice, wherever, goes on as before within
// seconds. Fault F18.
func TestAStrayRefusalCostsSeconds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		refused    []int32
		retryAfter string
		most       time.Duration
	}{
		"none":                     {nil, "", 3 * time.Second},
		"the 20th, Retry-After: 1": {[]int32{20}, "1", 8 * time.Second},
		"the 20th":                 {[]int32{20}, "", 8 * time.Second},
		"the first":                {[]int32{1}, "", 9 * time.Second},
		"the first ten":            {[]int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "1", 9 * time.Second},
		"two":                      {[]int32{20, 30}, "1", 20 * time.Second},
		"three":                    {[]int32{20, 80, 140}, "", 20 * time.Second},
		"the last":                 {[]int32{200}, "1", 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				service := &hasty{numbers: map[int32]bool{}, retryAfter: test.retryAfter}
				for _, number := range test.refused {
					service.numbers[number] = true
				}
				took := crowded(t, service)
				t.Logf("it took %s", took)
				sent := service.seen.Load()
				check.True(
					t,
					"200 requests",
					took <= test.most && sent == 200+int32(len(test.refused)),
					took,
					test.most,
					sent,
				)
			})
		})
	}
}

func crowded(t *testing.T, service http.RoundTripper) time.Duration {
	t.Helper()
	client := stub.InBubble(t, service.RoundTrip)
	begun := time.Now()
	check.Times(10, func(int) {
		for range 20 {
			check.NoError(t, check.ErrorOf(client.Generations.Get(t.Context(), "g1")))
		}
	})
	return time.Since(begun)
}

package transport_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait/waittest"
)

var busyStatuses = []int{http.StatusConflict, http.StatusLocked, http.StatusTooEarly}

// sleeper is a clock that says when somebody sleeps.
type sleeper struct {
	*waittest.Clock
	onSleep func()
}

func (s *sleeper) Sleep(ctx context.Context, d time.Duration) error {
	if s.onSleep != nil {
		s.onSleep()
	}
	return s.Clock.Sleep(ctx, d)
}

// busyService answers so many requests with a status, and counts all.
type busyService struct {
	*transport.Client
	clock    *sleeper
	requests int
}

func newBusyService(t *testing.T, status, times int) *busyService {
	t.Helper()
	s := &busyService{clock: &sleeper{Clock: newClock()}}
	config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: s.clock}
	s.Client = answering(t, config, func(r *http.Request) *http.Response {
		s.requests++
		if s.requests <= times {
			return response(
				r,
				status,
				fmt.Sprintf(`{"error":"busy","message":"a training runs, says answer %d"}`, s.requests),
			)
		}
		return response(r, http.StatusOK, `{"success":true}`)
	})
	return s
}

// What buys nothing waits for an object that is busy, at the pace of a wait.
// Fault F37.
func TestBusy_passes(t *testing.T) {
	t.Parallel()
	for _, status := range busyStatuses {
		for name, request := range map[string]*transport.Request{
			"PUT":    transport.Put("/x"),
			"DELETE": transport.Delete("/x"),
		} {
			s := newBusyService(t, status, 5)
			begun := s.clock.Now()
			_, err := s.Do(wait.WithTimeout(t.Context(), s.clock, 10*time.Minute, "timeouts.delete"), request)
			check.Must(t, err)
			took := s.clock.Now().Sub(begun)
			check.Equal(t, name+" is sent until it succeeds", s.requests, 6)
			check.True(t, name+" is sent ever less often", 20*time.Second < took && took < 2*time.Minute, status, took)
		}
	}
}

// The last attempt is made when the time is up, and is what the error quotes.
// Fault F37.
func TestBusy_forGood(t *testing.T) {
	t.Parallel()
	s := newBusyService(t, http.StatusConflict, 1000)
	begun := s.clock.Now()
	_, err := s.Do(wait.WithTimeout(t.Context(), s.clock, 10*time.Minute, "timeouts.delete"), transport.Delete("/x"))
	check.Equal(t, "the time", s.clock.Now().Sub(begun), 10*time.Minute)
	check.True(t, "requests", s.requests > 15 && s.requests < 40, s.requests)
	last := fmt.Sprintf("a training runs, says answer %d", s.requests)
	check.Contains(t, "the error", err.Error(), last, "time ran out", "(timeouts.delete sets the time)", "409 Conflict")
	check.Equal(t, "the effect", reply.ErrorOf(err).Proves.Effect, reply.EffectNone)

	unbounded := newBusyService(t, http.StatusLocked, 1000)
	begun = unbounded.clock.Now()
	_, err = unbounded.Do(t.Context(), transport.Put("/x"))
	check.Equal(t, "the time where no timeouts are", unbounded.clock.Now().Sub(begun), 2*time.Minute)
	check.Contains(t, "its error", err.Error(), "that was still so after 2m", "423 Locked")
}

// What buys something, reads, or is sent in one attempt, does not wait.
// Fault F37.
func TestBusy_once(t *testing.T) {
	t.Parallel()
	for _, status := range busyStatuses {
		for name, request := range map[string]*transport.Request{
			"a purchase": order(), "another POST": transport.Post("/x"), "a read": transport.Get("/x"),
		} {
			s := newBusyService(t, status, 1000)
			_, err := s.Do(t.Context(), request)
			check.True(
				t,
				name+" is sent once, and refused",
				s.requests == 1 && reply.IsRefused(err),
				status,
				s.requests,
				err,
			)
		}
		s := newBusyService(t, status, 1000)
		_, err := s.Do(transport.OneAttempt(t.Context()), transport.Delete("/x"))
		check.True(t, "one attempt is one", s.requests == 1 && err != nil, s.requests)
	}
}

// ticking is a clock that moves a little whenever it is looked at, as a real one
// does.
type ticking struct{ *waittest.Clock }

func (c ticking) Now() time.Time {
	c.Advance(time.Microsecond)
	return c.Clock.Now()
}

// What is sent once has waited for nothing, and says nothing of a wait.
func TestBusy_onceSaysNoTime(t *testing.T) {
	t.Parallel()
	requests := 0
	clock := ticking{newClock()}
	config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: clock}
	client := answering(t, config, func(r *http.Request) *http.Response {
		requests++
		return response(r, http.StatusConflict, `{"message":"there is one already"}`)
	})
	for _, ctx := range []context.Context{
		t.Context(),
		wait.WithTimeout(t.Context(), clock, 10*time.Minute, "timeouts.create"),
	} {
		_, err := client.Do(ctx, transport.Post("/x"))
		text := fmt.Sprint(err)
		check.True(t, "no time", !strings.Contains(text, "after") && !strings.Contains(text, "timeouts"), text)
	}
	check.Equal(t, "requests", requests, 2)
}

// An interrupt ends the wait at once, and the error still says what it was for.
// Fault F37.
func TestBusy_interrupted(t *testing.T) {
	t.Parallel()
	s := newBusyService(t, http.StatusConflict, 1000)
	ctx, interrupt := context.WithCancel(t.Context())
	s.clock.onSleep = interrupt
	_, err := s.Do(wait.WithTimeout(ctx, s.clock, 10*time.Minute, "timeouts.delete"), transport.Delete("/x"))
	check.True(t, "it is interrupted", wait.IsCanceled(err) && s.requests == 1, s.requests, err)
	check.Contains(t, "the error", err.Error(), "a training runs, says answer 1")
}

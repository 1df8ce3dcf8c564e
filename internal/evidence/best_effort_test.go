package evidence_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// registry lists the characters ch0 to ch2; of the others only stranger exists.
func registry(w http.ResponseWriter, r *http.Request, n int) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/characters"):
		directory(3, 100)(w, r, n)
	case strings.Contains(r.URL.Path, "/stranger/"):
		stub.Respond(w, 200, `{"can_generate":true}`)
	default:
		stub.Respond(w, 404, `{"error":"not_found"}`)
	}
}

func TestTryFindCharacter(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		existence evidence.Existence
		requests  int
	}{
		"ch2":      {evidence.Present, 1},
		"stranger": {evidence.Present, 2},
		"nobody":   {evidence.Gone, 2},
	} {
		s := stub.NewService(t, registry)
		client := s.Client(t)
		for range 2 {
			found, existence := client.Characters.TryFind(t.Context(), id)
			check.True(
				t,
				id+": existence",
				existence == want.existence && (found != nil) == (id == "ch2"),
				found,
				existence,
			)
		}
		if id == "nobody" {
			want.requests++ // a failed read of capabilities is not kept
		}
		check.Equal(t, id+": requests", len(s.Requests()), want.requests)
	}
}

// A read that fails is repeated for no character, and later reads work as
// usual. Fault F10.
func TestBestEffortIsOneAttempt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault     stub.Answer
		exchanges int           // until the next read is done
		rest      time.Duration // that the service was given by then
	}{
		"503":              {stub.Status(503), 1, 0},
		"429":              {stub.Status(429, "Retry-After", "7"), 1, 7 * time.Second},
		"408":              {stub.Status(408), 1, 0},
		"401":              {stub.Status(401), 2, 0},
		"no answer":        {stub.Drop, 1, 0},
		"a cut off answer": {stub.Truncated, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, stub.First(test.fault, registry))
			client := s.Client(t)
			for _, id := range []string{"ch1", "ch2"} {
				found, existence := client.Characters.TryFind(t.Context(), id)
				check.True(t, id, found == nil && existence == evidence.Undecided, found, existence)
			}
			check.True(
				t,
				"requests, slept for",
				len(s.Requests()) == 1 && s.Clock.Slept() == 0,
				len(s.Requests()),
				s.Clock.Slept(),
			)
			found, complete, err := client.Characters.Find(t.Context(), "nobody")
			check.True(
				t,
				"what is found afterwards",
				found == nil && complete && err == nil && len(s.Requests()) == 2,
				found,
				complete,
				err,
				len(s.Requests()),
			)
			check.True(
				t,
				"exchanges, and the rest given",
				s.Exchanges() == test.exchanges && s.Clock.Slept() == test.rest,
				s.Clock.Slept(),
				s.Exchanges(),
			)
			found, _ = client.Characters.TryFind(t.Context(), "ch2")
			check.True(t, "a listed character is found", found != nil)
		})
	}
}

// The exchange of a best-effort read is sent once; who shares it starts
// another. Fault F1.
func TestOthersRepeatAnExchangeOfBestEffort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanges atomic.Int64
		client := stub.WithoutSocket(t, func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			if exchanges.Add(1) < 3 {
				return stub.JSON(r, 500, `{"error":"down"}`), nil
			}
			return stub.JSON(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			return stub.JSON(r, 200, `{"can_generate":true}`), nil
		})
		var both sync.WaitGroup
		both.Go(func() {
			_, existence := client.Characters.TryFind(t.Context(), "ch1")
			check.True(t, "existence", existence == evidence.Undecided, existence)
		})
		time.Sleep(time.Second / 2)
		check.NoError(t, check.ErrorOf(client.Characters.Capabilities(t.Context(), "stranger")))
		both.Wait()
		check.Equal(t, "exchanges", exchanges.Load(), 3)
	})
}

// What is read afresh needs no token of its own. Fault F1.
func TestAReadAfreshSharesTheExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanges atomic.Int64
		client := stub.WithoutSocket(t, func(r *http.Request) (*http.Response, error) {
			exchanges.Add(1)
			time.Sleep(time.Second)
			return stub.JSON(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			return stub.JSON(r, 200, `{"can_generate":true}`), nil
		})
		var group sync.WaitGroup
		for _, ctx := range []context.Context{t.Context(), transport.Afresh(t.Context())} {
			group.Go(func() {
				check.NoError(t, check.ErrorOf(client.Characters.Capabilities(ctx, "ch1")))
			})
			synctest.Wait()
		}
		group.Wait()
		check.Equal(t, "exchanges", exchanges.Load(), 1)
	})
}

// A service that never replies delays a plan by three seconds, whatever is new.
// Fault F10.
func TestBestEffortIsPatientOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := stub.WithoutSocket(t, nil, func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		begun := time.Now()
		check.Times(10, func(int) { client.Characters.TryFind(t.Context(), "ch1") })
		client.Characters.TryFind(t.Context(), "ch2")
		check.Equal(t, "it took", time.Since(begun), 3*time.Second)
	})
}

// The three seconds are the sum of what the reads take, however long the plan is.
func TestBestEffortsAddUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := stub.WithoutSocket(t, nil, func(r *http.Request) (*http.Response, error) {
			if err := wait.System.Sleep(r.Context(), 1100*time.Millisecond); err != nil {
				return nil, err
			}
			if strings.HasSuffix(r.URL.Path, "/characters") {
				return stub.JSON(r, 200, page(nil, 100, 0, false)), nil
			}
			return stub.JSON(r, 404, `{"error":"not_found"}`), nil
		})
		for i, want := range []evidence.Existence{evidence.Gone, evidence.Undecided, evidence.Undecided} {
			_, existence := client.Characters.TryFind(t.Context(), fmt.Sprint(i))
			check.Equal(t, fmt.Sprint("existence of character ", i), existence, want)
			time.Sleep(time.Minute)
		}
	})
}

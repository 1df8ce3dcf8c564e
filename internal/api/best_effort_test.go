package api_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// registry lists the characters ch0 to ch2; of the others only stranger exists.
func registry(w http.ResponseWriter, r *http.Request, n int) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/characters"):
		directory(3, 100)(w, r, n)
	case strings.Contains(r.URL.Path, "/stranger/"):
		respond(w, 200, `{"can_generate":true}`)
	default:
		respond(w, 404, `{"error":"not_found"}`)
	}
}

func TestTryFindCharacter(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct {
		existence api.Existence
		requests  int
	}{
		"ch2":      {api.Present, 1},
		"stranger": {api.Present, 2},
		"nobody":   {api.Gone, 2},
	} {
		s := newService(t, registry)
		client := s.client(t)
		for range 2 {
			found, existence := client.TryFindCharacter(t.Context(), id)
			check.True(t, id+": existence", existence == want.existence && (found != nil) == (id == "ch2"), found, existence)
		}
		if id == "nobody" {
			want.requests++ // a failed read of capabilities is not kept
		}
		check.Equal(t, id+": requests", len(s.Requests()), want.requests)
	}
}

// A read that fails is not repeated, neither for this character nor for the
// next, and later reads work as usual. Fault F10.
func TestBestEffortIsOneAttempt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault     answer
		exchanges int           // until the next read is done
		rest      time.Duration // that the service was given by then
	}{
		"503":              {status(503), 1, 0},
		"429":              {status(429, "Retry-After", "7"), 1, 7 * time.Second},
		"408":              {status(408), 1, 0},
		"401":              {status(401), 2, 0},
		"no answer":        {drop, 1, 0},
		"a cut off answer": {truncated, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, first(test.fault, registry))
			client := s.client(t)
			for _, id := range []string{"ch1", "ch2"} {
				if found, existence := client.TryFindCharacter(t.Context(), id); found != nil || existence != api.Undecided {
					t.Errorf("%s: %v, existence %d", id, found, existence)
				}
			}
			check.True(t, "requests, slept for", len(s.Requests()) == 1 && s.clock.Slept() == 0, len(s.Requests()), s.clock.Slept())
			found, complete, err := client.FindCharacter(t.Context(), "nobody")
			check.True(t, "what is found afterwards", found == nil && complete && err == nil && len(s.Requests()) == 2, found, complete, err, len(s.Requests()))
			check.True(t, "exchanges, and the rest given", s.Exchanges() == test.exchanges && s.clock.Slept() == test.rest, s.clock.Slept(), s.Exchanges())
			// A listed character needs no request.
			if found, _ := client.TryFindCharacter(t.Context(), "ch2"); found == nil {
				t.Error("a listed character is not found")
			}
		})
	}
}

// The token is also requested only once.
func TestBestEffortIsOneExchange(t *testing.T) {
	t.Parallel()
	s := newService(t, registry)
	s.onExchange(always(500, `{"error":"down"}`))
	client := s.client(t)
	if _, existence := client.TryFindCharacter(t.Context(), "ch1"); existence != api.Undecided || s.Exchanges() != 1 {
		t.Errorf("existence %d after %d exchanges", existence, s.Exchanges())
	}
}

// withoutSocket returns a client for a synctest bubble: exchange answers requests
// for a token, others the rest.
func withoutSocket(t *testing.T, exchange, others func(*http.Request) (*http.Response, error)) *api.Client {
	t.Helper()
	address := &url.URL{Scheme: "http", Host: "localhost"}
	client, err := api.New(api.Config{Config: transport.Config{
		BaseURL: address.JoinPath("v2"), Config: credential.Config{AuthURL: address, APIKey: apiKey}, MaxRetries: 4,
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/generate-token") {
				return exchange(r)
			}
			return others(r)
		}),
	}})
	check.Must(t, err)
	return client
}

// A request that shares the exchange of a best-effort read, which is sent only
// once, starts another. Fault F1.
func TestOthersRepeatAnExchangeOfBestEffort(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanges atomic.Int64
		client := withoutSocket(t, func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			if exchanges.Add(1) < 3 {
				return jsonResponse(r, 500, `{"error":"down"}`), nil
			}
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, `{"can_generate":true}`), nil
		})
		var both sync.WaitGroup
		both.Go(func() {
			if _, existence := client.TryFindCharacter(t.Context(), "ch1"); existence != api.Undecided {
				t.Errorf("existence %d", existence)
			}
		})
		time.Sleep(time.Second / 2)
		check.NoError(t, check.ErrorOf(client.Capabilities(t.Context(), "stranger")))
		if both.Wait(); exchanges.Load() != 3 {
			t.Errorf("%d exchanges, want 3", exchanges.Load())
		}
	})
}

// What is read afresh needs no token of its own. Fault F1.
func TestAReadAfreshSharesTheExchange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var exchanges atomic.Int64
		client := withoutSocket(t, func(r *http.Request) (*http.Response, error) {
			exchanges.Add(1)
			time.Sleep(time.Second)
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, `{"can_generate":true}`), nil
		})
		var group sync.WaitGroup
		for _, ctx := range []context.Context{t.Context(), transport.Afresh(t.Context())} {
			group.Go(func() {
				check.NoError(t, check.ErrorOf(client.Capabilities(ctx, "ch1")))
			})
			synctest.Wait()
		}
		if group.Wait(); exchanges.Load() != 1 {
			t.Errorf("%d exchanges, want 1", exchanges.Load())
		}
	})
}

// A service that never replies delays a plan by three seconds, however many
// characters are new. Fault F10.
func TestBestEffortIsPatientOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := withoutSocket(t, func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		begun := time.Now()
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() { client.TryFindCharacter(t.Context(), "ch1") })
		}
		group.Wait()
		client.TryFindCharacter(t.Context(), "ch2")
		check.Equal(t, "it took", time.Since(begun), 3*time.Second)
	})
}

// The three seconds are the sum of what the reads take, however long the plan is.
func TestBestEffortsAddUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := withoutSocket(t, func(r *http.Request) (*http.Response, error) {
			return jsonResponse(r, 200, `{"accessToken":"token"}`), nil
		}, func(r *http.Request) (*http.Response, error) {
			if err := wait.System.Sleep(r.Context(), 1100*time.Millisecond); err != nil {
				return nil, err
			}
			if strings.HasSuffix(r.URL.Path, "/characters") {
				return jsonResponse(r, 200, page(nil, 100, 0, false)), nil
			}
			return jsonResponse(r, 404, `{"error":"not_found"}`), nil
		})
		for i, want := range []api.Existence{api.Gone, api.Undecided, api.Undecided} {
			if _, existence := client.TryFindCharacter(t.Context(), fmt.Sprint(i)); existence != want {
				t.Errorf("character %d: existence %d, want %d", i, existence, want)
			}
			time.Sleep(time.Minute)
		}
	})
}

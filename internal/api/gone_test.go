package api_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Host, port and path are part of the evidence, and nothing else of the address.
// Fault F23.
func TestAddressIsPartOfTheEvidence(t *testing.T) {
	t.Parallel()
	const original = "https://api.example.com/base/v2"
	s := newService(t, lists("", always(404, ownError)))
	connections := cleanhttp.DefaultTransport()
	every := func(request *http.Request) (*http.Response, error) {
		sent := request.Clone(request.Context())
		sent.URL.Scheme = "http"
		sent.URL.Host = s.Listener.Addr().String()
		return connections.RoundTrip(sent)
	}
	for address, want := range map[string]api.Existence{
		original: api.Gone, "https://API.example.COM:443/base/v2/": api.Gone,
		"http://api.example.com:80/base/v2": api.Gone,
		"https://api.example.com/base/v3":   api.Undecided, "https://api.example.com/base": api.Undecided,
		"https://api.example.com/BASE/v2":      api.Undecided,
		"https://api.example.com:8443/base/v2": api.Undecided, "https://staging.example.com/base/v2": api.Undecided,
	} {
		at := func(address string) *api.Client {
			base, err := url.Parse(address)
			check.Must(t, err)
			return s.client(t, func(c *api.Config) {
				c.BaseURL = base
				c.Transport = roundTripper(every)
			})
		}
		seen := at(original).Seen(api.Evidence{})
		client := at(address)
		_, answer := client.Generations.Get(t.Context(), "g1")
		existence, err := client.Judge(t.Context(), answer, seen)
		check.True(t, address, existence == want, existence, err, want)
		now := client.Seen(seen)
		check.True(t, address+", recorded", (now == seen) == (want == api.Gone), now, seen)
		seen.By.Address = ""
		existence, err = client.Judge(t.Context(), answer, seen)
		check.True(t, address+", without a record", existence == api.Gone, existence, err)
	}
}

// All that nothing was found for ask together whether the address is right, and
// nobody asks once something was found. The token's exchange finds nothing.
// Fault F23.
func TestOneProbeARun(t *testing.T) {
	t.Parallel()
	probes := func(s *service) (count int) {
		for _, request := range s.Requests() {
			if request.path == "/characters" && request.query.Get("limit") == "1" {
				count++
			}
		}
		return count
	}
	for name, test := range map[string]struct {
		status int
		found  bool // by another read of the run
		probes int
		want   api.Existence
	}{
		"nothing found":           {200, false, 1, api.Gone},
		"something found":         {404, true, 0, api.Gone},
		"not even the characters": {404, false, 1, api.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				switch {
				case r.URL.Query().Has("limit") && test.status == 200:
					respond(w, 200, `{"characters":[]}`)
				case r.URL.Path == "/base/v2/generation/status/shown":
					respond(w, 200, `{"generation_id":"shown","status":"running"}`)
				default:
					respond(w, 404, ownError)
				}
			})
			client := s.client(t)
			if test.found {
				check.Must(t, check.ErrorOf(client.Generations.Get(t.Context(), "shown")))
			}
			check.Times(20, func(int) {
				_, answer := client.Generations.Get(t.Context(), "g1")
				existence, err := client.Judge(t.Context(), answer, api.Evidence{Shown: true})
				_, wrong := errors.AsType[*reply.AddressError](err)
				check.True(
					t,
					"existence",
					existence == test.want && wrong == (test.want == api.Undecided),
					existence,
					err,
					test.want,
				)
			})
			check.Equal(t, "probes", probes(s), test.probes)
		})
	}
}

// Later, not from the cache, and over another connection: a kept one leads to
// the same replica. Fault F23.
func TestSecondReadIsAfresh(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var peers []string
	s := newService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		mutex.Lock()
		peers = append(peers, r.RemoteAddr)
		mutex.Unlock()
		respond(w, 200, `{"assets":[],"total":0}`)
	})
	client := s.client(t)
	read := func(ctx context.Context) error {
		_, err := client.Images.ListOnce(ctx, "ch1")
		return errors.Join(err, api.Listed(false, "/{character_id}/assets", "ch1"))
	}
	for range 2 {
		err := read(t.Context())
		if len(s.Requests()) != 1 {
			t.Fatalf("%d requests, %v", len(s.Requests()), err)
		}
	}
	existence, _, err := client.Find(t.Context(), api.Evidence{Shown: true}, read)
	requests := s.Requests()
	if existence != api.Gone || err != nil || len(requests) != 2 {
		t.Fatalf("the existence is %d, %v, after %d requests", existence, err, len(requests))
	}
	check.True(t, "the second read has a connection of its own", peers[0] != peers[1])
	check.Equal(t, "it came after", requests[1].at.Sub(requests[0].at).Seconds(), 2)
	_ = read(t.Context())
	check.Equal(t, "requests after another read", len(s.Requests()), 2)
}

// What many images of a character are looked up in is read twice for all.
// Fault F23.
func TestSecondReadIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int32
		client := inBubble(t, func(r *http.Request) (*http.Response, error) {
			sent.Add(1)
			time.Sleep(time.Second)
			return jsonResponse(r, 200, `{"assets":[],"total":0}`), nil
		})
		check.Times(10, func(int) {
			existence, _, err := client.Find(t.Context(), api.Evidence{Shown: true}, func(ctx context.Context) error {
				_, err := client.Images.ListOnce(ctx, "ch1")
				return errors.Join(err, api.Listed(false, "/{character_id}/assets", "ch1"))
			})
			check.True(t, "existence", existence == api.Gone && err == nil, existence, err)
		})
		check.Equal(t, "requests", sent.Load(), 2)
	})
}

// Ctrl-C during the pause ends it, and nothing is concluded.
// Fault F23.
func TestInterruptedBeforeTheSecondRead(t *testing.T) {
	t.Parallel()
	s := newService(t, lists("", always(404, ownError)))
	client := s.client(t)
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	existence, _, err := client.Find(ctx, api.Evidence{Shown: true}, func(ctx context.Context) error {
		reads++
		defer cancel()
		_, answer := client.Generations.Get(ctx, "g1")
		_, _ = client.Characters.Page(ctx, nil, nil) // the address is right
		return answer
	})
	check.True(
		t,
		"existence, after one read",
		existence == api.Undecided && wait.IsCanceled(err) && reads == 1,
		existence,
		err,
		reads,
	)
}

// Fault F13.
func TestAGatewaysNotFoundIsToldOnce(t *testing.T) {
	t.Parallel()
	client := newService(t, always(404, "<html>not here</html>")).client(t)
	for i, id := range []string{"g1", "g2", "g3"} {
		_, failure := client.Generations.Get(t.Context(), id)
		existence, err := client.Judge(t.Context(), failure, api.Evidence{Shown: true})
		check.True(
			t,
			"it proves nothing",
			existence == api.Undecided && strings.Contains(err.Error(), "does not prove"),
			existence,
			err,
		)
		check.True(t, "told first", reply.Tell(err, "") == (i == 0), id, err)
		check.Equal(t, "in short", reply.Cause(err), "not here (404 Not Found)")
	}
}

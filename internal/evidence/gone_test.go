package evidence_test

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
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/stub"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// Host, port and path are part of the evidence, and nothing else of the address.
// Fault F23.
func TestAddressIsPartOfTheEvidence(t *testing.T) {
	t.Parallel()
	const original = "https://api.example.com/base/v2"
	s := stub.NewService(t, lists("", stub.Always(404, ownError)))
	connections := cleanhttp.DefaultTransport()
	every := func(request *http.Request) (*http.Response, error) {
		sent := request.Clone(request.Context())
		sent.URL.Scheme = "http"
		sent.URL.Host = s.Listener.Addr().String()
		return connections.RoundTrip(sent)
	}
	for address, want := range map[string]evidence.Existence{
		original: evidence.Gone, "https://API.example.COM:443/base/v2/": evidence.Gone,
		"http://api.example.com:80/base/v2": evidence.Gone,
		"https://api.example.com/base/v3":   evidence.Undecided, "https://api.example.com/base": evidence.Undecided,
		"https://api.example.com/BASE/v2":      evidence.Undecided,
		"https://api.example.com:8443/base/v2": evidence.Undecided,
		"https://staging.example.com/base/v2":  evidence.Undecided,
	} {
		at := func(address string) *stub.Client {
			base, err := url.Parse(address)
			check.Must(t, err)
			return s.Client(t, func(c *stub.Config) {
				c.BaseURL = base
				c.Transport = stub.RoundTripper(every)
			})
		}
		seen := at(original).Seen(evidence.Evidence{})
		client := at(address)
		_, answer := client.Generations.Get(t.Context(), "g1")
		existence, err := client.Judge(t.Context(), answer, seen)
		check.True(t, address, existence == want, existence, err, want)
		now := client.Seen(seen)
		check.True(t, address+", recorded", (now == seen) == (want == evidence.Gone), now, seen)
		seen.By.Address = ""
		existence, err = client.Judge(t.Context(), answer, seen)
		check.True(t, address+", without a record", existence == evidence.Gone, existence, err)
	}
}

// All that nothing was found for ask together whether the address is right, and
// nobody asks once something was found. The token's exchange finds nothing.
// Fault F23.
func TestOneProbeARun(t *testing.T) {
	t.Parallel()
	probes := func(s *stub.Service) (count int) {
		for _, request := range s.Requests() {
			if request.Path == "/characters" && request.Query.Get("limit") == "1" {
				count++
			}
		}
		return count
	}
	for name, test := range map[string]struct {
		status int
		found  bool // by another read of the run
		probes int
		want   evidence.Existence
	}{
		"nothing found":           {200, false, 1, evidence.Gone},
		"something found":         {404, true, 0, evidence.Gone},
		"not even the characters": {404, false, 1, evidence.Undecided},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				switch {
				case r.URL.Query().Has("limit") && test.status == 200:
					stub.Respond(w, 200, `{"characters":[]}`)
				case r.URL.Path == "/base/v2/generation/status/shown":
					stub.Respond(w, 200, `{"generation_id":"shown","status":"running"}`)
				default:
					stub.Respond(w, 404, ownError)
				}
			})
			client := s.Client(t)
			if test.found {
				check.Must(t, check.ErrorOf(client.Generations.Get(t.Context(), "shown")))
			}
			check.Times(20, func(int) {
				_, answer := client.Generations.Get(t.Context(), "g1")
				existence, err := client.Judge(t.Context(), answer, evidence.Evidence{Shown: true})
				_, wrong := errors.AsType[*reply.AddressError](err)
				check.True(
					t,
					"existence",
					existence == test.want && wrong == (test.want == evidence.Undecided),
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
	s := stub.NewService(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		mutex.Lock()
		peers = append(peers, r.RemoteAddr)
		mutex.Unlock()
		stub.Respond(w, 200, `{"assets":[],"total":0}`)
	})
	client := s.Client(t)
	read := func(ctx context.Context) error {
		_, err := client.Images.ListOnce(ctx, "ch1")
		return errors.Join(err, evidence.Listed(false, "/{character_id}/assets", "ch1"))
	}
	for range 2 {
		err := read(t.Context())
		if len(s.Requests()) != 1 {
			t.Fatalf("%d requests, %v", len(s.Requests()), err)
		}
	}
	existence, _, err := client.Find(t.Context(), evidence.Evidence{Shown: true}, read)
	requests := s.Requests()
	if existence != evidence.Gone || err != nil || len(requests) != 2 {
		t.Fatalf("the existence is %d, %v, after %d requests", existence, err, len(requests))
	}
	check.True(t, "the second read has a connection of its own", peers[0] != peers[1])
	check.Equal(t, "it came after", requests[1].At.Sub(requests[0].At).Seconds(), 2)
	_ = read(t.Context())
	check.Equal(t, "requests after another read", len(s.Requests()), 2)
}

// What many images of a character are looked up in is read twice for all.
// Fault F23.
func TestSecondReadIsShared(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent atomic.Int32
		client := stub.InBubble(t, func(r *http.Request) (*http.Response, error) {
			sent.Add(1)
			time.Sleep(time.Second)
			return stub.JSON(r, 200, `{"assets":[],"total":0}`), nil
		})
		check.Times(10, func(int) {
			existence, _, err := client.Find(
				t.Context(),
				evidence.Evidence{Shown: true},
				func(ctx context.Context) error {
					_, err := client.Images.ListOnce(ctx, "ch1")
					return errors.Join(err, evidence.Listed(false, "/{character_id}/assets", "ch1"))
				},
			)
			check.True(t, "existence", existence == evidence.Gone && err == nil, existence, err)
		})
		check.Equal(t, "requests", sent.Load(), 2)
	})
}

// Ctrl-C during the pause ends it, and nothing is concluded.
// Fault F23.
func TestInterruptedBeforeTheSecondRead(t *testing.T) {
	t.Parallel()
	s := stub.NewService(t, lists("", stub.Always(404, ownError)))
	client := s.Client(t)
	ctx, cancel := context.WithCancel(t.Context())
	reads := 0
	existence, _, err := client.Find(ctx, evidence.Evidence{Shown: true}, func(ctx context.Context) error {
		reads++
		defer cancel()
		_, answer := client.Generations.Get(ctx, "g1")
		_, _ = client.Characters.Page(ctx, nil, nil) // the address is right
		return answer
	})
	check.True(
		t,
		"existence, after one read",
		existence == evidence.Undecided && wait.IsCanceled(err) && reads == 1,
		existence,
		err,
		reads,
	)
}

// Fault F13.
func TestAGatewaysNotFoundIsToldOnce(t *testing.T) {
	t.Parallel()
	client := stub.NewService(t, stub.Always(404, "<html>not here</html>")).Client(t)
	for i, id := range []string{"g1", "g2", "g3"} {
		_, failure := client.Generations.Get(t.Context(), id)
		existence, err := client.Judge(t.Context(), failure, evidence.Evidence{Shown: true})
		check.True(
			t,
			"it proves nothing",
			existence == evidence.Undecided && strings.Contains(err.Error(), "does not prove"),
			existence,
			err,
		)
		check.True(t, "told first", reply.Tell(err, "") == (i == 0), id, err)
		check.Equal(t, "in short", reply.Cause(err), "not here (404 Not Found)")
	}
}

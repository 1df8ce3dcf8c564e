package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

type service func(*http.Request) (*http.Response, error)

func (s service) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func TestAnExchangeOutlivesTheCallerWhoBeganIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		address := &url.URL{Scheme: "http", Host: "localhost"}
		exchanges := 0
		client := transport.New(
			transport.Config{
				BaseURL:    address,
				Credential: transport.Credential{AuthURL: address, APIKey: "key-0123456789"},
				Transport: service(func(r *http.Request) (*http.Response, error) {
					if r.Method == http.MethodPost {
						exchanges++
						time.Sleep(time.Second)
					}
					return &http.Response{
							StatusCode: http.StatusOK,
							Body:       io.NopCloser(strings.NewReader(`{"accessToken":"late"}`)),
							Request:    r,
						}, r.Context().
							Err()
				}),
			},
		)
		ask := func(ctx context.Context) chan error {
			ended := make(chan error, 1)
			go func() {
				_, err := client.Do(ctx, transport.Get("/anything"))
				ended <- err
			}()
			synctest.Wait()
			return ended
		}
		ctx, cancel := context.WithCancel(t.Context())
		began := ask(ctx)
		joined := ask(t.Context())
		cancel()
		err := <-began
		check.True(t, "the cancelled caller", wait.IsCanceled(err) && !reply.IsEffectUnknown(err), err)
		err = <-joined
		check.True(t, "the other caller, and exchanges", err == nil && exchanges == 1, err, exchanges)
	})
}

// What the requests of a client share is guarded, as -race shows.
func TestATokenIsRejectedAndRenewedAtOnce(t *testing.T) {
	t.Parallel()
	address := &url.URL{Scheme: "http", Host: "localhost"}
	client := transport.New(
		transport.Config{
			BaseURL:    address,
			Credential: transport.Credential{AuthURL: address, APIKey: "key-0123456789"},
			Transport: service(func(r *http.Request) (*http.Response, error) {
				return &http.Response{
					StatusCode: http.StatusOK,
					Body:       io.NopCloser(strings.NewReader(`{"accessToken":"renewed"}`)),
					Request:    r,
				}, nil
			}),
		},
	)
	fresh := func() {
		if _, err := client.AccessToken(t.Context(), 2); err != nil { // no token has as much of its life left
			t.Error(err)
		}
	}
	source := client.Credential
	check.AtOnce(fresh, func() { source.Organization() }, func() { source.Fingerprint("salt") })
}

// What hangs without a limit, as in a plan, is not read again; a change is made
// again all the same.
func TestWhatHangs(t *testing.T) {
	t.Parallel()
	for request, want := range map[*transport.Request]int{
		transport.Get("/x"):    1,
		transport.Put("/x"):    2,
		transport.Delete("/x"): 2,
	} {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			client := answering(
				t,
				transport.Config{Credential: transport.Credential{AccessToken: "static"}},
				func(r *http.Request) *http.Response {
					requests++
					if requests == 1 {
						<-r.Context().Done()
					}
					return response(r, http.StatusOK, `{}`)
				},
			)
			_, err := client.Do(t.Context(), request)
			check.True(t, request.Operation(), requests == want && (err == nil) == (want == 2), requests, err)
		})
	}
}

// What says the same fails for the same cause, and is told once.
// Fault F18.
func TestFailuresThatSayTheSame(t *testing.T) {
	t.Parallel()
	client := answering(
		t,
		transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()},
		func(r *http.Request) *http.Response {
			return response(r, http.StatusInternalServerError, `{"message":"`+r.URL.Query().Get("says")+`"}`)
		},
	)
	for _, test := range []struct {
		says string
		told bool
	}{{"down", true}, {"too many images", true}, {"down", false}} {
		_, err := client.Do(t.Context(), transport.Get("/x").Query(url.Values{"says": {test.says}}))
		check.True(t, "told", reply.Tell(err, "") == test.told, test.says, err)
	}
}

// A refusal is told once by what it says: one that says something else is
// another. Fault F18.
func TestRefusalsThatSayTheSame(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusPaymentRequired, http.StatusForbidden} {
		client := answering(
			t,
			transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()},
			func(r *http.Request) *http.Response {
				return response(r, status, r.URL.Query().Get("says"))
			},
		)
		for _, test := range []struct {
			says string
			told bool
		}{
			{`{"error":"blocked","message":"Pay."}`, true},
			{`{"error":"not_yours","message":"Pay."}`, true},
			{`{"error":"blocked","message":"Ask."}`, true},
			{`{"error":"blocked","message":"Pay."}`, false},
		} {
			_, err := client.Do(t.Context(), transport.Get("/x").Query(url.Values{"says": {test.says}}))
			check.Equal(t, fmt.Sprint(status, " is told: ", test.says), reply.Tell(err, ""), test.told)
		}
	}
}

// unreadable is a file that tells when it is read, and fails.
type unreadable struct{ reading chan struct{} }

func (f unreadable) Read([]byte) (int, error) {
	close(f.reading)
	return 0, errors.New("unreadable")
}

func (unreadable) Close() error { return nil }

// A service that answers early has the form closed while the file is read.
func TestAFormIsReadAndClosedAtOnce(t *testing.T) {
	t.Parallel()
	file := unreadable{make(chan struct{})}
	group := sync.WaitGroup{}
	client := transport.New(transport.Config{
		BaseURL: &url.URL{Scheme: "http", Host: "localhost"}, Credential: transport.Credential{AccessToken: "static"},
		Transport: service(func(r *http.Request) (*http.Response, error) {
			group.Go(func() { _, _ = io.Copy(io.Discard, r.Body) })
			<-file.reading
			group.Go(func() { _ = r.Body.Close() })
			return &http.Response{
				StatusCode: http.StatusBadRequest,
				Body:       io.NopCloser(strings.NewReader(`{"error":"no"}`)),
				Request:    r,
			}, nil
		}),
	})
	open := func() (io.ReadCloser, error) { return file, nil }
	_, err := client.Do(
		t.Context(),
		transport.Post("/images").Form("file", transport.File{Open: open, Filename: "a.png", Size: 10}, nil),
	)
	group.Wait()
	check.True(t, "a file that cannot be read is not sent", err != nil)
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"ch1", "..", "a/../b", "%2e%2e", "?", "#", "{job_id}", "\xff", " ", "a;b", "//host"} {
		f.Add(seed, "job1")
	}
	base := &url.URL{Scheme: "https", Host: "service.test", Path: "/base/v2"}
	f.Fuzz(func(t *testing.T, first, second string) {
		address, err := transport.Address(base, "/{character_id}/training/jobs/{job_id}/cancel", first, second)
		if err != nil {
			return
		}
		parsed, err := url.Parse(address.String())
		if err != nil || parsed.Host != base.Host || parsed.RawQuery != "" || parsed.Fragment != "" {
			t.Fatalf("%q, %q: %s, %v", first, second, address, err)
		}
		segments := strings.Split(parsed.EscapedPath(), "/")
		if len(segments) != 8 {
			t.Fatalf("%q, %q: %q", first, second, segments)
		}
		for place, id := range map[int]string{3: first, 6: second} {
			back, err := url.PathUnescape(segments[place])
			check.True(t, "what an id became", err == nil && back == id, id, back, err)
		}
	})
}

// A deployment may serve an endpoint under another version than base_url names.
func TestVersion_besideTheBase(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://api.example.com/v2":       "https://api.example.com/v1/characters",
		"https://api.example.com/v2/":      "https://api.example.com/v1/characters",
		"https://api.example.com/a%2Fb/v2": "https://api.example.com/a%2Fb/v1/characters",
		"https://api.example.com/api":      "https://api.example.com/api/v1/characters",
		"https://api.example.com":          "https://api.example.com/v1/characters",
	} {
		parsed, err := url.Parse(base)
		check.Must(t, err)
		address, err := transport.AddressIn("v1", parsed, "/characters")
		check.Must(t, err)
		check.Equal(t, base, address.String(), want)
		address, err = transport.Address(parsed, "/characters")
		check.Must(t, err)
		check.Equal(t, base+" in its own version", address.String(), strings.TrimSuffix(base, "/")+"/characters")
	}
}

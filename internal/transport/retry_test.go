package transport_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-cleanhttp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// A paid request whose reply has any status is sent again after a 429 alone,
// and known to have failed after a 4xx other than a 408. Fault F4.
func TestAPaidRequestAfterEveryStatus(t *testing.T) {
	t.Parallel()
	for status := 100; status < 1000; status++ {
		requests := 0
		config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()}
		client := answering(t, config, func(r *http.Request) *http.Response {
			requests++
			if requests > 1 {
				return response(r, http.StatusOK, started)
			}
			return response(r, status, started)
		})
		said, err := client.Do(t.Context(), order())
		wanted := 1
		want := reply.EffectUnknown
		switch {
		case status == http.StatusTooManyRequests:
			wanted = 2
			want = reply.EffectAccepted
		case status == http.StatusRequestTimeout:
		case reply.IsSuccess(status):
			want = reply.EffectAccepted
		case status >= 400 && status < 500:
			want = reply.EffectNone
		}
		got := reply.EffectAccepted
		if err != nil {
			got = reply.ErrorOf(err).Proves.Effect
		}
		check.True(
			t,
			"the effect, and the requests",
			got == want && requests == wanted,
			status,
			got,
			want,
			requests,
			said,
			err,
		)
	}
}

// What changes nothing, or the same each time, is sent again after whatever is
// no answer. Fault F2.
func TestAReadAfterEveryStatus(t *testing.T) {
	t.Parallel()
	for status := 100; status < 1000; status++ {
		for _, method := range []func(string, ...string) *transport.Request{
			transport.Get,
			transport.Put,
			transport.Delete,
		} {
			requests := 0
			config := transport.Config{Credential: transport.Credential{AccessToken: "static"}, Clock: newClock()}
			client := answering(t, config, func(r *http.Request) *http.Response {
				requests++
				if requests > 1 {
					return response(r, http.StatusOK, started)
				}
				return response(r, status, started)
			})
			_, err := client.Do(t.Context(), method("/x"))
			wanted := 2
			final := status == http.StatusNotImplemented || status >= 300 && status < 500
			again := status == http.StatusRequestTimeout || status == http.StatusTooManyRequests ||
				reply.IsBusyStatus(status) && method("/x").Writes()
			if reply.IsSuccess(status) || final && !again {
				wanted = 1
			}
			check.True(t, "the requests", requests == wanted, status, requests, wanted, err)
		}
	}
}

// An authority that is unknown once stays unknown.
func TestWhatIsNotTrustedIsTriedOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	address, err := url.Parse(server.URL)
	check.Must(t, err)
	attempts := 0
	sends := cleanhttp.DefaultTransport()
	client := transport.New(transport.Config{
		BaseURL:    address,
		Credential: transport.Credential{AccessToken: "static"},
		MaxRetries: 4,
		Clock:      newClock(),
		Transport: service(func(r *http.Request) (*http.Response, error) {
			attempts++
			return sends.RoundTrip(r)
		}),
	})
	_, err = client.Do(t.Context(), transport.Get("/anything"))
	check.True(t, "one attempt", reply.IsUntrusted(err) && attempts == 1, attempts, err)
}

func answering(t *testing.T, config transport.Config, answer func(r *http.Request) *http.Response) *transport.Client {
	t.Helper()
	config.BaseURL = &url.URL{Scheme: "https", Host: "api.example.com"}
	config.AuthURL = config.BaseURL
	config.MaxRetries = 4
	config.Transport = service(func(r *http.Request) (*http.Response, error) {
		response := answer(r)
		return response, r.Context().Err()
	})
	return transport.New(config)
}

func response(r *http.Request, status int, body string, location ...string) *http.Response {
	return &http.Response{
		StatusCode: status,
		Header:     http.Header{"Location": location},
		Body:       io.NopCloser(strings.NewReader(body)),
		Request:    r,
	}
}

// Even one that is sent once, but not with its token to where everybody can
// read it.
func TestWhichRedirectsAreFollowed(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]int{
		"/moved":                        2,
		"https://api.example.com/moved": 2,
		"http://api.example.com/moved":  1,
		"https://example.com/moved":     1,
	} {
		requests := 0
		client := answering(
			t,
			transport.Config{Credential: transport.Credential{AccessToken: "static"}},
			func(r *http.Request) *http.Response {
				requests++
				if r.URL.Path == "/moved" {
					return response(r, http.StatusOK, `{"id":1}`)
				}
				return response(r, http.StatusFound, "", location)
			},
		)
		_, err := client.Do(transport.OneAttempt(t.Context()), transport.Get("/anything"))
		check.True(t, "requests", requests == want && (err == nil) == (want == 2), location, requests, err)
	}
}

// The deadline of an operation ends what hangs, but no paid request: its
// outcome would be unknown.
func TestADeadlineEndsWhatIsNotPaid(t *testing.T) {
	t.Parallel()
	for request, ends := range map[*transport.Request]bool{
		transport.Get("/x"): true, transport.Put("/x"): true, transport.Post("/x").JSON(1): true,
		transport.Post("/x").Makes().JSON(1): false,
	} {
		synctest.Test(t, func(t *testing.T) {
			client := answering(
				t,
				transport.Config{Credential: transport.Credential{AccessToken: "static"}},
				func(r *http.Request) *http.Response {
					select {
					case <-time.After(10 * time.Second):
					case <-r.Context().Done():
					}
					return response(r, http.StatusOK, `{"success":true}`)
				},
			)
			begun := time.Now()
			_, err := client.Do(wait.WithTimeout(t.Context(), wait.System, 5*time.Second, ""), request)
			took := time.Since(begun)
			check.True(
				t,
				request.Operation(),
				wait.IsTimeout(err) == ends && (took < 10*time.Second) == ends,
				took,
				err,
			)
		})
	}
}

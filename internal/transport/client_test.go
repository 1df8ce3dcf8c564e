package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// service is a round trip to a service in a bubble.
type service func(*http.Request) (*http.Response, error)

func (s service) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

func TestAnExchangeOutlivesTheCallerWhoBeganIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		address, exchanges := &url.URL{Scheme: "http", Host: "localhost"}, 0
		client := transport.New(transport.Config{BaseURL: address, Config: credential.Config{AuthURL: address, APIKey: "key-0123456789"}, Transport: service(func(r *http.Request) (*http.Response, error) {
			if r.Method == http.MethodPost {
				exchanges++
				time.Sleep(time.Second)
			}
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"accessToken":"late"}`)), Request: r}, r.Context().Err()
		})})
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
		began, joined := ask(ctx), ask(t.Context())
		cancel()
		if err := <-began; !wait.IsCanceled(err) || reply.IsEffectUnknown(err) {
			t.Errorf("the cancelled caller: %v", err)
		}
		if err := <-joined; err != nil || exchanges != 1 {
			t.Errorf("the other caller: %v, %d exchanges", err, exchanges)
		}
	})
}

// What the requests of a client share is guarded, as -race shows.
func TestATokenIsRejectedAndRenewedAtOnce(t *testing.T) {
	t.Parallel()
	address := &url.URL{Scheme: "http", Host: "localhost"}
	client := transport.New(transport.Config{BaseURL: address, Config: credential.Config{AuthURL: address, APIKey: "key-0123456789"}, Transport: service(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"accessToken":"renewed"}`)), Request: r}, nil
	})})
	fresh := func() {
		if _, err := client.AccessToken(t.Context(), 2); err != nil { // no token has as much of its life left
			t.Error(err)
		}
	}
	source := client.Credential
	check.AtOnce(fresh, func() { source.Organization() }, func() { source.Fingerprint("salt") })
}

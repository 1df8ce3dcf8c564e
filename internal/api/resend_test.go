package api_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// A request that is sent again has its whole body again.
// Fault F2.
func TestTheBodyIsRewound(t *testing.T) {
	t.Parallel()
	for _, status := range []int{401, 429} {
		s := newService(t, first(always(status, `{"error":"not now"}`), always(200, good)))
		if _, err := s.client(t).SubmitBatch(t.Context(), api.Batch{Prompts: []api.Prompt{{Prompt: "p"}}}); err != nil {
			t.Fatalf("%d: %v", status, err)
		}
		sent := s.Requests()
		if len(sent) != 2 || string(sent[0].body) != `{"prompts":[{"prompt":"p"}]}` || string(sent[1].body) != string(sent[0].body) {
			t.Errorf("%d: sent %v", status, sent)
		}
	}
}

// A reply that refuses is read to its end, so that its connection serves the
// next request.
// Fault F2.
func TestTheConnectionIsUsedAgainAfterARefusal(t *testing.T) {
	t.Parallel()
	for _, status := range []int{404, 429, 503} {
		s := newService(t, first(always(status, `{"error":"no such thing"}`), always(200, good)))
		var connections atomic.Int32
		listener := httptest.NewUnstartedServer(s.Config.Handler)
		listener.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		listener.Start()
		t.Cleanup(listener.Close)
		client := s.client(t, func(c *api.Config) {
			c.APIKey, c.AccessToken, c.BaseURL.Host = "", "static", listener.Listener.Addr().String()
		})
		for range 3 {
			_, _ = client.Generation(t.Context(), "g1")
		}
		if got := connections.Load(); got != 1 {
			t.Errorf("%d: %d connections", status, got)
		}
	}
}

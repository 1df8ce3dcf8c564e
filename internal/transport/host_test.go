package transport_test

import (
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// What hangs without a limit, as in a plan, is not read again; a change is made
// again all the same.
func TestWhatHangs(t *testing.T) {
	t.Parallel()
	for request, want := range map[*transport.Request]int{transport.Get("/x"): 1, transport.Put("/x"): 2, transport.Delete("/x"): 2} {
		synctest.Test(t, func(t *testing.T) {
			requests := 0
			client := answering(t, transport.Config{Config: credential.Config{AccessToken: "static"}}, func(r *http.Request) *http.Response {
				if requests++; requests == 1 {
					<-r.Context().Done()
				}
				return response(r, http.StatusOK, `{}`)
			})
			if _, err := client.Do(t.Context(), request); requests != want || (err == nil) != (want == 2) {
				t.Errorf("%s: %d requests, %v", request.Operation(), requests, err)
			}
		})
	}
}

// What says the same fails for the same cause, and is told once.
// Fault F18.
func TestFailuresThatSayTheSame(t *testing.T) {
	t.Parallel()
	client := answering(t, transport.Config{Config: credential.Config{AccessToken: "static"}, Clock: newClock()}, func(r *http.Request) *http.Response {
		return response(r, http.StatusInternalServerError, `{"message":"`+r.URL.Query().Get("says")+`"}`)
	})
	for _, test := range []struct {
		says string
		told bool
	}{{"down", true}, {"too many images", true}, {"down", false}} {
		_, err := client.Do(t.Context(), transport.Get("/x").Query(url.Values{"says": {test.says}}))
		check.True(t, "told", reply.Tell(err, "") == test.told, test.says, err)
	}
}

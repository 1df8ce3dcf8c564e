package acctest_test

import (
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// otherLimits are limits of requests that no 429 tells.
var otherLimits = map[string]mockserver.Fault{
	"403, with Retry-After": {Status: 403, Body: `{"error":"forbidden"}`, Header: http.Header{"Retry-After": {"1"}}},
	"403, none left":        {Status: 403, Header: http.Header{"X-Ratelimit-Remaining": {"0"}}},
	"403, in words":         {Status: 403, Body: `{"error":"forbidden","message":"Rate limit exceeded"}`},
	"400, in words":         {Status: 400, Body: `{"message":"Too many requests"}`},
	"420":                   {Status: 420, Header: http.Header{"Retry-After": {"1"}}},
	"200 with an error":     {Status: 200, Body: `{"error":{"code":429,"message":"Slow down."}}`},
}

// Of each limit of requests, whatever tells it, follows what follows of a 429:
// what makes something is sent later, waits and refreshes go on, and no other
// token is asked for. Fault F43.
func TestLimits_toldOtherwise(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		quiet := acctest.NewForSubjects(t).Scenario(t)
		quiet.Resource(address, of.With(nil))
		usual := quiet.Apply().Must().Diagnostics
		usualTokens := quiet.Count(mockserver.RouteToken)
		usualLedger := len(quiet.Ledger().Entries)
		quiet.ResetJournal()
		quiet.Refresh().Must()
		var reads []string
		for _, route := range of.Reads {
			if quiet.Count(route) > 0 {
				reads = append(reads, route)
			}
		}
		for name, limit := range otherLimits {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t).Scenario(t)
				limit.Times = 3
				for _, route := range []string{of.Makes, of.Polls} {
					if route != "" {
						limit.Route = route
						w.Fault(limit)
					}
				}
				w.Resource(address, of.With(nil))
				said := w.Apply().Must().Diagnostics
				check.Equal(t, "tokens", w.Count(mockserver.RouteToken), usualTokens)
				if of.Makes != "" {
					w.WantCount(t, of.Makes, 4)
				}
				check.Equal(t, "warnings", len(said.Warnings()), len(usual.Warnings()))
				check.Equal(t, "what was bought", len(w.Ledger().Entries), usualLedger)
				for _, route := range reads {
					limit.Route = route
					w.Fault(limit)
				}
				w.Refresh().Must()
				w.ClearFaults()
				w.Plan().Must().WantEmpty()
			})
		}
	})
}

// A 503 may come from what is behind a gateway: a purchase that it answers may
// have been made, whenever it may be asked for again. Fault F4.
func TestLimits_notOfAPurchase(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Fault(mockserver.Fault{
		Route:     mockserver.RouteBatch,
		Status:    503,
		Header:    http.Header{"Retry-After": {"1"}, "X-Ratelimit-Remaining": {"0"}},
		AfterWork: true,
	})
	w.Resource("mediagen_generation_group.a", dawn("ada"))
	w.WantWarning(w.Apply().Must().Diagnostics, "Unconfirmed")
	w.WantCount(t, mockserver.RouteBatch, 1)
	check.Equal(t, "what was bought", len(w.Ledger().Entries), 1)
}

// A 2xx without content says of an update and a deletion that they are done.
// Fault F43.
func TestAcknowledgements(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"blanks": " \n", "null": "null", "true": "true", "object": "{}", "text": `"OK"`, "empty text": `""`,
		"line": "OK",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := acctest.NewForSubjects(t).Scenario(t)
			const address = "mediagen_character.new"
			w.Resource(address, core.Object{"name": "Eva"})
			w.Resource("mediagen_generation_group.a", dawn("ada"))
			w.Apply().Must()
			routes := []string{mockserver.RouteUpdate, mockserver.RouteDeleteGroup, mockserver.RouteDeleteCharacter}
			for _, route := range routes {
				w.Fault(mockserver.Fault{
					Route:     route,
					Body:      body,
					AfterWork: true,
				})
			}
			w.Resource(address, core.Object{"name": "Eve"})
			w.ResetJournal()
			w.Apply().Must()
			w.WantCount(t, mockserver.RouteUpdate, 1)
			check.Equal(t, "the name", w.State(address)["name"], any("Eve"))
			w.Plan().Must().WantEmpty()
			w.ResetJournal()
			w.Destroy().Must()
			w.WantCount(t, mockserver.RouteDeleteGroup, 1)
		})
	}
}

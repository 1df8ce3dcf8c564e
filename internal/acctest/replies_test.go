package acctest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// lostReplies do not tell whether a request was processed.
var lostReplies = map[string]mockserver.Fault{
	"dropped":         {DropAfterWork: true},
	"never processed": {DropBefore: true},
	"in the body":     {DropInBody: true},
	"truncated":       {Truncate: -1},
	"empty":           {Body: " ", AfterWork: true},
	"204":             {Status: 204, AfterWork: true},
	"a page":          {Body: "<html>hello</html>", AfterWork: true},
	"a page, undone":  {Body: "<html>hello</html>"},
	"a redirect":      {Status: 303, Header: http.Header{"Location": {"/v2/elsewhere"}}, AfterWork: true},
	"101":             {Status: 101, AfterWork: true},
	"408":             {Status: 408, AfterWork: true},
	"500":             {Status: 500, Body: `{"error":"internal"}`, AfterWork: true},
	"500, undone":     {Status: 500},
	"502":             {Status: 502, Body: "<html>bad gateway</html>", AfterWork: true},
	"503":             {Status: 503, Body: "down", AfterWork: true},
	"504":             {Status: 504, AfterWork: true},
}

// What makes something is sent once, whatever becomes of its reply. What may
// exist is recorded with a warning, and not made again; what has no state that
// could say so is an error. Fault F4.
func TestLostReplies(t *testing.T) {
	tier.Long(t, "each reply of all types is lost")
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, lost := range lostReplies {
			if of.Makes == "" {
				return
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t).Scenario(t)
				lost.Route = of.Makes
				lost.Nth = 1
				w.Fault(lost)
				w.Resource(address, of.With(nil))
				result := w.Apply()
				w.WantCount(t, of.Makes, 1)
				if result.Diagnostics.HasErrors() {
					check.True(
						t,
						"an error has no state that could say so",
						w.State(address) == nil && of.Polls == "" && of.Makes != mockserver.RouteRegenerate,
						w.State(address),
						result.Diagnostics,
					)
					w.ClearFaults()
					plan := w.Plan().Must()
					check.True(
						t,
						"the next plan announces it",
						plan.Action(address) == core.Create && len(plan.UnknownIDs(address)) != 0,
						plan,
					)
					return
				}
				check.True(
					t,
					"a warning and a state",
					len(result.Diagnostics.Warnings()) != 0 && !w.Tainted(address) && w.State(address) != nil,
					w.State(address),
					result.Diagnostics,
				)
				for range 3 {
					plan := w.Plan().Must()
					check.True(t, "it is not planned again", len(plan.UnknownIDs(address)) == 0, plan)
					w.ApplyPlan(plan).Must()
				}
				w.Plan().Must().WantEmpty()
				w.WantCount(t, of.Makes, 1)
			})
		}
	})
}

var refusals = map[string]mockserver.Fault{
	"402":           {Status: 402, Body: `{"error":"insufficient_credits","message":"said so"}`},
	"400":           {Status: 400, Body: `{"detail":"said so"}`},
	"403":           {Status: 403, Body: `{"error":"forbidden","message":"said so"}`},
	"404":           {Status: 404, Body: `{"error":"not_found","message":"said so"}`},
	"422":           {Status: 422, Body: `{"detail":[{"loc":["body","x"],"msg":"said so"}]}`},
	"success false": {Status: 200, Body: `{"success":false,"message":"said so"}`},
	"308": {
		Status: 308,
		Body:   `{"message":"said so"}`,
		Header: http.Header{"Location": {"https://www.example.com/v2"}},
	},
}

// What is refused is one error that quotes the service, and leaves nothing.
// Fault F22.
func TestRefusalsMakeNothing(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, refusal := range refusals {
			if of.Makes == "" || of.Makes == mockserver.RouteCreate && name == "success false" {
				continue // which may have created a character
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t).Scenario(t)
				refusal.Route = of.Makes
				w.Fault(refusal)
				w.Resource(address, of.With(nil))
				said := w.Apply().Diagnostics
				errors := said.Errors()
				check.True(
					t,
					"one error that quotes the service",
					len(errors) == 1 && (strings.Contains(strings.ToLower(errors[0].Detail), "said so") ||
						strings.Contains(errors[0].Detail, "This deployment does not offer")) &&
						!strings.Contains(errors[0].Detail, "lost"),
					said,
				)
				check.True(
					t,
					"nothing is left or bought",
					w.State(address) == nil && len(w.Ledger().Entries) == 0,
					w.State(address),
					w.Ledger().Entries,
				)
				asked := w.Count(of.Makes)
				askedTwice := asked == 2 &&
					refusal.Status == http.StatusForbidden // with a new token, if the former was accepted before
				check.True(t, "it was asked for once", asked == 1 || askedTwice, w.Story())
				w.ClearFaults()
				plan := w.Plan().Must()
				check.True(t, "the next plan announces it", plan.Action(address) == core.Create, plan)
				w.Apply().Must()
				w.WantCount(t, of.Makes, asked+1)
			})
		}
	})
}

// What proves that the service has not even looked at a request is sent again.
// Fault F1. Fault F3.
func TestWhatWasNotProcessedIsSentAgain(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Makes == "" {
			return
		}
		for _, unprocessed := range []mockserver.Fault{
			{Status: 401, Body: `{"error":"unauthorized"}`, Times: 1},
			{Status: 429, Times: 2, Header: http.Header{"Retry-After": {"7"}}},
		} {
			w := acctest.NewForSubjects(t).Scenario(t)
			unprocessed.Route = of.Makes
			w.Fault(unprocessed)
			w.Resource(address, of.With(nil))
			w.Apply().Must()
			w.WantCount(t, of.Makes, unprocessed.Times+1)
			w.Plan().Must().WantEmpty()
		}
	})
}

// inferred are endpoints that a deployment may lack: nothing says so but the
// reply.
var inferred = []string{
	mockserver.RouteCreate,
	mockserver.RouteUploadBody,
	mockserver.RouteGenerateDataset,
	mockserver.RouteDatasetStatus,
	mockserver.RouteApproval,
	mockserver.RouteStartFaceTraining,
}

// A deployment may lack any endpoint that a resource asks. What it cannot do is
// an error that leaves nothing behind, and no such answer proves that anything
// is gone. Fault F13b.
func TestMissingEndpoints(t *testing.T) {
	tier.Long(t, "each endpoint is missing, for all types")
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, route := range asked(t, address, of) {
			for status, missing := range mockserver.MissingRoute() {
				if status == 404 && !slices.Contains(inferred, route) {
					continue // where it is documented, a 404 is about the object
				}
				missing.Route = route
				t.Run(fmt.Sprint(status, " ", route), func(t *testing.T) {
					t.Parallel()
					misses(t, address, of, missing)
				})
			}
		}
	})
}

func asked(t *testing.T, address string, of acctest.Subject) (routes []string) {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Resource(address, of.With(nil))
	w.Apply().Must()
	w.Refresh().Must()
	for _, entry := range w.Journal() {
		if entry.Route != mockserver.RouteToken && !slices.Contains(routes, entry.Route) {
			routes = append(routes, entry.Route)
		}
	}
	return routes
}

func misses(t *testing.T, address string, of acctest.Subject, missing mockserver.Fault) {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	missing.MayStayUnmet = true // some endpoints are needed by the apply alone, some by the refresh
	w.Fault(missing)
	w.Resource(address, of.With(nil))
	said := w.Apply().Diagnostics
	met := w.Count(missing.Route)
	bought := len(w.Ledger().Entries)
	check.True(
		t,
		"an error leaves nothing",
		!said.HasErrors() || w.State(address) == nil && bought == 0,
		bought,
		w.State(address),
		said,
	)
	check.True(
		t,
		"nothing is bought, by one request",
		missing.Route != of.Makes || bought == 0 && w.Count(of.Makes) <= 1,
		w.Count(of.Makes),
		bought,
	)
	check.True(
		t,
		"it says so once, of the endpoint",
		!slices.Contains(inferred, missing.Route) ||
			strings.Contains(said.String(), "This deployment does not offer"),
		said,
	)
	w.ClearFaults()
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
	w.Refresh().Must()
	before := w.State(address)
	bought = len(w.Ledger().Entries)
	w.Fault(missing)
	w.ResetJournal()
	w.Refresh()
	plan := w.Plan()
	check.True(t, "the missing endpoint is asked for", met+w.Count(missing.Route) > 0, missing.Route)
	check.True(t, "it is not planned again", len(plan.UnknownIDs(address)) == 0, plan)
	check.True(t, "it is still there", w.State(address) != nil, before)
	w.ClearFaults()
	w.Plan(core.Refresh(false)).Must().WantEmpty()
	check.Equal(t, "what was bought", len(w.Ledger().Entries), bought)
}

func stormy(route string, times int) mockserver.Fault {
	return mockserver.Fault{
		Route:  route,
		Times:  times,
		Status: 429,
		Header: http.Header{"Retry-After": {"20"}},
		Body:   `{"error":"rate_limited","message":"Slow down."}`,
	}
}

// A refresh gives up a storm of 429s after five minutes, for all objects
// together. An apply that buys goes on, within its timeout. Both say so at
// INFO. Fault F3.
func TestStormEndsAPlanAndNoPurchase(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	for _, id := range []string{"ada", "bob"} {
		w.Resource("mediagen_character."+id, core.Object{"id": id})
		w.Resource("mediagen_body_lora_training."+id, core.Object{"character_id": id, "wait_for_completion": false})
		w.Resource("mediagen_generation_group."+id, dawn(id))
	}
	w.Apply().Must()
	before := w.Addresses()
	w.ResetJournal()
	everywhere(w, stormy("", 0))
	begun := w.Clock.Now()
	log := &infoLog{service: w.Service}
	said := w.ApplyContext(tflogtest.RootLogger(t.Context(), log)).Diagnostics
	check.True(
		t,
		"one error in full, and short ones",
		len(said.Find("Limit of Requests (429)")) == 6 && len(said) == 6 &&
			strings.Count(
				said.String(),
				"max_requests_per_minute",
			) == 1 && strings.Count(said.String(), "Slow down; no request has had another answer for five minutes, "+
			"so it was given up (429 Too Many Requests, rate_limited") == 6 &&
			strings.Count(said.String(), "the same failure as another object's") == 5,
		said,
	)
	check.True(
		t,
		"it ends",
		w.Clock.Now().Sub(begun) == 5*time.Minute && requested(w) == 16,
		w.Clock.Now().Sub(begun),
		w.Story(),
	)
	check.Equal(t, "lines", len(log.lines), 6)
	check.Equal(t, "state", w.Addresses(), before)

	w.ClearFaults()
	w.Resource("mediagen_generation_group.new", dawn(nil))
	plan := w.Plan().Must()
	w.ResetJournal()
	w.Fault(stormy(mockserver.RouteBatch, 30))
	w.ApplyPlan(plan).Must()
	w.WantCount(t, mockserver.RouteBatch, 31)
	w.Plan().Must().WantEmpty()
}

// What ends with a Ctrl-C names the 429s that it has waited for. Fault F7.
func TestInterruptedStormNamesTheLastAnswer(t *testing.T) {
	t.Parallel()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Resource("mediagen_body_lora_training.ada", core.Object{"character_id": "ada", "wait_for_completion": false})
	w.Apply().Must()
	refuses := stormy("", 0)
	refused := 0
	refuses.Reached = func() {
		refused++
		if refused == 4 {
			w.Interrupt()
		}
	}
	everywhere(w, refuses)
	said := w.Plan().Diagnostics
	w.WantError(
		said,
		"Limit of Requests (429)",
		"Slow down; the operation was interrupted (429 Too Many Requests, rate_limited",
		"max_requests_per_minute",
	)
}

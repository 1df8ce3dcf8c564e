package acctest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var refusals = map[string]mockserver.Fault{
	"402":           {Status: 402, Body: `{"error":"insufficient_credits","message":"said so"}`},
	"400":           {Status: 400, Body: `{"detail":"said so"}`},
	"403":           {Status: 403, Body: `{"error":"forbidden","message":"said so"}`},
	"404":           {Status: 404, Body: `{"error":"not_found","message":"said so"}`},
	"422":           {Status: 422, Body: `{"detail":[{"loc":["body","x"],"msg":"said so"}]}`},
	"success false": {Status: 200, Body: `{"success":false,"message":"said so"}`},
}

// What is refused is one error that quotes the service, and leaves nothing. The next apply makes
// it. Fault F22.
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
				check.True(t, "one error that quotes the service", len(errors) == 1 && (strings.Contains(strings.ToLower(errors[0].Detail), "said so") || strings.Contains(errors[0].Detail, "a deployment that does not offer it")) && !strings.Contains(errors[0].Detail, "lost"),
					said)
				check.True(t, "nothing is left or bought", w.State(address) == nil && len(w.Ledger().Entries) == 0, w.State(address), w.Ledger().Entries)
				w.WantCount(t, of.Makes, 1)
				w.ClearFaults()
				plan := w.Plan().Must()
				check.True(t, "the next plan announces it", plan.Action(address) == core.Create, plan)
				w.Apply().Must()
				w.WantCount(t, of.Makes, 2)
			})
		}
	})
}

// What proves that the service has not even looked at a request is sent again. Fault F1. Fault F3.
func TestWhatWasNotProcessedIsSentAgain(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		if of.Makes == "" {
			return
		}
		for _, unprocessed := range []mockserver.Fault{
			{Status: 401, Body: `{"error":"unauthorized"}`, Times: 1}, {Status: 429, Times: 2, Header: http.Header{"Retry-After": {"7"}}},
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

package acctest_test

import (
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
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
	"a redirect":      {Status: 307, Header: http.Header{"Location": {"/v2/elsewhere"}}, AfterWork: true},
	"408":             {Status: 408, AfterWork: true},
	"500":             {Status: 500, Body: `{"error":"internal"}`, AfterWork: true},
	"500, undone":     {Status: 500},
	"502":             {Status: 502, Body: "<html>bad gateway</html>", AfterWork: true},
	"503":             {Status: 503, Body: "down", AfterWork: true},
	"504":             {Status: 504, AfterWork: true},
}

// What makes something is sent once, whatever becomes of its reply. What may exist is recorded with
// a warning, and not made again; what has no state that could say so is an error. Fault F4.
func TestLostReplies(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, lost := range lostReplies {
			if of.Makes == "" {
				return
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				w := acctest.NewForSubjects(t).Scenario(t)
				lost.Route, lost.Nth = of.Makes, 1
				w.Fault(lost)
				w.Resource(address, of.With(nil))
				result := w.Apply()
				w.WantCount(t, of.Makes, 1)
				if result.Diagnostics.HasErrors() {
					check.True(t, "an error has no state that could say so", w.State(address) == nil && of.Polls == "" && of.Makes != mockserver.RouteRegenerate,
						w.State(address), result.Diagnostics)
					w.ClearFaults()
					plan := w.Plan().Must()
					check.True(t, "the next plan announces it", plan.Action(address) == core.Create && len(plan.UnknownIDs(address)) != 0, plan)
					return
				}
				check.True(t, "a warning and a state", len(result.Diagnostics.Warnings()) != 0 && !w.Tainted(address) && w.State(address) != nil,
					w.State(address), result.Diagnostics)
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

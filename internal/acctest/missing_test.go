package acctest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// inferred are endpoints that a deployment may lack: nothing says so but the reply.
var inferred = []string{
	mockserver.RouteCreate, mockserver.RouteUploadBody, mockserver.RouteGenerateDataset, mockserver.RouteDatasetStatus, mockserver.RouteApproval, mockserver.RouteStartFaceTraining,
}

// A deployment may lack any endpoint that a resource asks. What it cannot do is an error that
// leaves nothing behind, and no such answer proves that anything is gone. Fault F13b.
func TestMissingEndpoints(t *testing.T) {
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
	w.Fault(missing)
	w.Resource(address, of.With(nil))
	said, bought := w.Apply().Diagnostics, len(w.Ledger().Entries)
	check.True(t, "an error leaves nothing", !said.HasErrors() || w.State(address) == nil && bought == 0, bought, w.State(address), said)
	check.True(t, "nothing is bought, by one request", missing.Route != of.Makes || bought == 0 && w.Count(of.Makes) <= 1, w.Count(of.Makes), bought)
	check.True(t, "it says so once, of the endpoint", !slices.Contains(inferred, missing.Route) || strings.Contains(said.String(), "a deployment that does not offer it answers like this"),
		said)
	w.ClearFaults()
	w.Apply().Must()
	w.Plan().Must().WantEmpty()
	w.Refresh().Must()
	before, bought := w.State(address), len(w.Ledger().Entries)
	w.Fault(missing)
	w.Refresh()
	plan := w.Plan()
	check.True(t, "it is not planned again", len(plan.UnknownIDs(address)) == 0, plan)
	check.True(t, "it is still there", w.State(address) != nil, before)
	w.ClearFaults()
	w.Plan(core.Refresh(false)).Must().WantEmpty()
	check.Equal(t, "what was bought", len(w.Ledger().Entries), bought)
}

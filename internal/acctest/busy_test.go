package acctest_test

import (
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// busyRoutes change or delete something, and buy nothing.
var busyRoutes = []string{
	mockserver.RouteDeleteGroup, mockserver.RouteDelete, mockserver.RouteDeleteCharacter, mockserver.RouteUpdate, mockserver.RouteApproval, mockserver.RouteCancel,
}

const busyAnswer = `{"error":"busy","message":"Something else is going on with it."}`

// Each type is updated and destroyed while the service answers, to whatever buys nothing, that the object
// is busy. That passes, and nobody notices; or it does not, and the error quotes it, with all in the state.
// Fault F37.
func TestBusy(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for _, status := range []int{http.StatusConflict, http.StatusLocked, http.StatusTooEarly} {
			for change, updates := range changesOf(of) {
				undisturbed := newBusyScenario(t, address, of)
				undisturbed.change(t, updates)
				for _, route := range busyRoutes {
					if usual := undisturbed.Count(route); usual > 0 {
						name := fmt.Sprintf("%s, %s answers %d", change, route, status)
						passesBusy(t, name, newBusyScenario(t, address, of), updates, mockserver.Fault{Route: route, Status: status, Body: busyAnswer, Times: 2}, usual)
						staysBusy(t, name, newBusyScenario(t, address, of), updates, mockserver.Fault{Route: route, Status: status, Body: busyAnswer})
					}
				}
			}
		}
	})
}

// changesOf are the updates of a type, and its end, which is nil.
func changesOf(of acctest.Subject) map[string]core.Object {
	changes := map[string]core.Object{"destroy": nil}
	for name, update := range of.Updates {
		changes["update "+name] = update
	}
	return changes
}

type busyScenario struct {
	*acctest.Scenario
	address string
	config  core.Object
}

func newBusyScenario(t *testing.T, address string, of acctest.Subject) *busyScenario {
	t.Helper()
	w := acctest.NewForSubjects(t).Scenario(t)
	w.Resource(address, of.Config)
	w.Apply().Must()
	w.ResetJournal()
	return &busyScenario{w, address, of.Config}
}

func (s *busyScenario) change(t *testing.T, updates core.Object) *core.Result {
	t.Helper()
	if updates == nil {
		return s.Destroy()
	}
	config := maps.Clone(s.config)
	maps.Copy(config, updates)
	s.Resource(s.address, config)
	return s.Apply()
}

func passesBusy(t *testing.T, name string, s *busyScenario, updates core.Object, fault mockserver.Fault, usual int) {
	t.Helper()
	s.Fault(fault)
	said := s.change(t, updates)
	check.True(t, name+" twice: no error", len(said.Diagnostics.Errors()) == 0, said.Diagnostics)
	sent := s.Count(fault.Route)
	check.True(t, name+" twice: it is sent twice more", usual < sent && sent <= usual+2, sent, usual)
}

func staysBusy(t *testing.T, name string, s *busyScenario, updates core.Object, fault mockserver.Fault) {
	t.Helper()
	s.Fault(fault)
	said := s.change(t, updates)
	check.Contains(t, name+" for good", fmt.Sprint(said.Diagnostics), "Something else is going on with it")
	check.True(t, name+" for good: it is in the state", s.State(s.address) != nil, said.Diagnostics)
	check.True(t, name+" for good: requests", s.Count(fault.Route) < 100, s.Count(fault.Route))
	check.True(t, name+" for good: what is bought is bought once", s.Count(mockserver.RouteBatch) <= 1, s.Story())
}

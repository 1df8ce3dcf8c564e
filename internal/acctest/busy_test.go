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
	mockserver.RouteDeleteGroup, mockserver.RouteDelete, mockserver.RouteDeleteCharacter,
	mockserver.RouteUpdate, mockserver.RouteApproval, mockserver.RouteCancel,
}

const busyAnswer = `{"error":"busy","message":"Something else is going on with it."}`

// Each type is updated and destroyed while the service answers, to whatever
// buys nothing, that the object is busy. That passes, and nobody notices; or it
// does not, and the error quotes it, with all in the state. Fault F37.
func TestBusy(t *testing.T) {
	t.Parallel()
	acctest.EachSubject(t, func(t *testing.T, address string, of acctest.Subject) {
		for name, updates := range changesOf(of) {
			undisturbed := newBusyScenario(t, address, of)
			undisturbed.change(updates)
			for _, route := range busyRoutes {
				usual := undisturbed.Count(route)
				if usual == 0 {
					continue
				}
				for _, status := range []int{http.StatusConflict, http.StatusLocked, http.StatusTooEarly} {
					what := fmt.Sprintf("%s, %s answers %d", name, route, status)
					fault := mockserver.Fault{Route: route, Status: status, Body: busyAnswer}
					newBusyScenario(t, address, of).stays(what, fault, updates)
					fault.Times = 2
					newBusyScenario(t, address, of).passes(what, fault, updates, usual)
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

func (s *busyScenario) change(updates core.Object) *core.Result {
	s.T.Helper()
	if updates == nil {
		return s.Destroy()
	}
	config := maps.Clone(s.config)
	maps.Copy(config, updates)
	s.Resource(s.address, config)
	return s.Apply()
}

func (s *busyScenario) passes(what string, fault mockserver.Fault, updates core.Object, usual int) {
	s.T.Helper()
	s.Fault(fault)
	said := s.change(updates).Diagnostics
	check.True(s.T, what+" twice: no error", len(said.Errors()) == 0, said)
	sent := s.Count(fault.Route)
	check.True(s.T, what+" twice: it is sent twice more", usual < sent && sent <= usual+2, sent, usual)
}

func (s *busyScenario) stays(what string, fault mockserver.Fault, updates core.Object) {
	s.T.Helper()
	s.Fault(fault)
	said := s.change(updates).Diagnostics
	check.Contains(s.T, what+" for good", fmt.Sprint(said), "Something else is going on with it")
	check.True(s.T, what+" for good: it is in the state", s.State(s.address) != nil, said)
	check.True(s.T, what+" for good: requests", s.Count(fault.Route) < 100, s.Count(fault.Route))
	check.True(s.T, what+" for good: what is bought is bought once", s.Count(mockserver.RouteBatch) <= 1, s.Story())
}

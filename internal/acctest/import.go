package acctest

import (
	"reflect"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// BeforeOwnUpdate is what may happen between the import of a resource and its
// own first update. Each runs commands that do not get to that update, which the
// configuration needs.
func BeforeOwnUpdate() map[string]func(s *Scenario, address string, config core.Object) {
	const other = "mediagen_character.other"
	// after makes the resource wait for a change of a character, and disturbs
	// that change.
	after := func(disturb func(*Scenario)) func(*Scenario, string, core.Object) {
		return func(s *Scenario, address string, config core.Object) {
			s.Remove(address)
			id := s.AddCharacter(mockserver.CharacterSeed{Name: "Other"})
			s.Resource(other, core.Object{"id": id, "name": "Another"})
			s.Resource(address, config, core.DependsOn(other))
			before := s.State(address)
			for range 2 {
				disturb(s)
				result := s.Apply()
				s.ClearFaults()
				if !result.Diagnostics.HasErrors() || len(result.Changed) > 0 {
					s.T.Fatalf(
						"want an apply that changes nothing, changed %q:\n%s",
						result.Changed,
						result.Diagnostics,
					)
				}
			}
			if now := s.State(address); !reflect.DeepEqual(now, before) {
				s.T.Errorf("%s is %v, was %v", address, now, before)
			}
			s.Remove(other)
			s.Forget(other)
		}
	}
	return map[string]func(*Scenario, string, core.Object){
		"nothing": func(*Scenario, string, core.Object) {},
		"refresh-only applies": func(s *Scenario, _ string, _ core.Object) {
			for range 3 {
				s.Refresh().Must()
				s.Plan().Must() // which is not applied
			}
		},
		"applies that fail elsewhere": after(func(s *Scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteUpdate,
				Status: 422,
				Body:   `{"error":"refused"}`,
			})
		}),
		"Ctrl-C before its turn": after(func(s *Scenario) {
			s.Before(mockserver.RouteUpdate, s.Interrupt)
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteUpdate,
				Status: 422,
				Body:   `{"error":"refused"}`,
			})
		}),
	}
}

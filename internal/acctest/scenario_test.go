package acctest_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

type failure struct {
	testing.TB
	text string
}

func (f *failure) Helper()                             {}
func (f *failure) Errorf(format string, values ...any) { f.text += fmt.Sprintf(format, values...) }
func (f *failure) Fatalf(format string, values ...any) { f.Errorf(format, values...); runtime.Goexit() }

func TestScenario_wants(t *testing.T) {
	t.Parallel()
	s := acctest.NewScenario(t)
	const group = "mediagen_generation_group.g"
	s.AddCharacter(mockserver.CharacterSeed{ID: "ada", Name: "Ada"})
	s.Resource(
		group,
		core.Object{"character_id": "ada", "title": "Dawn", "prompts": core.Object{"a": core.Object{"prompt": "dawn"}}},
	)
	s.Apply().Must()
	warning := core.Diagnostic{Severity: core.Warning, Summary: "Odd Thing", Detail: "about Ada", Path: "name"}
	broken := core.Diagnostic{Severity: core.Error, Summary: "Broken Thing", Detail: "of Ada", Path: "id"}
	one := core.Diagnostics{warning}
	both := core.Diagnostics{warning, broken}
	twice := core.Diagnostics{warning, warning}
	type checks = []func(*acctest.Scenario)
	for fails, all := range map[bool]checks{
		false: {
			func(s *acctest.Scenario) { s.Want(group, core.Object{"title": "Dawn", `generations["a"].attempts`: 1}) },
			func(s *acctest.Scenario) { s.Want("mediagen_generation_group.other", core.Object{"title": nil}) },
			func(s *acctest.Scenario) { s.WantWarning(one, "Odd Thing", "about", "Ada") },
			func(s *acctest.Scenario) { s.WantError(both, "Broken Thing", "Ada") },
			func(s *acctest.Scenario) { s.WantMessage(both, "name", "Odd") },
			func(s *acctest.Scenario) { s.WantMessage(both, "id", "of Ada") },
			func(s *acctest.Scenario) { s.WantLines([]string{"one", "two"}, "tw", "on") },
		},
		true: {
			func(s *acctest.Scenario) { s.Want(group, core.Object{`generations["a"].attempts`: "1"}) },
			func(s *acctest.Scenario) { s.Want(group, core.Object{"title": nil}) },
			func(s *acctest.Scenario) { s.WantWarning(one, "Odd Thing", "about", "Bob") },
			func(s *acctest.Scenario) { s.WantWarning(both, "Odd Thing") },
			func(s *acctest.Scenario) { s.WantWarning(twice, "Odd Thing") },
			func(s *acctest.Scenario) { s.WantWarning(nil, "Odd Thing") },
			func(s *acctest.Scenario) { s.WantError(both, "Broken Thing", "Bob") },
			func(s *acctest.Scenario) { s.WantError(both, "Odd Thing") },
			func(s *acctest.Scenario) { s.WantMessage(both, "", "Odd") },
			func(s *acctest.Scenario) { s.WantMessage(both, "name", "Broken") },
			func(s *acctest.Scenario) { s.WantLines([]string{"one", "two"}, "one", "three") },
		},
	} {
		for i, want := range all {
			said := &failure{TB: t}
			done := make(chan struct{})
			go func() { // which a fatal failure ends
				defer close(done)
				want(&acctest.Scenario{Service: s.Service, Workspace: s.Workspace, T: said})
			}()
			<-done
			check.True(t, "it fails, or holds", (said.text != "") == fails, fails, i, said.text)
		}
	}
}

func TestRepeatable(t *testing.T) {
	t.Parallel()
	var took []time.Duration
	for range 5 {
		s := acctest.NewRepeatable(t)
		s.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
		s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 1, Times: 3, Status: 503})
		w := s.Scenario(t)
		w.Resource(
			"mediagen_generation_group.g",
			core.Object{"character_id": "ada", "prompts": core.Object{"a": core.Object{"prompt": "A"}}},
		)
		w.Apply().Must()
		s.WantCount(t, mockserver.RouteBatch, 1)
		took = append(took, s.Clock.Slept())
	}
	for _, duration := range took {
		check.Equal(t, "how long the same run takes", duration, took[0])
	}
}

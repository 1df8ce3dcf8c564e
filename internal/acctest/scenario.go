package acctest

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Scenario is the setting of most tests: a mock service with its clock, and an
// in-process Terraform workspace that uses it. A domain extends it by
// embedding.
type Scenario struct {
	*Service
	*core.Workspace
	T testing.TB
}

// NewScenario returns a scenario with a new service.
func NewScenario(t testing.TB, change ...func(*mockserver.Options)) *Scenario {
	t.Helper()
	return NewService(t, change...).Scenario(t)
}

// Scenario returns an empty workspace with its own state. Its provider block
// names this service and its key.
func (s *Service) Scenario(t testing.TB) *Scenario {
	t.Helper()
	workspace := core.New(t, s.Provider, core.Object{"base_url": s.URL, "api_key": APIKey})
	workspace.Finish(s.finish)
	return &Scenario{s, workspace, t}
}

// Set replaces the provider block by this service's address, its key and these
// settings.
func (s *Scenario) Set(settings core.Object) {
	s.T.Helper()
	all := core.Object{"base_url": s.URL, "api_key": APIKey}
	maps.Copy(all, settings)
	s.Workspace.Provider(all)
}

// Applies writes a resource, and applies the configuration.
func (s *Scenario) Applies(address string, config core.Object, options ...core.ResourceOption) *core.Result {
	s.T.Helper()
	s.Resource(address, config, options...)
	return s.Apply().Must()
}

// Plans writes a resource, and plans the configuration.
func (s *Scenario) Plans(address string, config core.Object, options ...core.ResourceOption) *core.Plan {
	s.T.Helper()
	s.Resource(address, config, options...)
	return s.Plan().Must()
}

// Want checks attributes in the state by their paths, as in `parts["a"].id`;
// nil means null, or a missing resource. An int matches any whole number.
func (s *Scenario) Want(address string, attributes core.Object) {
	s.T.Helper()
	for path, want := range attributes {
		if number, ok := want.(int); ok {
			want = int64(number)
		}
		if got := s.Value(address, path); !reflect.DeepEqual(got, want) {
			s.T.Errorf("%s: %s is %v (%[3]T), want %v (%[4]T)", address, path, got, want)
		}
	}
}

// WantWarning checks that there is one warning with this summary and all the
// details, and no error.
func (s *Scenario) WantWarning(diagnostics core.Diagnostics, summary string, details ...string) {
	s.T.Helper()
	if diagnostics.HasErrors() {
		s.T.Fatalf("want no error, got:\n%s", diagnostics)
	}
	s.wantOne(diagnostics, summary, details)
}

// WantError checks that there is one error with this summary and all the
// details. If the summary is a shared cause, the error's detail names the
// object and the failed operation.
func (s *Scenario) WantError(diagnostics core.Diagnostics, summary string, details ...string) {
	s.T.Helper()
	s.wantOne(diagnostics.Errors(), summary, details)
}

func (s *Scenario) wantOne(diagnostics core.Diagnostics, summary string, details []string) {
	s.T.Helper()
	found := slices.DeleteFunc(slices.Clone(diagnostics), func(said core.Diagnostic) bool {
		return !strings.Contains(said.Summary, summary) &&
			!strings.Contains(said.Detail+"\n", " ("+strings.TrimPrefix(summary, "Unable to ")+")\n")
	})
	if len(found) != 1 {
		s.T.Fatalf("want one message %q, got:\n%s", summary, diagnostics)
	}
	for _, detail := range details {
		if !strings.Contains(found[0].Detail, detail) {
			s.T.Errorf("the message does not say %q:\n%s", detail, found[0])
		}
	}
}

// WantSilent checks that no message has one of the summaries.
func (s *Scenario) WantSilent(diagnostics core.Diagnostics, summaries ...string) {
	s.T.Helper()
	for _, summary := range summaries {
		if found := diagnostics.Find(summary); len(found) > 0 {
			s.T.Errorf("nothing gives cause to say:\n%s", found)
		}
	}
}

// WantMessage checks that a message is about an attribute ("" is none), and
// that its summary or detail contains the text.
func (s *Scenario) WantMessage(diagnostics core.Diagnostics, path, text string) {
	s.T.Helper()
	for _, found := range diagnostics.At(path) {
		if strings.Contains(found.Summary+"\n"+found.Detail, text) {
			return
		}
	}
	s.T.Errorf("no message on %q says %q; the messages:\n%s", path, text, diagnostics)
}

// WantLines checks that each text is in one of the lines that an action prints.
func (s *Scenario) WantLines(lines []string, want ...string) {
	s.T.Helper()
	for _, text := range want {
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, text) }) {
			s.T.Errorf("no line says %q:\n%s", text, strings.Join(lines, "\n"))
		}
	}
}

package training_test

import (
	"maps"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// address is the training of most scenarios.
const address = "mediagen_body_lora_training.t"

// scenario is a service with one character that can be trained.
type scenario struct {
	*acctest.Service
	*core.Workspace
	t         *testing.T
	character string
}

func begin(t *testing.T, change ...func(*mockserver.Options)) *scenario {
	t.Helper()
	service := acctest.NewService(t, change...)
	character := service.AddCharacter(mockserver.CharacterSeed{Name: "Ada", FaceImages: 10})
	return &scenario{Service: service, Workspace: service.Workspace(t), t: t, character: character}
}

// configure writes the training of the scenario's character.
func (s *scenario) configure(more core.Object, options ...core.ResourceOption) {
	s.t.Helper()
	config := core.Object{"character_id": s.character}
	maps.Copy(config, more)
	s.Resource(address, config, options...)
}

// round is a value of triggers.
func round(n string) core.Object { return core.Object{"triggers": core.Object{"round": n}} }

// wantPaid checks how many trainings were ever asked for.
func (s *scenario) wantPaid(want int) {
	s.t.Helper()
	s.WantCount(s.t, mockserver.RouteStartTraining, want)
}

// want checks attributes in the state.
func (s *scenario) want(attributes core.Object) {
	s.t.Helper()
	state := s.State(address)
	for name, want := range attributes {
		if got := state[name]; got != want {
			s.t.Errorf("%s is %v, want %v; the state is %v", name, got, want, state)
		}
	}
}

// wantWarning checks that there is one warning of a summary, and no error.
func (s *scenario) wantWarning(diagnostics core.Diagnostics, summary string, details ...string) {
	s.t.Helper()
	found := diagnostics.Warnings().Find(summary)
	if len(found) != 1 || diagnostics.HasErrors() {
		s.t.Fatalf("want one warning %q and no error, got:\n%s", summary, diagnostics)
	}
	for _, detail := range details {
		if !strings.Contains(found[0].Detail, detail) {
			s.t.Errorf("the warning does not say %q:\n%s", detail, found[0])
		}
	}
}

// wantError checks that an operation failed with a summary.
func (s *scenario) wantError(diagnostics core.Diagnostics, summary string, details ...string) {
	s.t.Helper()
	found := diagnostics.Errors().Find(summary)
	if len(found) != 1 {
		s.t.Fatalf("want one error %q, got:\n%s", summary, diagnostics)
	}
	for _, detail := range details {
		if !strings.Contains(found[0].Detail, detail) {
			s.t.Errorf("the error does not say %q:\n%s", detail, found[0])
		}
	}
}

// wantKept checks what promise 2 says of every end of a wait: the training is
// in the state, complete and untainted, and nothing was bought twice.
func (s *scenario) wantKept() {
	s.t.Helper()
	if s.Tainted(address) {
		s.t.Error("the training is tainted")
	}
	jobs := s.Trainings(s.character)
	if len(jobs) != 1 {
		s.t.Fatalf("the service has %d trainings, want 1", len(jobs))
	}
	s.want(core.Object{"id": jobs[0].JobID, "succeeded": nil})
	s.wantPaid(1)
}

// interruption is a Ctrl-C, and when it came.
type interruption struct{ at atomic.Int64 }

// of is for a fault's Reached: it interrupts the scenario's operation, once.
func (i *interruption) of(s *scenario) func() {
	return func() {
		if i.at.CompareAndSwap(0, time.Now().UnixNano()) {
			s.Interrupt()
		}
	}
}

// wantPrompt checks that the operation, which has just returned, did so within
// three seconds of its interruption.
func (i *interruption) wantPrompt(t *testing.T) {
	t.Helper()
	if at := i.at.Load(); at == 0 {
		t.Error("the operation was not interrupted")
	} else if took := time.Since(time.Unix(0, at)); took > 3*time.Second {
		t.Errorf("the operation returned %s after its interruption", took)
	}
}

// wantResumed checks that the next apply waits to the end and buys nothing.
func (s *scenario) wantResumed() {
	s.t.Helper()
	s.ClearFaults()
	plan := s.Plan().Must()
	if plan.Action(address) != core.Update || len(plan.UnknownIDs(address)) != 0 {
		s.t.Errorf("want an update that buys nothing, got:\n%s", plan)
	}
	s.Apply().Must()
	s.want(core.Object{"succeeded": true})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

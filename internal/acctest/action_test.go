package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// newActions opens a terminal in the example of an action, on a CLI that has
// actions.
func newActions(t *testing.T, s *acctest.Service, example string) *terminal {
	t.Helper()
	m := newTerminal(t, s, filepath.Join(examples, "actions", example))
	m.needs(tfversion.Version1_14_0, "actions")
	return m
}

func (m *terminal) wantSays(output string, lines ...string) {
	m.t.Helper()
	for _, line := range lines {
		if !strings.Contains(output, line) {
			m.t.Errorf("the CLI does not say %q:\n%s", line, output)
		}
	}
}

func TestAccActions_generationsAreAwaited(t *testing.T) {
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_await_generations")
	m.wantSays(m.run("apply", "-auto-approve"), "for 2 generations", "2 of 2 generations have ended")
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteBatch, 1)
}

func TestAccActions_trainingIsAwaited(t *testing.T) {
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_await_training")
	m.wantSays(m.run("apply", "-auto-approve"), `of character "char_000001"`, "has succeeded")
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteStartTraining, 1)
}

// Terraform 1.16 invokes the action even though nothing was created.
func TestAccActions_afterAFailedCreateCostNothing(t *testing.T) {
	t.Parallel()
	for example, route := range map[string]string{
		"mediagen_await_generations": mockserver.RouteBatch,
		"mediagen_await_training":    mockserver.RouteStartTraining,
	} {
		t.Run(example, func(t *testing.T) {
			t.Parallel()
			s := newExampleService(t)
			m := newActions(t, s, example)
			s.Fault(mockserver.Fault{Route: route, Status: 402, Body: `{"error":"no_credits"}`})
			before := len(s.Ledger().Entries)
			if output, code := m.try("apply", "-auto-approve", "-no-color"); code == 0 || !strings.Contains(output, "402") {
				t.Errorf("exit code %d:\n%s", code, output)
			}
			s.WantCount(t, route, 1)
			if bought := s.Ledger().Entries[before:]; len(bought) > 0 {
				t.Errorf("bought %+v", bought)
			}
			if state, _ := m.try("state", "list"); strings.Contains(state, "mediagen_") {
				t.Errorf("the state has %s", state)
			}
		})
	}
}

// A failed training fails the apply, and is neither tainted nor bought again.
func TestAccActions_failedTrainingIsNotTainted(t *testing.T) {
	t.Parallel()
	s := newExampleService(t)
	m := newActions(t, s, "mediagen_await_training")
	s.FailNextTraining()
	if output, code := m.try("apply", "-auto-approve", "-no-color"); code == 0 || !strings.Contains(output, "Body LoRA Training Failed") {
		t.Errorf("exit code %d:\n%s", code, output)
	}
	m.wantNoChanges()
	s.WantCount(t, mockserver.RouteStartTraining, 1)
}

func TestAccActions_trainingIsCancelled(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t)
	job := s.StartTrainingElsewhere(s.AddCharacter(mockserver.CharacterSeed{Name: "Ada"}))
	m := newActions(t, s, "mediagen_cancel_training")
	output := m.run("apply", "-auto-approve", "-invoke=action.mediagen_cancel_training.stop", "-var=job_id="+job)
	m.wantSays(output, "Cancelling training", "it was cancelled")
	s.WantCount(t, mockserver.RouteCancel, 1)
}

// A wait that is interrupted ends within three seconds.
func TestAccActions_endWhenInterrupted(t *testing.T) {
	t.Parallel()
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{Name: "Ada", FaceImages: 1})
	m := newActions(t, s, "mediagen_await_training")
	ctx, interrupt := context.WithCancel(context.WithoutCancel(t.Context()))
	defer interrupt()
	command := exec.CommandContext(ctx, m.cli, "apply", "-auto-approve", "-no-color")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	interrupted := make(chan time.Time, 1)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Reached: func() {
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: 1, Reached: func() {
			interrupted <- time.Now()
			interrupt()
		}})
	}})
	output, code := m.execute(command)
	ended := time.Now()
	select {
	case began := <-interrupted:
		if took := ended.Sub(began); code == 0 || took > 3*time.Second {
			t.Errorf("exit code %d, %s after the interrupt:\n%s", code, took, output)
		}
	default:
		t.Fatalf("nothing was interrupted:\n%s", output)
	}
	s.WantCount(t, mockserver.RouteStartTraining, 1)
	s.WantCount(t, mockserver.RouteCancel, 0)
	state, _ := m.try("state", "list")
	m.wantSays(state, "mediagen_body_lora_training.lead")
}

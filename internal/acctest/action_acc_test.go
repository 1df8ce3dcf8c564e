package acctest_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newActions(t *testing.T, s *acctest.Service, example string) *terminal {
	t.Helper()
	m := newTerminal(t, s, filepath.Join(examples, "actions", example))
	m.needs(tfversion.Version1_14_0, "actions")
	return m
}

func (m *terminal) wantSays(output string, lines ...string) {
	m.t.Helper()
	check.Contains(m.t, "what the CLI says", output, lines...)
}

func TestAccActions_generationsAreAwaited(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_await_generations")
	m.wantSays(m.run("apply", "-auto-approve"), "for 2 generations", "2 of 2 generations have ended")
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteBatch, 1)
}

func TestAccActions_trainingIsAwaited(t *testing.T) {
	t.Parallel()
	m := newActions(t, newExampleService(t), "mediagen_await_training")
	m.wantSays(m.run("apply", "-auto-approve"), `of character "char_ada"`, "has succeeded")
	m.wantNoChanges()
	m.WantCount(t, mockserver.RouteStartTraining, 1)
}

const afterCreate = versions + `
resource %[1]q "it" {
  wait_for_completion = false
  %[2]s
  lifecycle {
    action_trigger {
      events     = [after_create]
      actions    = [action.%[3]s.it]
      on_failure = %[5]s
    }
  }
}

action %[3]q "it" {
  config {
    %[4]s
  }
}
`

func newAfterCreate(t *testing.T, s *acctest.Service, action, onFailure string) *terminal {
	t.Helper()
	m := newTerminal(t, s, t.TempDir())
	m.needs(version.Must(version.NewVersion("1.16.0")), "on_failure and caller")
	of := map[string][]any{
		"mediagen_await_generations": {
			"mediagen_generation_group", `prompts = { for text in ["calm", "storm"] : text => { prompt = text } }`,
			action, "generation_ids = [for generation in caller.generations : generation.id]", onFailure,
		},
		"mediagen_await_training": {
			"mediagen_body_lora_training",
			`character_id = "char_ada"`,
			action,
			"character_id = caller.character_id\njob_id = caller.id",
			onFailure,
		},
	}
	m.write("main.tf", fmt.Sprintf(afterCreate, of[action]...))
	return m
}

// Terraform 1.16 invokes the action even though nothing was created.
func TestAccActions_afterAFailedCreateCostNothing(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	for action, route := range map[string]string{
		"mediagen_await_generations": mockserver.RouteBatch,
		"mediagen_await_training":    mockserver.RouteStartTraining,
	} {
		t.Run(action, func(t *testing.T) {
			t.Parallel()
			s := newExampleService(t)
			m := newAfterCreate(t, s, action, "halt")
			s.Fault(mockserver.Fault{Route: route, Status: 402, Body: `{"error":"no_credits"}`})
			before := len(s.Ledger().Entries)
			m.refuses([]string{"402"}, "apply", "-auto-approve")
			s.WantCount(t, route, 1)
			bought := s.Ledger().Entries[before:]
			check.True(t, "nothing is bought", len(bought) == 0, bought)
			state, _ := m.try("state", "list")
			check.True(t, "the state has nothing", !strings.Contains(state, "mediagen_"), state)
		})
	}
}

// After taint the next plan replaces the whole group; continue makes a warning
// of the failure.
func TestAccActions_onFailure(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	for mode, changes := range map[string]int{"taint": 2, "halt": 0, "continue": 0} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			s := newExampleService(t)
			s.FailPrompt("storm", "no picture of that")
			m := newAfterCreate(t, s, "mediagen_await_generations", mode)
			said, code := m.try("apply", "-auto-approve", "-no-color")
			check.True(
				t,
				"the apply",
				(code == 0) == (mode == "continue") && strings.Contains(said, "Generations Without Results"),
				code,
				said,
			)
			planned, code := m.try("plan", "-detailed-exitcode", "-no-color")
			check.Equal(t, "the exit code of the plan", code, changes)
			saysTainted := strings.Contains(planned, "is tainted, so must be replaced")
			check.True(t, "what the plan says", saysTainted == (mode == "taint"), planned)
			s.WantCount(t, mockserver.RouteBatch, 1)
		})
	}
}

func TestAccActions_failedTrainingIsNotTainted(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := newExampleService(t)
	m := newAfterCreate(t, s, "mediagen_await_training", "halt")
	s.FailNextTraining()
	m.refuses([]string{"Body LoRA Training Failed"}, "apply", "-auto-approve")
	m.wantNoChanges()
	s.WantCount(t, mockserver.RouteStartTraining, 1)
}

func TestAccActions_trainingIsCancelled(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := acctest.NewService(t)
	job := s.StartTrainingElsewhere(s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada"}))
	m := newActions(t, s, "mediagen_cancel_training")
	m.replace("action.tf", "job_000001", job)
	output := m.run("apply", "-auto-approve", "-invoke=action.mediagen_cancel_training.stop")
	m.wantSays(output, "Cancelling training", "it was cancelled")
	s.WantCount(t, mockserver.RouteCancel, 1)
}

// Outputs of the group are as old as its create: the documented way has the
// results at once.
func TestAccActions_resultsAfterTheWait(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = time.Minute })
	s.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Reached: func() { s.Clock.Advance(time.Minute) }})
	m := newTerminal(t, s, filepath.Join(examples, "awaited-results"))
	m.needs(tfversion.Version1_14_0, "actions")
	m.write(
		"stale.tf",
		`output "stale" { value = [for generation in mediagen_generation_group.portraits.generations : `+
			`generation.status] }`,
	)
	m.wantSays(m.run("apply", "-auto-approve"), "2 of 2 generations have ended")
	m.wantResults("morning", "stage")
	var stale []string
	m.output("stale", &stale)
	check.True(
		t,
		"the group's own outputs are stale, of which the documentation warns",
		strings.Join(stale, " ") == "queued queued",
		stale,
	)
	m.run("apply", "-auto-approve") // takes the statuses over
	m.wantNoChanges()
	m.replace("main.tf", `    stage `, "    night   = \"At night\"\n    stage ")
	m.wantSays(m.run("apply", "-auto-approve"), "3 of 3 generations have ended")
	m.wantResults("morning", "night", "stage")
	s.WantCount(t, mockserver.RouteBatch, 2)
}

// A prompt that is rejected is waited for by nobody, and blocks nothing later.
func TestAccActions_resultsOfTheRest(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "awaited-results"))
	m.needs(tfversion.Version1_14_0, "actions")
	m.RejectPrompt("stage", "not allowed")
	m.wantSays(m.run("apply", "-auto-approve"), "1 generation without an id is skipped", "1 of 1 generation has ended")
	m.run("apply", "-auto-approve") // takes the statuses over
	m.wantNoChanges()
	m.run("destroy", "-auto-approve")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

func (m *terminal) wantResults(keys ...string) {
	m.t.Helper()
	results := map[string][]string{}
	m.output("results", &results)
	check.Equal(m.t, "the keys with results", slices.Sorted(maps.Keys(results)), keys)
	for key, addresses := range results {
		if len(addresses) != 1 {
			m.t.Errorf("%s has the addresses %q", key, addresses)
			continue
		}
		reply, err := http.Get(addresses[0])
		check.Must(m.t, err)
		reply.Body.Close()
		check.True(
			m.t,
			key,
			reply.StatusCode == http.StatusOK && reply.Header.Get("Content-Type") == "image/png",
			reply.Status,
			reply.Header,
		)
	}
}

func (m *terminal) replace(name, old, by string) {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.directory, name))
	if err != nil || !strings.Contains(string(content), old) {
		m.t.Fatalf("%s has no %q: %v", name, old, err)
	}
	m.write(name, strings.ReplaceAll(string(content), old, by))
}

func TestAccActions_endWhenInterrupted(t *testing.T) {
	tier.Long(t, "a further story of the actions")
	t.Parallel()
	s := acctest.NewService(t)
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada", FaceImages: 1})
	m := newActions(t, s, "mediagen_await_training")
	m.endsWhenInterrupted(func(interrupt func()) {
		s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Reached: func() {
			s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: 1, Reached: interrupt})
		}})
	})
	m.wantRequests(map[string]int{mockserver.RouteStartTraining: 1, mockserver.RouteCancel: 0})
	state, _ := m.try("state", "list")
	m.wantSays(state, "mediagen_body_lora_training.lead")
}

func (m *terminal) endsWhenInterrupted(arrange func(interrupt func())) {
	m.t.Helper()
	ctx, interrupt := context.WithCancel(context.WithoutCancel(m.t.Context()))
	defer interrupt()
	command := exec.CommandContext(ctx, m.cli, "apply", "-auto-approve", "-no-color")
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	interrupted := make(chan time.Time, 1)
	arrange(func() {
		interrupted <- time.Now()
		interrupt()
	})
	output, code := m.execute(command)
	ended := time.Now()
	select {
	case began := <-interrupted:
		took := ended.Sub(began)
		check.True(m.t, "a prompt return and an exit code", code != 0 && took <= promptly, code, took, output)
	default:
		m.t.Fatalf("nothing was interrupted:\n%s", output)
	}
}

package training_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestFlagThatIsNotKnownYetMayResume(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	s.configure(core.Object{"wait_for_completion": core.UnknownUntilApply(true)})
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true, "wait_for_completion": true})
	s.wantPaid(1)
}

func TestInterruptedUpdateIsResumed(t *testing.T) {
	t.Parallel()
	for nth := 1; nth <= 6; nth++ {
		t.Run(fmt.Sprint(nth), func(t *testing.T) {
			t.Parallel()
			acctest.Bubble(t, func(t *testing.T) {
				s := newScenario(t)
				s.configure(core.Object{"wait_for_completion": false})
				s.Apply().Must()
				s.configure(nil)
				var ctrlC interruption
				s.Fault(mockserver.Fault{Nth: nth, Reached: ctrlC.of(s)})
				s.Apply()
				ctrlC.wantPrompt(t)
				s.wantKept()
				s.wantResumed()
			})
		})
	}
}

// Fault F6b.
func TestJobRestartedElsewhereStartsNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	job := s.Trainings(s.character)[0].JobID
	s.CancelTrainingElsewhere(s.character, job)
	s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	s.Apply().Must()
	s.Want(address, core.Object{"id": job, "succeeded": false})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

func TestFlagsAreWrittenWithoutARequest(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(nil)
	s.Apply().Must()
	before := s.State(address)
	s.ResetJournal()
	s.configure(core.Object{"wait_for_completion": false, "timeouts": core.Object{"update": "1h"}})
	plan := s.Plan().Must()
	if change := plan.Change(address); change.Action != core.Update {
		t.Fatalf("want an update, got:\n%s", plan)
	} else {
		for name, value := range change.After {
			if value == core.Unknown {
				t.Errorf("%s is unknown in the plan", name)
			}
		}
	}
	s.ApplyPlan(plan).Must()
	s.WantCount(t, mockserver.RouteTraining, 1)
	if count := len(s.Journal()); count != 3 { // the plan's token and its read, and the apply's token
		t.Errorf("%d requests:\n%s", count, s.Story())
	}
	for name, value := range before {
		if name != "wait_for_completion" && name != "timeouts" && s.Value(address, name) != value {
			t.Errorf("%s was %v, and is %v", name, value, s.Value(address, name))
		}
	}
	s.Plan().WantEmpty()
}

func TestTrainingWithoutAWaitIsFollowedLater(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	s.wantKept()
	s.Plan().WantEmpty()
	s.configure(nil)
	plan := s.Plan().Must()
	if plan.Action(address) != core.Update || plan.Change(address).After["succeeded"] != core.Unknown {
		t.Errorf("want a wait, got:\n%s", plan)
	}
	s.wantResumed()
}

func TestRefreshFinishesATrainingNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	s.Clock.Advance(time.Hour)
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

func TestResumedWaitMayTimeOutToo(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"timeouts": core.Object{"create": "1m", "update": "2m"}})
	s.Apply().Must()
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Still Running")
	s.wantKept()
	s.configure(core.Object{"timeouts": core.Object{"update": "1h"}})
	s.wantResumed()
}

// A plan that resumes a wait shows as unknown only what the wait may change.
// The service's second thoughts about the rest change nothing.
func TestResumedWaitPlansLittle(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"timeouts": core.Object{"create": "3m"}})
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
		if job, ok := status["character_training"].(map[string]any); ok {
			job["job_type"], job["created_at"] = "body_lora_2", "yesterday"
		}
	}})
	plan := s.Plan().Must()
	var unknown []string
	for name, value := range plan.Change(address).After {
		if value == core.Unknown {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	if want := []string{"status", "succeeded", "updated_at"}; !slices.Equal(unknown, want) {
		t.Errorf("unknown are %v, want %v", unknown, want)
	}
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true, "job_type": "body_lora"})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

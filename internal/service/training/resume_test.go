package training_test

import (
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestFlagThatIsNotKnownYetMayResume(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	s.applies(core.Object{"wait_for_completion": core.UnknownUntilApply(true)})
	s.Want(address, core.Object{"succeeded": true, "wait_for_completion": true})
	s.wantPaid(1)
}

// Fault F6b.
func TestJobRestartedElsewhereStartsNothing(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	job := s.Trainings(s.character)[0].JobID
	s.CancelTrainingElsewhere(s.character, job)
	s.StartTrainingElsewhere(s.character)
	s.applies(nil)
	s.Want(address, core.Object{"id": job, "succeeded": false})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

func TestRefreshFinishesATrainingNobodyWaitsFor(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false})
	s.Clock.Advance(time.Hour)
	s.Refresh().Must()
	s.Want(address, core.Object{"succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// A plan that resumes a wait shows as unknown only what the wait may change.
// The service's second thoughts about the rest change nothing.
func TestResumedWaitPlansLittle(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"timeouts": core.Object{"create": "3m"}})
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

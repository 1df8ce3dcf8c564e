package work_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const other = "mediagen_body_lora_training.other"

// left is what a destroy says of a job that it does not cancel.
const left = "Running Training Is Not Cancelled: body LoRA training "

// A job that no reply to this resource has named is only forgotten, and a
// replacement does not begin beside it. Fault F20.
func TestImportedJobIsNotCancelled(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]core.PlanOption{
		"destroyed": core.Destroying(),
		"replaced":  core.Replacing(address),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			job := s.StartTrainingElsewhere(s.character)
			s.configure(core.Object{"wait_for_completion": false})
			s.Import(address, s.character+"/"+job).Must()
			s.Apply().Must()
			plan := s.Plan(option)
			if name == "destroyed" { // of the warnings about a replacement the CLI drops these
				s.WantWarning(
					plan.Diagnostics,
					left,
					job,
					"not started",
					"mediagen_cancel_training",
				)
			}
			result := s.ApplyPlan(plan)
			check.True(
				t,
				"the apply says it",
				len(result.Diagnostics.Find("Running Training Was Not Cancelled: body LoRA training "+job)) == 1,
				result.Diagnostics,
			)
			s.WantCount(t, mockserver.RouteCancel, 0)
			found := s.Trainings(s.character)
			check.True(t, "it is not cancelled", len(found) == 1 && found[0].Status != "cancelled", found)
			s.wantPaid(0)
			if name == "replaced" {
				s.WantError(result.Diagnostics, "Unable to Start Body LoRA Training", "Nothing was bought")
				s.Clock.Advance(time.Hour)
				s.Apply().Must()
				s.wantPaid(1)
			}
		})
	}
}

// sharing is a scenario with a training that was started, and another resource
// that has imported its job.
func sharing(t *testing.T) *scenario {
	t.Helper()
	s := beginRunning(t)
	s.Resource(other, core.Object{"character_id": s.character, "wait_for_completion": false})
	s.Import(other, s.character+"/"+s.Trainings(s.character)[0].JobID).Must()
	s.Apply().Must()
	return s
}

// The destroy of one of two resources leaves the job to the other.
// Fault F20.
func TestOneOfTwoResourcesLeavesTheJob(t *testing.T) {
	t.Parallel()
	for removed, reason := range map[string]string{address: "another resource", other: "not started"} {
		t.Run(removed, func(t *testing.T) {
			t.Parallel()
			s := sharing(t)
			s.Plan().WantEmpty()
			s.Refresh().Must()
			s.Remove(removed)
			s.WantWarning(s.Apply().Must().Diagnostics, left, reason)
			s.WantCount(t, mockserver.RouteCancel, 0)
			s.Plan().WantEmpty()
			s.wantPaid(0)
		})
	}
}

// Whoever gives up a running job before another that holds it was read cannot
// know of it: the other refuses the plan. Nothing cancels a job that has ended.
// Fault F20.
func TestRunningJobOfAnotherResourceIsNotCancelled(t *testing.T) {
	t.Parallel()
	type row struct {
		give    func(*scenario)
		options []core.PlanOption
	}
	check.Each(t, map[string]row{
		"replaced":       {func(*scenario) {}, []core.PlanOption{core.Replacing(address)}},
		"other triggers": {func(s *scenario) { s.configure(round("2")) }, nil},
		"removed":        {func(s *scenario) { s.Remove(address) }, []core.PlanOption{core.Reversed()}},
	}, func(t *testing.T, test row) {
		s := sharing(t)
		test.give(s)
		s.WantError(
			s.Apply(test.options...).Diagnostics,
			"Training of Another Resource Would Be Cancelled",
			s.Trainings(s.character)[0].JobID,
			"depends_on",
		)
		s.Clock.Advance(time.Hour)
		s.Apply(test.options...).Must()
		s.WantCount(t, mockserver.RouteCancel, 0)
	})
}

// One that is planned after the other leaves the job to it, and so cannot start
// another, whether the other was read before it or only planned. Fault F20.
func TestReplacementLeavesTheJobOfAnotherResource(t *testing.T) {
	t.Parallel()
	for _, refresh := range []bool{true, false} {
		s := sharing(t)
		plan := s.Plan(core.Replacing(address), core.Reversed(), core.Refresh(refresh)).Must()
		s.WantError(s.ApplyPlan(plan).Diagnostics, "Unable to Start Body LoRA Training", "Nothing was bought")
		s.WantCount(t, mockserver.RouteCancel, 0)
		s.wantPaid(0)
	}
}

package training_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestRunningTrainingIsAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	job := s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	plan := s.Plan().Must()
	s.wantWarning(plan.Diagnostics, "Running Training Will Be Adopted", job)
	if ids := plan.UnknownIDs(address); len(ids) != 0 {
		t.Errorf("the plan announces a purchase: %v", ids)
	}
	s.ApplyPlan(plan).Must()
	s.wantPaid(0)
	s.want(core.Object{"id": job, "succeeded": true, "credits_deducted": nil, "training_steps": nil})
	s.Plan().WantEmpty()
}

func TestTrainingStartedAfterThePlanIsAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.configure(nil)
	plan := s.Plan().Must()
	job := s.StartTrainingElsewhere(s.character)
	s.ApplyPlan(plan).Must()
	s.wantPaid(0)
	s.want(core.Object{"id": job, "succeeded": true})
}

// What was read to adopt a training is in the state, also without a wait: the
// next refresh has nothing to add.
func TestAdoptedTrainingIsShownAtOnce(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(*scenario) *core.Plan{
		"planned": func(s *scenario) *core.Plan {
			s.StartTrainingElsewhere(s.character)
			return s.Plan().Must()
		},
		"started after the plan": func(s *scenario) *core.Plan {
			plan := s.Plan().Must()
			s.StartTrainingElsewhere(s.character)
			return plan
		},
		"found without an answer": func(s *scenario) *core.Plan {
			s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, DropAfterWork: true})
			return s.Plan().Must()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.configure(core.Object{"wait_for_completion": false})
			s.ApplyPlan(prepare(s)).Must()
			applied := s.State(address)
			s.Refresh().Must()
			if diff := cmp.Diff(applied, s.State(address)); diff != "" {
				t.Errorf("a refresh finds something else:\n%s", diff)
			}
		})
	}
}

func TestAdoptionThatIsOffBuysNothing(t *testing.T) {
	t.Parallel()
	s := begin(t)
	job := s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	plan := s.Plan().Must()
	s.CancelTrainingElsewhere(s.character, job)
	s.wantError(s.ApplyPlan(plan).Diagnostics, "Provider produced inconsistent final plan")
	s.wantPaid(0)
	if s.State(address) != nil {
		t.Error("something is in the state")
	}
}

func TestFaceTrainingIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.StartFaceTrainingElsewhere(s.character)
	s.configure(nil)
	s.wantError(s.Apply().Diagnostics, "Unable to Start Body LoRA Training", "has_active_training true")
	s.wantPaid(0)
}

func TestJobOfAnotherResourceIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	const other = "mediagen_body_lora_training.other"
	s.Resource(other, core.Object{"character_id": s.character})
	plan := s.Plan()
	if ids := plan.UnknownIDs(other); len(ids) != 1 {
		t.Errorf("the plan adopts the job of another resource:\n%s", plan)
	}
	s.wantWarning(plan.Diagnostics, "Body LoRA Training Cannot Start Yet")
	s.wantPaid(1)
}

func TestOnlyOneOfTwoResourcesAdopts(t *testing.T) {
	t.Parallel()
	s := begin(t)
	job := s.StartTrainingElsewhere(s.character)
	const other = "mediagen_body_lora_training.other"
	s.configure(nil)
	s.Resource(other, core.Object{"character_id": s.character})
	plan := s.Plan().Must()
	if len(plan.UnknownIDs(address)) != 0 || len(plan.UnknownIDs(other)) != 1 {
		t.Errorf("want one adoption and one purchase:\n%s", plan)
	}
	s.ApplyPlan(plan).Must()
	s.wantPaid(1)
	if s.Value(address, "id") != job || s.Value(other, "id") == job {
		t.Errorf("the trainings are %v and %v", s.State(address), s.State(other))
	}
}

func TestJobStartedInTheSameApplyIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := begin(t)
	const other = "mediagen_body_lora_training.other"
	s.configure(core.Object{"wait_for_completion": false})
	s.Resource(other, core.Object{"character_id": s.character})
	result := s.ApplyPlan(s.Plan().Must())
	s.wantError(result.Diagnostics, "Unable to Start Body LoRA Training")
	if len(result.Diagnostics.Find("Body LoRA Training Cannot Start Yet")) != 1 {
		t.Errorf("the final plan goes by an old status:\n%s", result.Diagnostics)
	}
	s.wantPaid(1)
	if s.State(other) != nil {
		t.Errorf("two resources hold one job: %v", s.State(other))
	}
}

func TestReplacementWithoutARefreshAnnouncesAPurchase(t *testing.T) {
	t.Parallel()
	s := begin(t)
	s.configure(core.Object{"wait_for_completion": false, "triggers": core.Object{"round": "1"}})
	s.Apply().Must()
	s.configure(round("2"))
	plan := s.Plan(core.Refresh(false)).Must()
	if len(plan.UnknownIDs(address)) != 1 {
		t.Errorf("the plan announces no purchase:\n%s", plan)
	}
	s.ApplyPlan(plan).Must()
	s.wantPaid(2)
}

func TestReplacementDoesNotAdoptItsPredecessorsJob(t *testing.T) {
	t.Parallel()
	s := begin(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.configure(config)
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteCancel, Status: 404, Body: `{"error":"not_found"}`})
	s.configure(round("2"))
	s.wantError(s.Apply().Diagnostics, "Unable to Start Body LoRA Training", "current job")
	s.wantPaid(1)
}

func TestKilledApplyIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for nth := 1; nth <= 8; nth++ {
		t.Run(fmt.Sprint(nth), func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.configure(nil)
			s.Fault(mockserver.Fault{Nth: nth, Reached: s.Kill})
			s.Apply()
			if s.State(address) != nil {
				t.Fatal("a killed apply left a state")
			}
			s.ClearFaults()
			s.Apply().Must()
			s.wantPaid(1)
			s.want(core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}

func TestReplacementUnderCreateBeforeDestroyTakesTheRunningJobOver(t *testing.T) {
	t.Parallel()
	s := begin(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.configure(config, core.CreateBeforeDestroy())
	s.Apply().Must()
	job := s.Value(address, "id")
	config = round("2")
	config["wait_for_completion"] = false
	s.configure(config, core.CreateBeforeDestroy())
	result := s.Apply().Must()
	if len(result.Diagnostics.Find("Running Training Left to Its Replacement")) != 1 {
		t.Errorf("nothing says that the job was left alone:\n%s", result.Diagnostics)
	}
	s.want(core.Object{"id": job})
	s.wantPaid(1)
	s.WantCount(t, mockserver.RouteCancel, 0)
	s.Plan().WantEmpty()
}

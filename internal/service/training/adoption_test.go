package training_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestRunningTrainingIsAdopted(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		job := s.startElsewhere()
		s.configure(nil)
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Running Training Will Be Adopted", "costs credits", fmt.Sprintf("terraform import <address> %q", s.character+"/"+job))
		if ids := plan.UnknownIDs(s.address); len(ids) != 1 {
			t.Errorf("the plan promises what the service can change:\n%s", plan)
		}
		result := s.ApplyPlan(plan).Must()
		if found := result.Diagnostics.Find("Running Training Adopted"); len(found) != 1 || !strings.Contains(found[0].Detail, "nothing was bought, and the triggers of this resource have trained nothing") {
			t.Errorf("want it said that nothing was bought or trained:\n%s", result.Diagnostics)
		}
		s.wantPaid(0)
		s.Want(s.address, core.Object{"id": job, "succeeded": true, "credits_deducted": nil, "training_steps": nil})
		s.Plan().WantEmpty()
	})
}

// The plan has shown an unknown id, and said that a training is paid for if
// none runs any more.
// Fault F17.
func TestTrainingThatEndsBeforeTheApplyIsTrainedAgain(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(s *scenario, job string){
		"succeeded": func(s *scenario, _ string) { s.Clock.Advance(time.Hour) },
		"cancelled": func(s *scenario, job string) { s.CancelTrainingElsewhere(s.character, job) },
		"forgotten": func(s *scenario, job string) { s.ForgetTraining(s.character, job) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			job := s.StartTrainingElsewhere(s.character)
			s.configure(nil)
			plan := s.Plan().Must()
			end(s, job)
			s.ApplyPlan(plan).Must()
			s.wantPaid(1)
			s.Want(address, core.Object{"succeeded": true})
			if s.Value(address, "id") == job {
				t.Errorf("the ended training %s was adopted", job)
			}
			s.Plan().WantEmpty()
		})
	}
}

// The import that the plan's warning names is one.
func TestTrainingThatWouldBeAdoptedIsImportedInstead(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	said := s.Plan().Must().Warnings().Find("Running Training Will Be Adopted")[0].Detail
	id, err := strconv.Unquote(said[strings.LastIndex(said, "<address> ")+len("<address> "):])
	if err != nil {
		t.Fatalf("no import id at the end of: %s", said)
	}
	s.Clock.Advance(time.Hour)
	s.Import(address, id).Must()
	s.Plan().WantEmpty()
	s.wantPaid(0)
}

func TestImportOfTheWarningIsEncoded(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
		if job, ok := currentJob(status); ok {
			job["job_id"] = "jobs/1%2"
		}
	}})
	s.configure(nil)
	s.WantWarning(s.Plan().Diagnostics, "Running Training Will Be Adopted", `"jobs/1%2"`, fmt.Sprintf("<address> %q", s.character+"/jobs%2F1%252"))
}

func TestTrainingStartedAfterThePlanIsAdopted(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(nil)
	plan := s.Plan().Must()
	job := s.StartTrainingElsewhere(s.character)
	s.ApplyPlan(plan).Must()
	s.wantPaid(0)
	s.Want(address, core.Object{"id": job, "succeeded": true})
}

// What was read to adopt a training is in the state, even without a wait: the
// next refresh adds nothing.
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
			s := newScenario(t)
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

func TestTrainingOfTheOtherKindIsNotAdopted(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.other().elsewhere(s.Server, s.character)
		s.configure(nil)
		s.WantError(s.Apply().Diagnostics, "Unable to Start "+s.title+" Training", "has_active_training true")
		s.wantPaid(0)
	})
}

// An apply cannot tell another resource's job from a predecessor's, and the
// plan says what follows.
func TestJobOfAnotherResourceIsNamedAsSuch(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	s.Apply().Must()
	const other = "mediagen_body_lora_training.other"
	s.Resource(other, core.Object{"character_id": s.character})
	plan := s.Plan()
	if ids := plan.UnknownIDs(other); len(ids) != 1 {
		t.Errorf("the plan adopts the job of another resource:\n%s", plan)
	}
	s.WantWarning(plan.Diagnostics, "Running Training of Another Resource", "both resources hold it")
	s.ApplyPlan(plan).Must()
	s.wantPaid(1)
	if s.Value(other, "id") != s.Value(address, "id") {
		t.Errorf("the trainings are %v and %v", s.State(address), s.State(other))
	}
}

func TestOnlyOneOfTwoResourcesAdopts(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	job := s.StartTrainingElsewhere(s.character)
	const other = "mediagen_body_lora_training.other"
	s.configure(nil)
	s.Resource(other, core.Object{"character_id": s.character})
	plan := s.Plan().Must()
	if len(plan.UnknownIDs(address)) != 1 || len(plan.UnknownIDs(other)) != 1 {
		t.Errorf("want two ids that are not promised:\n%s", plan)
	}
	// The plan of the second is made final after the wait of the first.
	said := s.ApplyPlan(plan).Must().Diagnostics
	s.WantWarning(said, "Body LoRA Already Trained")
	if old := said.Find("Running Training of Another Resource"); len(old) > 0 {
		t.Errorf("the final plan goes by an old status:\n%s", said)
	}
	s.wantPaid(1)
	if s.Value(address, "id") != job || s.Value(other, "id") == job {
		t.Errorf("the trainings are %v and %v", s.State(address), s.State(other))
	}
}

func TestJobStartedInTheSameApplyIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	const other = "mediagen_body_lora_training.other"
	s.configure(core.Object{"wait_for_completion": false})
	s.Resource(other, core.Object{"character_id": s.character})
	result := s.ApplyPlan(s.Plan().Must())
	s.WantError(result.Diagnostics, "Unable to Start Body LoRA Training")
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
	s := newScenario(t)
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
	s := newScenario(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.configure(config)
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteCancel, Status: 404, Body: `{"error":"not_found"}`})
	s.configure(round("2"))
	s.WantError(s.Apply().Diagnostics, "Unable to Start Body LoRA Training", "current job")
	s.wantPaid(1)
}

// Fault F7.
func TestKilledApplyIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for nth := 1; nth <= 8; nth++ {
		t.Run(fmt.Sprint(nth), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.configure(nil)
			s.Fault(mockserver.Fault{Nth: nth, Reached: s.Kill})
			s.Apply()
			if s.State(address) != nil {
				t.Fatal("a killed apply left a state")
			}
			s.ClearFaults()
			s.Apply().Must()
			s.wantPaid(1)
			s.Want(address, core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}

func TestReplacementUnderCreateBeforeDestroyTakesTheRunningJobOver(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.configure(config, core.CreateBeforeDestroy())
	s.Apply().Must()
	job := s.Value(address, "id")
	config = round("2")
	config["wait_for_completion"] = false
	s.configure(config, core.CreateBeforeDestroy())
	plan := s.Plan().Must()
	s.WantWarning(plan.Diagnostics, "Destroying Cancels a Running Training", "Under create_before_destroy the replacement takes it over", "the new triggers train nothing")
	said := s.ApplyPlan(plan).Must().Diagnostics
	if len(said.Find("Running Training Adopted")) != 1 || len(said.Find("Running Training Left to Another Resource")) != 1 || len(said.Find("Cancels")) != 0 {
		t.Errorf("want it said that the job was taken over, and not that it is cancelled:\n%s", said)
	}
	s.Want(address, core.Object{"id": job})
	s.wantPaid(1)
	s.WantCount(t, mockserver.RouteCancel, 0)
	s.Plan().WantEmpty()
}

package work_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const runsAlready = "Body LoRA Training Runs Already"

// wantRunning checks that somebody's training was neither taken nor cancelled.
func (s *scenario) wantRunning(job string) {
	s.T.Helper()
	for _, training := range s.Trainings(s.character) {
		check.True(
			s.T,
			"the training of somebody else goes on",
			training.JobID != job || training.Status == "training",
			training.Status,
		)
	}
	for _, entry := range s.Entries() {
		check.True(
			s.T,
			"nobody has adopted the training of somebody else",
			entry.Attributes["id"] != job,
			entry.Address,
		)
	}
	s.WantCount(s.T, mockserver.RouteCancel, 0)
}

// Nothing is promised that the service can change until the apply: the plan is an
// error, and the import that it names buys nothing.
// Fault F17.
func TestRunningTrainingIsNotAdopted(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		job := s.startElsewhere()
		s.configure(nil)
		plan := s.Plan()
		id := fmt.Sprintf("id = %q", s.character+"/"+job)
		s.WantError(plan.Diagnostics, s.title+" Training Runs Already", job, "import {", id, "-refresh=false")
		check.Equal(t, "the error is at", plan.Diagnostics.Errors()[0].Path, "character_id")
		s.wantRunning(job)

		s.Import(s.address, s.character+"/"+job).Must()
		s.Apply().Must()
		s.Want(s.address, core.Object{"id": job, "succeeded": true, "credits_deducted": nil})
		s.Plan().WantEmpty()
		s.wantPaid(0)
	})
}

// A plan beside a running training announced an adoption, and its apply bought
// another once that had ended.
// Fault F28.
func TestApplyAfterTheEndBuysWhatAPlanAnnounced(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	plan := s.Plan()
	s.Clock.Advance(time.Hour)
	if !plan.Diagnostics.HasErrors() {
		s.ApplyPlan(plan)
	}
	s.wantPaid(0)
	plan = s.Plan().Must()
	s.WantWarning(plan.Diagnostics, "Body LoRA Already Trained", "credits")
	s.ApplyPlan(plan).Must()
	s.wantPaid(1)
}

func TestTrainingThatBeginsAfterThePlan(t *testing.T) {
	t.Parallel()
	check.Each(
		t,
		map[string]int{"before the apply": 0, "before the create": 1, "while none can start": 2},
		func(t *testing.T, reads int) {
			s := newScenario(t)
			s.configure(nil)
			plan := s.Plan().Must()
			job := ""
			s.canTrain(new(bool))
			s.Fault(
				mockserver.Fault{
					Route:   mockserver.RouteTraining,
					Nth:     reads + 1,
					Reached: func() { job = s.StartTrainingElsewhere(s.character) },
				},
			)
			s.WantError(s.ApplyPlan(plan).Diagnostics, runsAlready, "import {")
			s.wantPaid(0)
			s.wantRunning(job)
			check.True(t, "nothing is in the state", s.State(address) == nil, s.State(address))
		},
	)
}

func TestImportOfTheErrorIsEncoded(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
		if job, ok := currentJob(status); ok {
			job["job_id"] = "jobs/${1}%2"
		}
	}})
	s.configure(nil)
	s.WantError(s.Plan().Diagnostics, runsAlready, fmt.Sprintf("id = %q", s.character+"/jobs%2F$${1}%252"))
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

// No import is proposed for a job that is in the state.
func TestJobOfAnotherResourceIsNamedAsSuch(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string][]core.PlanOption{
		"in order": nil, "without a refresh": {core.Refresh(false)},
	}, func(t *testing.T, order []core.PlanOption) {
		s := beginRunning(t)
		s.Resource(other, core.Object{"character_id": s.character})
		plan := s.Plan(order...)
		s.WantError(plan.Diagnostics, runsAlready, s.Trainings(s.character)[0].JobID, "another resource", "moved block")
		check.True(
			t,
			"no import is proposed",
			!strings.Contains(plan.Diagnostics.String(), "import {"),
			plan.Diagnostics,
		)
		s.wantPaid(0)
	})
}

func TestJobStartedInTheSameApplyIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(core.Object{"wait_for_completion": false})
	result := s.ApplyPlan(s.Plans(other, core.Object{"character_id": s.character}))
	s.WantError(result.Diagnostics, "Unable to Start Body LoRA Training")
	s.wantPaid(1)
	check.True(t, "one resource holds the job", s.State(other) == nil, s.State(other))
}

func TestReplacementWithoutARefreshAnnouncesAPurchase(t *testing.T) {
	t.Parallel()
	s := applied(t, core.Object{"wait_for_completion": false, "triggers": core.Object{"round": "1"}})
	s.configure(round("2"))
	plan := s.Plan(core.Refresh(false)).Must()
	check.True(t, "the plan announces a purchase", len(plan.UnknownIDs(address)) == 1, plan)
	s.ApplyPlan(plan).Must()
	s.wantPaid(2)
}

func TestReplacementDoesNotAdoptItsPredecessorsJob(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.applies(config)
	s.Fault(mockserver.Fault{Route: mockserver.RouteCancel, Status: 404, Body: `{"error":"not_found"}`})
	s.configure(round("2"))
	s.WantError(s.Apply().Diagnostics, "Unable to Start Body LoRA Training", "current job")
	s.wantPaid(1)
}

// A replacement ignores its predecessor's job alone.
func TestReplacementBesideAStrangersJob(t *testing.T) {
	t.Parallel()
	s := applied(t, round("1"))
	job := s.StartTrainingElsewhere(s.character)
	s.configure(round("2"))
	s.WantError(s.Plan().Diagnostics, runsAlready, job, "import {")
	s.wantPaid(1)
	s.wantRunning(job)
}

// What a killed apply has bought is not bought again while it runs: the plan
// names the import. Fault F7.
func TestKilledApplyIsNotPaidAgain(t *testing.T) {
	t.Parallel()
	for nth := 1; nth <= 8; nth++ {
		t.Run(fmt.Sprint(nth), func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.configure(nil)
			s.Fault(mockserver.Fault{Nth: nth, Reached: s.Kill})
			s.Apply()
			check.True(t, "a killed apply leaves no state", s.State(address) == nil)
			s.ClearFaults()
			if jobs := s.Trainings(s.character); len(jobs) > 0 {
				s.WantError(s.Plan().Diagnostics, runsAlready, jobs[0].JobID)
				s.Import(address, s.character+"/"+jobs[0].JobID).Must()
			}
			s.Apply().Must()
			s.wantPaid(1)
			s.Want(address, core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}

// Under create_before_destroy no provider sees the predecessor: while its job
// runs nothing is bought, and nothing is cancelled. Fault F20.
func TestReplacementUnderCreateBeforeDestroyWaitsForItsPredecessor(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	config := round("1")
	config["wait_for_completion"] = false
	s.applies(config, core.CreateBeforeDestroy())
	job := s.Value(address, "id")
	s.configure(round("2"), core.CreateBeforeDestroy())
	plan := s.Plan().Must()
	s.WantWarning(plan.Diagnostics, "Destroying Cancels a Running Training", "Under create_before_destroy")
	s.WantError(s.ApplyPlan(plan).Diagnostics, runsAlready, "create_before_destroy")
	s.Want(address, core.Object{"id": job})
	s.wantPaid(1)
	s.WantCount(t, mockserver.RouteCancel, 0)
	s.Clock.Advance(time.Hour)
	s.Apply().Must()
	s.Want(address, core.Object{"succeeded": true, `triggers["round"]`: "2"})
	s.wantPaid(2)
	s.Plan().WantEmpty()
}

// A service may list running jobs in the history alone; beside a current one,
// an entry of the history is an old one.
func TestRunningTrainingOfTheHistory(t *testing.T) {
	t.Parallel()
	for _, current := range []any{nil, map[string]any{"job_id": "job_new", "job_type": "body", "status": "completed"}} {
		s := newScenario(t)
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
			status["character_training"] = current
			status["has_active_training"] = true
			status["character_training_history"] = []any{
				map[string]any{"job_id": "job_old", "job_type": "body", "status": "training"},
			}
		}})
		s.configure(nil)
		found := s.Plan().Diagnostics.Errors().Find(runsAlready)
		check.Equal(t, "errors", len(found), map[bool]int{true: 1}[current == nil])
	}
}

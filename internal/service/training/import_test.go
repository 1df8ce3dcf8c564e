package training_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Fault F28.
func TestImportsBuyNothing(t *testing.T) {
	t.Parallel()
	for name, adopt := range map[string]func(*scenario, string) *core.Result{
		"by id": func(s *scenario, job string) *core.Result { return s.Import(address, s.character+"/"+job) },
		"by identity": func(s *scenario, job string) *core.Result {
			return s.ImportIdentity(address, core.Object{"character_id": s.character, "id": job})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			job := s.StartTrainingElsewhere(s.character)
			s.Clock.Advance(time.Hour)
			adopt(s, job).Must()
			s.Want(address, core.Object{"id": job, "succeeded": true, "credits_deducted": nil, "wait_for_completion": true, "triggers": nil})
			s.configure(nil)
			s.Plan().WantEmpty() // as generated configuration plans

			s.configure(core.Object{"triggers": core.Object{"round": "1"}, "wait_for_completion": false, "timeouts": core.Object{"create": "5h"}})
			plan := s.Plan().Must()
			if plan.Action(address) != core.Update || len(plan.UnknownIDs(address)) != 0 {
				t.Errorf("want an update that buys nothing, got:\n%s", plan)
			}
			s.WantWarning(plan.Diagnostics, "Triggers Taken Over After an Import")
			s.ApplyPlan(plan).Must()
			s.Plan().WantEmpty()
			s.wantPaid(0)

			// From now on a change of triggers trains again.
			s.configure(round("2"))
			if plan := s.Plan(); plan.Action(address) != core.Replace {
				t.Errorf("want a replacement, got:\n%s", plan)
			}
		})
	}
}

// The first apply after an import ends it, even if it had nothing to do.
func TestImportEndsWithTheFirstApply(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	job := s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(time.Hour)
	s.configure(nil)
	s.Import(address, s.character+"/"+job).Must()
	s.Apply().Must()
	s.configure(round("1"))
	if plan := s.Plan(); plan.Action(address) != core.Replace {
		t.Errorf("want a replacement, got:\n%s", plan)
	}
}

func TestImportedRunningTrainingIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	job := s.StartTrainingElsewhere(s.character)
	s.Import(address, s.character+"/"+job).Must()
	s.Want(address, core.Object{"succeeded": nil})
	s.configure(nil)
	if plan := s.Plan().Must(); plan.Action(address) != core.Update {
		t.Errorf("want a wait, got:\n%s", plan)
	}
	s.Apply().Must()
	s.Want(address, core.Object{"id": job, "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(0)
}

func TestImportsThatFail(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		id, summary string
		requests    int
	}{
		"one part":          {"char_000001", "Invalid Import Id", 0},
		"no job":            {"char_000001/", "Invalid Import Id", 0},
		"no character":      {"/job_000001", "Invalid Import Id", 0},
		"dot segment":       {"../job_000001", "Invalid Import Id", 0},
		"control character": {"char_000001/job\n", "Invalid Import Id", 0},
		"unknown job":       {"char_000001/job_999999", "Body LoRA Training Not Found", 1},
		"unknown character": {"char_999999/job_000001", "Unable to Read Body LoRA Training", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.StartTrainingElsewhere(s.character)
			s.WantError(s.Import(address, test.id).Diagnostics, test.summary)
			s.WantCount(t, mockserver.RouteTraining, test.requests)
			if s.State(address) != nil {
				t.Error("something was imported")
			}
		})
	}
}

package work_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The advice of an imported training that failed is to be followed: triggers
// would only be taken over, and give the same advice again.
// Fault F21.
func TestImportedTrainingThatFailedIsTrainedAgain(t *testing.T) {
	t.Parallel()
	const failed, again = "Body LoRA Training Failed", "apply with -replace=ADDRESS"
	check.Each(t, map[string]func(*scenario){
		"at once":                        func(*scenario) {},
		"after an apply without changes": func(s *scenario) { s.Apply().Must() },
		"after a refresh-only apply":     func(s *scenario) { s.Refresh().Must() },
	}, func(t *testing.T, apply func(*scenario)) {
		s := newScenario(t)
		s.FailNextTraining()
		job := s.StartTrainingElsewhere(s.character)
		s.Clock.Advance(time.Hour)
		s.configure(nil)
		s.Import(address, s.character+"/"+job).Must()
		apply(s)

		wantReplace := func(plan *core.Plan) {
			t.Helper()
			s.WantWarning(plan.Diagnostics, failed, again)
			check.True(
				t,
				"nothing is advised that trains nothing",
				!strings.Contains(plan.Diagnostics.String(), "Change triggers"),
				plan,
			)
		}
		wantReplace(s.Plan())
		s.configure(round("1"))
		plan := s.Plan()
		wantReplace(plan)
		s.WantWarning(
			plan.Diagnostics,
			"Configuration Taken Over After an Import",
			again,
		)
		check.True(t, "the triggers are taken over", plan.Action(address) == core.Update, plan)

		s.Apply(core.Replacing(address)).Must()
		s.Want(address, core.Object{"succeeded": true, `triggers["round"]`: "1"})
		s.wantPaid(1)
		s.Plan().WantEmpty()
		s.configure(round("2"))
		check.Equal(t, "the plan", s.Plan().Action(address), core.Replace)
	})
}

// Once the import has ended, triggers train again, and the advice says so.
// Fault F21.
func TestImportThatHasEndedAdvisesTriggers(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.FailNextTraining()
	job := s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(time.Hour)
	s.configure(round("1"))
	s.Import(address, s.character+"/"+job).Must()
	s.Apply().Must()
	s.WantWarning(s.Plan().Diagnostics, "Body LoRA Training Failed", "triggers")
	s.applies(round("2"))
	s.Want(address, core.Object{"succeeded": true})
	s.wantPaid(1)
}

func TestImportedRunningTrainingIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	job := s.StartTrainingElsewhere(s.character)
	s.Import(address, s.character+"/"+job).Must()
	s.Want(address, core.Object{"succeeded": nil})
	s.configure(nil)
	check.Equal(t, "the plan", s.Plan().Must().Action(address), core.Update)
	s.Apply().Must()
	s.Want(address, core.Object{"id": job, "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(0)
}

// A job of the other kind has another outcome: its LoRA is another one.
func TestImportOfTheOtherKindFails(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		job := s.other().elsewhere(s.Server, s.character)
		s.WantError(
			s.Import(s.address, s.character+"/"+job).Diagnostics,
			s.title+" Training Not Found",
			"no "+s.word+" training",
			job,
		)
		check.True(t, "nothing was imported", s.State(s.address) == nil)
	})
}

func TestImportsThatFail(t *testing.T) {
	t.Parallel()
	type row struct {
		id, summary string
		requests    int
	}
	check.Each(t, map[string]row{
		"unknown job":       {"char_000001/job_999999", "Body LoRA Training Not Found", 1},
		"unknown character": {"char_999999/job_000001", "Unable to Read Body LoRA Training", 1},
	}, func(t *testing.T, test row) {
		s := newScenario(t)
		s.StartTrainingElsewhere(s.character)
		s.WantError(s.Import(address, test.id).Diagnostics, test.summary)
		s.WantCount(t, mockserver.RouteTraining, test.requests)
		check.True(t, "nothing was imported", s.State(address) == nil)
	})
}

// The job is in the history of its character: another one in the configuration
// is an error that names both, and nothing is trained or cancelled. Fault F28.
func TestImportOfAnotherCharacter(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	other := s.AddCharacter(mockserver.CharacterSeed{Name: "Eve", FaceImages: 10})
	job := s.StartTrainingElsewhere(s.character)
	s.configure(nil)
	s.Import(address, s.character+"/"+job).Must()
	s.Resource(address, core.Object{"character_id": other})
	s.WantError(s.Apply().Diagnostics, "Import of Another Character", other, s.character, job)
	s.wantPaid(0)
	s.WantCount(t, mockserver.RouteCancel, 0)
	check.True(t, "it is in the state", s.State(address) != nil)
}

package work_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// beginRunning is a scenario whose training runs and is not waited for.
func beginRunning(t *testing.T, change ...func(*mockserver.Options)) *scenario {
	t.Helper()
	s := newScenario(t, change...)
	s.applies(core.Object{"wait_for_completion": false})
	s.ResetJournal()
	return s
}

func (s *scenario) wantDestroyed(cancels int) {
	s.T.Helper()
	check.True(s.T, "the training has left the state", s.State(s.address) == nil)
	s.WantCount(s.T, mockserver.RouteCancel, cancels)
}

func TestDestroyOfAFinishedTrainingSendsNothing(t *testing.T) {
	t.Parallel()
	s := applied(t, nil)
	s.ResetJournal()
	plan := s.Plan(core.Destroying(), core.Refresh(false))
	check.True(t, "no warnings", len(plan.Warnings()) == 0, plan)
	s.ApplyPlan(plan).Must()
	s.wantDestroyed(0)
	s.WantNoRequests(t)
}

// A cancellation that is refused, or answered in an unknown form, may still end
// the job a little later.
// Fault F8.
func TestDestroyAcceptsEveryEnd(t *testing.T) {
	t.Parallel()
	type row struct {
		prepare func(*scenario)
		cancels int
	}
	check.Each(t, map[string]row{
		"ended before": {func(s *scenario) { s.Clock.Advance(time.Hour) }, 0},
		"cancelled elsewhere": {
			func(s *scenario) { s.CancelTrainingElsewhere(s.character, s.Trainings(s.character)[0].JobID) },
			0,
		},
		"character gone": {func(s *scenario) { s.RemoveCharacter(s.character) }, 0},
		"ends during the cancel": {func(s *scenario) {
			s.Clock.Advance(15 * time.Minute)
			s.Before(mockserver.RouteCancel, func() { s.Clock.Advance(6 * time.Minute) })
		}, 1},
		"forgotten during the cancel": {func(s *scenario) {
			s.Before(
				mockserver.RouteCancel,
				func() { s.ForgetTraining(s.character, s.Trainings(s.character)[0].JobID) },
			)
		}, 1},
		"cancel's reply lost": {func(s *scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteCancel, DropAfterWork: true})
		}, 1},
		"cancel answers 500 and works": {func(s *scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteCancel, Status: 500, AfterWork: true})
		}, 1},
		"cancelling takes a while": {endsLater(mockserver.Fault{Body: `{"success":true}`}), 1},
		"stays the current one, with a word that no client can know": {func(s *scenario) {
			s.Before(mockserver.RouteCancel, func() {
				s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
					job := status["character_training_history"].([]any)[0].(map[string]any)
					job["status"] = "halted"
					job["progress"] = 3
					status["character_training"] = job
					status["character_training_history"] = nil
				}})
			})
		}, 1},
		"cancel's reply is no receipt": {endsLater(mockserver.Fault{Status: 202, Body: `{"status":"cancelling"}`}), 1},
		"cancel's reply is a text":     {endsLater(mockserver.Fault{Body: "OK"}), 1},
		"busy": {func(s *scenario) {
			s.Fault(mockserver.Fault{
				Route:  mockserver.RouteCancel,
				Times:  1,
				Status: 409,
				Body:   `{"error":"conflict"}`,
			})
		}, 2},
	}, func(t *testing.T, test row) {
		s := beginRunning(t)
		plan := s.Plan(core.Destroying()).Must()
		test.prepare(s)
		s.ApplyPlan(plan).Must()
		s.wantDestroyed(test.cancels)
	})
}

// endsLater answers the cancellation, and ends the job some reads later.
func endsLater(answer mockserver.Fault) func(*scenario) {
	return func(s *scenario) {
		answer.Route = mockserver.RouteCancel
		answer.Times = 1
		s.Fault(answer)
		s.Fault(mockserver.Fault{
			Route: mockserver.RouteTraining,
			After: mockserver.RouteCancel,
			Nth:   3,
			Reached: func() {
				s.CancelTrainingElsewhere(s.character, s.Trainings(s.character)[0].JobID)
			},
		})
	}
}

// Fault F8.
func TestDestroyThatFailsKeepsTheTraining(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]mockserver.Fault{
		"refused":           {Route: mockserver.RouteCancel, Status: 500, Body: `{"error":"internal"}`},
		"success false":     {Route: mockserver.RouteCancel, Body: `{"success":false,"message":"not now"}`},
		"never ends":        {Route: mockserver.RouteCancel, Body: `{"success":true}`},
		"status unreadable": {Route: mockserver.RouteTraining, Status: 503},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := beginRunning(t)
			plan := s.Plan(core.Destroying()).Must()
			s.Fault(fault)
			began := s.Clock.Now()
			s.WantError(s.ApplyPlan(plan).Diagnostics, "Unable to Cancel Body LoRA Training", "destroy again")
			waited := s.Clock.Now().Sub(began)
			if name == "refused" || name == "success false" {
				check.True(t, "it waits as long as replies may contradict each other", waited == 2*time.Minute, waited)
			}
			s.Want(address, core.Object{"succeeded": nil})
			s.ClearFaults()
			s.Destroy().Must()
			check.True(
				t,
				"it is cancelled, and gone",
				s.State(address) == nil && s.Trainings(s.character)[0].Status == "cancelled",
				s.Trainings(s.character),
			)
		})
	}
}

// A status that does not show the job proves its end only after a cancellation,
// and if it says that nothing else runs.
// Fault F8.
func TestDestroyBelievesNoOddStatus(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"the current job is left out": {Rewrite: func(status map[string]any) { delete(status, "character_training") }},
		"nothing is said":             {Rewrite: func(status map[string]any) { clear(status) }},
		"nothing is said to run": {Rewrite: func(status map[string]any) {
			status["character_training"] = nil
			status["has_active_training"] = false
		}},
	}, func(t *testing.T, odd mockserver.Fault) {
		s := beginRunning(t)
		s.Refresh().Must() // a status has shown it
		odd.Route = mockserver.RouteTraining
		odd.Times = 2
		s.Fault(odd)
		s.Destroy().Must()
		s.wantDestroyed(1)
		check.Equal(t, "the training", s.Trainings(s.character)[0].Status, "cancelled")
	})
}

func TestDestroyOfAJobNotShownYetCancelsIt(t *testing.T) {
	t.Parallel()
	s := beginRunning(t, func(o *mockserver.Options) { o.Variant.LateVisibility = 10 })
	s.Destroy().Must()
	s.wantDestroyed(1)
	s.WantCount(t, mockserver.RouteTraining, 3) // the plan's, one before and one after
	check.Equal(t, "the training", s.Trainings(s.character)[0].Status, "cancelled")
}

func TestTrainingOfACharacterThatIsGoneLeavesTheState(t *testing.T) {
	t.Parallel()
	s := applied(t, nil)
	s.RemoveCharacter(s.character)
	s.WantError(
		s.Plan().Diagnostics,
		"Character Not Found",
		"The body LoRA training of character",
		"which the apply would refuse",
	)
	s.Plan(core.Destroying(), core.Refresh(false)).Must()
	s.Refresh().Must()
	check.True(t, "it has left the state", s.State(address) == nil)
	s.wantPaid(1)
}

// A job that no status has ever shown may wait in a queue: each refresh says
// since when, and only who trusts that trains again. Fault F12.
func TestJobThatWasNeverShownDoesNotVanish(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]func(s *scenario){
		"no character": func(s *scenario) { s.RemoveCharacter(s.character) },
		"no job": func(s *scenario) {
			s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: hideJobs})
		},
	}, func(t *testing.T, hide func(s *scenario)) {
		s := beginRunning(t)
		hide(s)
		s.Clock.Advance(1000 * time.Hour)
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Body LoRA Training Not Shown", s.character, "trust_not_found")
		plan.WantEmpty()
		s.Set(core.Object{"trust_not_found": true})
		s.Refresh().Must()
		check.True(t, "it has left the state", s.State(s.address) == nil)
	})
}

// Fault F6b.
func TestJobThatLeftTheHistoryIsKept(t *testing.T) {
	t.Parallel()
	s := applied(t, nil)
	job := s.Trainings(s.character)[0].JobID
	s.ForgetTraining(s.character, job)
	s.Plan().WantEmpty()
	s.Apply().Must()
	s.Want(address, core.Object{"id": job, "succeeded": true})
	s.wantPaid(1)
}

// A cancellation answered by a gateway is none, and does not end the job.
// Fault F13.
func TestGatewayCancelsNothing(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string][]mockserver.Fault{
		"cancel": {{Route: mockserver.RouteCancel}},
		"status": {{Route: mockserver.RouteTraining}},
		"both": {
			{Route: mockserver.RouteCancel},
			{Route: mockserver.RouteTraining, After: mockserver.RouteCancel},
		},
	}, func(t *testing.T, faults []mockserver.Fault) {
		s := applied(t, core.Object{"wait_for_completion": false})
		s.Refresh()
		for _, fault := range faults {
			fault.Status = 404
			fault.Body = "<html>404</html>"
			s.Fault(fault)
		}
		result := s.Apply(core.Destroying(), core.Refresh(false))
		s.WantError(result.Diagnostics, "Unable to Cancel Body LoRA Training", "404", "trust_not_found")
		check.True(
			t,
			"the training goes on",
			s.State(address) != nil && s.Trainings(s.character)[0].Status != "cancelled",
			s.State(address),
			s.Trainings(s.character),
		)
		s.ClearFaults()
		s.Destroy().Must()
		check.Equal(t, "the training", s.Trainings(s.character)[0].Status, "cancelled")
	})
}

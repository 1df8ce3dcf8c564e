package training_test

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Fault F4.
func TestLostReplyIsLookedUp(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.Fault(mockserver.Fault{Route: s.start, Times: 1, DropAfterWork: true})
		s.configure(nil)
		s.WantWarning(s.Apply().Diagnostics, s.title+" Training Found Without an Answer", s.Trainings(s.character)[0].JobID)
		s.Want(s.address, core.Object{"id": s.Trainings(s.character)[0].JobID, "succeeded": true, "credits_deducted": nil})
		s.wantPaid(1)
	})
}

func TestLostReplyOfALateJob(t *testing.T) {
	t.Parallel()
	s := newScenario(t, func(o *mockserver.Options) { o.Variant.LateVisibility = 5 })
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.configure(nil)
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Found Without an Answer")
	s.Want(address, core.Object{"succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

func TestEarlierJobsAreNotTakenForTheLostOne(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.configure(round("1"))
	s.Apply().Must()
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.configure(round("2"))
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Found Without an Answer")
	s.Want(address, core.Object{"id": s.Trainings(s.character)[1].JobID, "succeeded": true})
	s.wantPaid(2)
}

func TestStartThatNeverHappenedStaysUnknown(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.Fault(mockserver.Fault{Route: s.start, Times: 1, DropBefore: true})
		s.configure(round("1"))
		before := s.Clock.Now()
		s.WantWarning(s.Apply().Diagnostics, "Outcome of "+s.title+" Training Unknown",
			before.UTC().Format(time.RFC3339), strconv.Quote(s.character), "deducted", "No job", "triggers", "at the service", "import")
		if waited := s.Clock.Now().Sub(before); waited > 3*time.Minute {
			t.Errorf("the apply took %s", waited)
		}
		id, _ := s.Value(s.address, "id").(string)
		if !strings.HasPrefix(id, "unknown-") || s.Tainted(s.address) {
			t.Errorf("the state is %v", s.State(s.address))
		}
		for range 3 {
			plan := s.Plan()
			plan.WantEmpty()
			s.WantWarning(plan.Diagnostics, "Outcome of "+s.title+" Training Unknown")
			s.Apply().Must()
		}
		s.Want(s.address, core.Object{"id": id})
		s.wantPaid(1)
		s.configure(round("2"))
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Destroying a Training of Unknown Outcome")
		s.ApplyPlan(plan).Must()
		s.wantPaid(2)
		s.Want(s.address, core.Object{"succeeded": true})
		s.Plan().WantEmpty()
	})
}

// Fault F4.
func TestRefreshFindsTheJobOfALostReply(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(time.Hour)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: firstWaitRead, Times: 1000, Status: 503, Body: "down"})
	s.configure(nil)
	s.WantWarning(s.Apply().Diagnostics, "Outcome of Body LoRA Training Unknown")
	s.ClearFaults()
	job := s.Trainings(s.character)[1].JobID
	plan := s.Plan().Must()
	if len(plan.UnknownIDs(address)) != 0 {
		t.Errorf("the plan announces a purchase:\n%s", plan)
	}
	s.ApplyPlan(plan).Must()
	s.Want(address, core.Object{"id": job, "succeeded": true})
	if identity := s.Identity(address); identity["id"] != job {
		t.Errorf("identity is %v", identity)
	}
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

// Fault F4.
func TestOfTwoNewJobsNoneIsTaken(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	var before string
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.Before(mockserver.RouteStartTraining, func() {
		before = s.StartTrainingElsewhere(s.character)
		s.CancelTrainingElsewhere(s.character, before)
	})
	s.configure(nil)
	started := s.Clock.Now()
	result := s.Apply()
	if waited := s.Clock.Now().Sub(started); waited > 30*time.Second {
		t.Errorf("the apply took %s", waited)
	}
	jobs := s.Trainings(s.character)
	s.WantWarning(result.Diagnostics, "Outcome of Body LoRA Training Unknown", jobs[0].JobID, jobs[1].JobID)
	s.Plan().WantEmpty()
	s.wantPaid(1)
	// Once the other one is gone, there is no doubt any more.
	s.ForgetTraining(s.character, before)
	s.Apply().Must()
	s.Want(address, core.Object{"id": jobs[1].JobID, "succeeded": true})
	s.wantPaid(1)
}

// A training of the other kind that was started meanwhile is never the lost one,
// nor does it stand beside it.
// Fault F4.
func TestTrainingOfTheOtherKindIsNotTakenForTheLostOne(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault   mockserver.Fault
		started bool
		summary string
	}{
		"nothing was started": {mockserver.Fault{DropBefore: true}, false, "LoRA Training Unknown"},
		"it was started":      {mockserver.Fault{DropAfterWork: true}, true, "LoRA Training Found Without an Answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachKind(t, func(t *testing.T, s *scenario) {
				other := ""
				for range firstWaitRead - 1 {
					s.Before(mockserver.RouteTraining, func() {})
				}
				s.Before(mockserver.RouteTraining, func() { other = s.other().elsewhere(s.Server, s.character) })
				fault := test.fault
				fault.Route, fault.Times = s.start, 1
				s.Fault(fault)
				s.configure(nil)
				s.WantWarning(s.Apply().Diagnostics, test.summary)
				s.Clock.Advance(time.Hour)
				s.Refresh().Must() // which looks for the job again
				if id, _ := s.Value(s.address, "id").(string); other == "" || id == other || strings.HasPrefix(id, "unknown-") == test.started {
					t.Errorf("the training is %q, the other one %q", id, other)
				}
				s.wantPaid(1)
			})
		})
	}
}

func TestReplyWithoutAJobIsLookedUp(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, Rewrite: func(reply map[string]any) { delete(reply, "job_id") }})
	s.configure(nil)
	s.WantWarning(s.Apply().Diagnostics, "Body LoRA Training Found Without an Answer", "accepted")
	s.Want(address, core.Object{"id": s.Trainings(s.character)[0].JobID, "succeeded": true, "credits_deducted": int64(100)})
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

func TestInterruptedStartIsRecorded(t *testing.T) {
	t.Parallel()
	acctest.Bubble(t, func(t *testing.T) {
		s := newScenario(t)
		var ctrlC interruption
		hold := make(chan struct{})
		defer close(hold)
		s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, Reached: ctrlC.of(s), Hold: hold, HoldAfterWork: true})
		s.configure(nil)
		result := s.Apply()
		ctrlC.wantPrompt(t)
		if len(result.Diagnostics.Find("Outcome of Body LoRA Training Unknown")) != 1 || s.Tainted(address) {
			t.Errorf("the training is not recorded:\n%s", result.Diagnostics)
		}
		s.WantCount(t, mockserver.RouteTraining, firstWaitRead-1)
		s.ClearFaults()
		s.Apply().Must()
		s.Want(address, core.Object{"id": s.Trainings(s.character)[0].JobID, "succeeded": true})
		s.wantPaid(1)
		s.Plan().WantEmpty()
	})
}

func TestDestroyingAnUnknownTraining(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropBefore: true})
	s.configure(nil)
	s.Apply().Must()
	s.ResetJournal()
	result := s.Destroy().Must()
	if len(result.Diagnostics.Find("Training of Unknown Outcome Forgotten")) != 1 {
		t.Errorf("nothing says what was forgotten:\n%s", result.Diagnostics)
	}
	s.WantCount(t, mockserver.RouteTraining, 1)
	s.WantCount(t, mockserver.RouteCancel, 0)
}

// A start that says no, and deducts credits, was accepted: its job is held.
// Fault F22.
func TestStartThatSaysNoAndDeductsIsHeld(t *testing.T) {
	t.Parallel()
	for name, says := range map[string]map[string]any{
		"bool": {"success": false}, "text": {"success": "false", "message": "no"}, "an error": {"error": "no"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Nth: 1, Rewrite: func(reply map[string]any) { maps.Copy(reply, says) }})
			s.configure(nil)
			result := s.Apply().Must()
			if len(result.Diagnostics) != 0 {
				t.Errorf("want no message:\n%s", result.Diagnostics)
			}
			s.Want(address, core.Object{"id": s.Trainings(s.character)[0].JobID, "credits_deducted": 100, "succeeded": true})
			s.Plan().WantEmpty()
			s.Apply().Must()
			s.wantPaid(1)
		})
	}
}

// A start that says no and names a job, without a word of credits, settles
// nothing. The job is told and looked for, like that of a lost reply.
// Fault F22.
func TestStartThatSaysNoAndNamesAJobIsUnknown(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		works   bool
		summary string
	}{
		"it was started": {true, "Body LoRA Training Found Without an Answer"},
		"it was not":     {false, "Outcome of Body LoRA Training Unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Nth: 1, AfterWork: test.works, Body: `{"success":false,"job_id":"job_000001"}`})
			s.configure(nil)
			s.WantWarning(s.Apply().Must().Diagnostics, test.summary, `names "job_000001"`)
			if held := s.Value(address, "id") == "job_000001"; held != test.works {
				t.Errorf("the id is %v", s.Value(address, "id"))
			}
			s.Plan().WantEmpty()
			s.Apply().Must()
			s.wantPaid(1)
		})
	}
}

// Fault F24.
func TestStartWithCreditsBeyondReason(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Nth: 1, Rewrite: func(reply map[string]any) { reply["credits_deducted"] = 1.7e308 }})
	s.configure(nil)
	s.WantWarning(s.Apply().Must().Diagnostics, "Numbers Beyond Reason", "credits_deducted 1.7e+308", s.Trainings(s.character)[0].JobID)
	s.Want(address, core.Object{"credits_deducted": nil, "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

package training_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// unanswered is a scenario with a training whose start never reached the
// service, and when its status was read before.
func unanswered(t *testing.T, date http.Header) (s *scenario, began time.Time) {
	t.Helper()
	s = newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, DropBefore: true})
	if date != nil {
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Header: date})
	}
	began = s.Clock.Now()
	s.configure(core.Object{"wait_for_completion": false})
	s.WantWarning(s.Apply().Diagnostics, "Outcome of Body LoRA Training Unknown")
	s.ClearFaults()
	s.ResetJournal()
	return s, began
}

// A job that somebody else started later is not the lost one: it is neither
// adopted nor cancelled.
// Fault F20.
func TestJobOfAnotherTimeIsNotAdopted(t *testing.T) {
	t.Parallel()
	for name, refresh := range map[string]bool{"refreshed": true, "destroyed at once": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := unanswered(t, nil)
			s.Clock.Advance(3 * 7 * 24 * time.Hour)
			job := s.StartTrainingElsewhere(s.character)
			if refresh {
				plan := s.Plan()
				plan.WantEmpty()
				s.WantWarning(plan.Diagnostics, "Outcome of Body LoRA Training Unknown", "no job of its time")
				s.Apply().Must()
				if id, _ := s.Value(address, "id").(string); !strings.HasPrefix(id, "unknown-") {
					t.Errorf("the training of somebody else was adopted: %q", id)
				}
			}
			said := s.Destroy().Must().Diagnostics
			if len(said.Find("Training of Unknown Outcome Forgotten")) != 1 {
				t.Errorf("nothing says what was forgotten:\n%s", said)
			}
			s.WantCount(t, mockserver.RouteCancel, 0)
			s.wantPaid(0)
			if found := s.Trainings(s.character)[0]; found.JobID != job || found.Status != "training" {
				t.Errorf("the training of somebody else is %v", found)
			}
		})
	}
}

// A refresh adopts a job that was created within ten minutes of the status read
// before the start, by the service's clock, give or take five.
// Fault F4.
func TestRefreshGoesByTheTimeOfTheJob(t *testing.T) {
	t.Parallel()
	const doubtful = "Body LoRA Training Not Adopted"
	at := func(after time.Duration, layout string) func(time.Time) any {
		return func(began time.Time) any { return began.Add(after).UTC().Format(layout) }
	}
	said := func(value any) func(time.Time) any { return func(time.Time) any { return value } }
	for name, test := range map[string]struct {
		created func(began time.Time) any
		date    http.Header
		adopted bool
		warning bool
	}{
		"at once":        {created: at(0, time.RFC3339), adopted: true},
		"without a zone": {created: at(time.Minute, "2006-01-02T15:04:05.999"), adopted: true},
		"with a blank":   {created: at(time.Minute, "2006-01-02 15:04:05"), warning: true},
		"in another zone": {created: func(began time.Time) any {
			return began.Add(time.Minute).In(time.FixedZone("", 7200)).Format(time.RFC3339)
		}, adopted: true},
		"by a slow clock":       {created: at(-4*time.Minute, time.RFC3339), adopted: true},
		"at the end":            {created: at(14*time.Minute, time.RFC3339), adopted: true},
		"too early":             {created: at(-6*time.Minute, time.RFC3339)},
		"too late":              {created: at(16*time.Minute, time.RFC3339)},
		"without a time":        {created: said(nil), warning: true},
		"with a time not ISO":   {created: said("yesterday"), warning: true},
		"start without a Date":  {created: at(0, time.RFC3339), date: http.Header{"Date": nil}, warning: true},
		"start with an odd one": {created: at(0, time.RFC3339), date: http.Header{"Date": {"noon"}}, warning: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, began := unanswered(t, test.date)
			job := s.StartTrainingElsewhere(s.character)
			s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 1000, Rewrite: func(status map[string]any) {
				if current, ok := currentJob(status); ok {
					current["created_at"] = test.created(began)
				}
			}})
			plan := s.Plan()
			if found := plan.Warnings().Find(doubtful); (len(found) == 1) != test.warning || test.warning && !strings.Contains(found[0].Detail, job) {
				t.Errorf("want a warning that names the job to be %t, got:\n%s", test.warning, plan)
			}
			s.ApplyPlan(plan).Must()
			if id := s.Value(address, "id"); (id == job) != test.adopted {
				t.Errorf("the training is %v", id)
			}
			s.Destroy().Must()
			s.wantPaid(0)
			if cancelled := s.Trainings(s.character)[0].Status == "cancelled"; cancelled != test.adopted {
				t.Errorf("the job is cancelled: %t", cancelled)
			}
		})
	}
}

// A job that certainly is of another time does not stand beside the lost one.
// Fault F4.
func TestJobOfAnotherTimeRaisesNoDoubt(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Nth: firstWaitRead, Times: 1000, Status: 503, Body: "down"})
	s.configure(nil)
	s.WantWarning(s.Apply().Diagnostics, "Outcome of Body LoRA Training Unknown")
	s.ClearFaults()
	s.Clock.Advance(time.Hour)
	s.StartTrainingElsewhere(s.character)
	s.Refresh().Must()
	s.Want(address, core.Object{"id": s.Trainings(s.character)[0].JobID})
	s.wantPaid(1)
}

// A destroy looks for no job: one of its time may be that of a resource which
// the apply has not read, and a refresh has left it to that one.
// Fault F20.
func TestDestroyOfAnUnknownTrainingCancelsNoOther(t *testing.T) {
	t.Parallel()
	s, _ := unanswered(t, nil)
	s.Resource(other, core.Object{"character_id": s.character, "wait_for_completion": false})
	s.Apply().Must()
	s.Want(other, core.Object{"id": s.Trainings(s.character)[0].JobID})
	s.Remove(address)
	s.WantWarning(s.Apply().Diagnostics, "Training of Unknown Outcome Forgotten")
	s.WantCount(t, mockserver.RouteCancel, 0)
	s.wantPaid(1)
	s.Plan().WantEmpty()
}

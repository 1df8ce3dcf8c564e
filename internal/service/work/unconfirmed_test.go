package work_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var lostReplies = map[string]mockserver.Fault{
	"dropped":     {DropAfterWork: true},
	"in body":     {DropInBody: true},
	"truncated":   {Truncate: -1},
	"101":         {Status: 101, AfterWork: true},
	"408":         {Status: 408, AfterWork: true},
	"500":         {Status: 500, Body: `{"error":"internal"}`, AfterWork: true},
	"502":         {Status: 502, Body: "<html>bad gateway</html>", AfterWork: true},
	"503":         {Status: 503, Body: "down", AfterWork: true},
	"504":         {Status: 504, AfterWork: true},
	"redirect":    {Status: 302, AfterWork: true},
	"HTML in 200": {Status: 200, Body: "<html>hello</html>", AfterWork: true},
	"empty 204":   {Status: 204, AfterWork: true},
}

// wantUnconfirmed checks that the state records the start, and that each plan
// says so and names the jobs, and proposes nothing.
func (s *scenario) wantUnconfirmed(jobs ...string) {
	s.T.Helper()
	id, _ := s.Value(s.address, "id").(string)
	check.True(
		s.T,
		"unconfirmed and not tainted",
		strings.HasPrefix(id, "unconfirmed-") && !s.Tainted(s.address),
		s.State(s.address),
	)
	s.Want(s.address, core.Object{"status": "unconfirmed", "succeeded": nil})
	says := []string{strconv.Quote(s.character), id, "change triggers"}
	if len(jobs) > 0 {
		says = append(
			says,
			fmt.Sprintf("%q", jobs),
			"terraform state rm ADDRESS",
			fmt.Sprintf("id = %q", s.character+"/"+jobs[0]),
		)
	} else {
		says = append(says, "No job")
	}
	s.Apply().Must()
	for _, options := range [][]core.PlanOption{nil, {core.Refresh(false)}} {
		plan := s.Plan(options...)
		plan.WantEmpty()
		s.WantWarning(plan.Diagnostics, s.title+" Training Unconfirmed", says...)
	}
	s.Want(s.address, core.Object{"id": id})
	s.wantPaid(1)
}

// wantImported follows the advice of the warning: it buys nothing.
func (s *scenario) wantImported(job string) {
	s.T.Helper()
	s.Forget(s.address)
	s.Import(s.address, s.character+"/"+job).Must()
	s.Apply().Must()
	s.Want(s.address, core.Object{"id": job, "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// What may be the job is named, and never taken.
// Fault F4.
func TestLostReplyIsUnconfirmed(t *testing.T) {
	t.Parallel()
	for name, fault := range lostReplies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachKind(t, func(t *testing.T, s *scenario) {
				lost := fault
				lost.Route = s.start
				lost.Times = 1
				s.Fault(lost)
				s.configure(round("1"))
				began := s.Clock.Now()
				said := s.Apply().Must().Diagnostics
				job := s.Trainings(s.character)[0].JobID
				s.WantWarning(
					said,
					s.title+" Training Unconfirmed",
					began.UTC().Format(time.DateOnly),
					"may be paid for",
					fmt.Sprintf("%q", []string{job}),
					"terraform state rm ADDRESS",
					fmt.Sprintf("id = %q", s.character+"/"+job),
					"change triggers",
				)
				check.True(t, "the apply is short", s.Clock.Now().Sub(began) <= time.Minute, s.Clock.Now().Sub(began))
				s.WantCountAfter(t, s.start, mockserver.RouteTraining, 1)
				s.wantUnconfirmed(job)
				s.wantImported(job)
			})
		})
	}
}

// The job of somebody else that began three seconds after our 502 was adopted,
// and cancelled by the destroy. Fault F4.
func TestTrainingOfAStrangerIsNotTakenForTheLostOne(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]mockserver.Fault{
		"502":           {Status: 502, Body: "<html>bad gateway</html>"},
		"never arrived": {DropBefore: true},
		"no job": {
			Body: `{"success":true,"credits_deducted":100}`,
		},
		"a job in a refusal": {Body: `{"success":false,"job_id":"job_000001"}`},
	}, func(t *testing.T, fault mockserver.Fault) {
		s := newScenario(t)
		fault.Route = mockserver.RouteStartTraining
		fault.Times = 1
		s.Fault(fault)
		job := ""
		s.Fault(mockserver.Fault{
			Route: mockserver.RouteTraining,
			After: mockserver.RouteStartTraining,
			Nth:   1,
			Reached: func() {
				s.Clock.Advance(3 * time.Second)
				job = s.StartTrainingElsewhere(s.character)
			},
		})
		s.WantWarning(s.applies(nil).Diagnostics, "Body LoRA Training Unconfirmed", job)
		s.wantUnconfirmed(job)
		plan := s.Plan(core.Destroying())
		s.WantWarning(plan.Diagnostics, "Running Training Is Not Cancelled", "no answer has named its job")
		s.WantWarning(s.ApplyPlan(plan).Must().Diagnostics, "Running Training Was Not Cancelled")
		s.wantRunning(job)
	})
}

func TestStartThatNeverHappenedIsUnconfirmed(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.Fault(mockserver.Fault{Route: s.start, Times: 1, DropBefore: true})
		s.WantWarning(
			s.applies(round("1")).Diagnostics,
			s.title+" Training Unconfirmed",
			"No job",
		)
		s.wantUnconfirmed()
		s.configure(round("2"))
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Running Training Is Not Cancelled")
		s.ApplyPlan(plan).Must()
		s.wantPaid(2)
		s.Want(s.address, core.Object{"succeeded": true})
		s.Plan().WantEmpty()
	})
}

// The one look fails silently, and may come too early: a refresh names the job.
// Fault F4.
func TestRefreshNamesWhatMayBeTheJob(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(time.Hour)
	s.Fault(mockserver.Fault{Route: mockserver.RouteStartTraining, Times: 1, DropAfterWork: true})
	s.Fault(mockserver.Fault{
		Route:  mockserver.RouteTraining,
		After:  mockserver.RouteStartTraining,
		Status: 503,
		Body:   "down",
	})
	s.WantWarning(s.applies(nil).Diagnostics, "Body LoRA Training Unconfirmed", "No job")
	s.WantCountAfter(t, mockserver.RouteStartTraining, mockserver.RouteTraining, 1)
	s.ClearFaults()
	job := s.Trainings(s.character)[1].JobID
	s.wantUnconfirmed(job)
	s.wantImported(job)
}

// A job that the run holds is not the lost one, nor is one of the other kind.
func TestJobOfTheRunIsNotNamed(t *testing.T) {
	t.Parallel()
	s := newFaceScenario(t)
	s.Fault(mockserver.Fault{Route: s.start, Times: 1, DropBefore: true})
	s.applies(nil)
	s.Clock.Advance(time.Hour)
	job := s.startElsewhere()
	s.Clock.Advance(time.Hour)
	s.other().elsewhere(s.Server, s.character)
	s.wantUnconfirmed(job)
	s.Resource(faceLoRA.typeName+".z", core.Object{"character_id": s.character})
	s.Import(faceLoRA.typeName+".z", s.character+"/"+job).Must()
	for _, refresh := range []bool{true, false} { // the holder is read, or planned, first
		s.WantWarning(
			s.Plan(core.Refresh(refresh), core.Reversed()).Diagnostics,
			"Face LoRA Training Unconfirmed",
			"No job",
		)
	}
}

func TestReplyWithoutAJobIsUnconfirmed(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteStartTraining,
			Times:   1,
			Rewrite: func(reply map[string]any) { delete(reply, "job_id") },
		},
	)
	s.configure(nil)
	job := "job_000001"
	s.WantWarning(
		s.Apply().Must().Diagnostics,
		"Body LoRA Training Unconfirmed",
		"credits deducted",
		job,
	)
	s.Want(address, core.Object{"credits_deducted": int64(100)})
	s.wantUnconfirmed(job)
	s.wantImported(job)
}

func TestInterruptedStartIsRecorded(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	var interrupted time.Time
	hold := make(chan struct{})
	defer close(hold)
	s.Fault(
		mockserver.Fault{
			Route:         mockserver.RouteStartTraining,
			Times:         1,
			Hold:          hold,
			HoldAfterWork: true,
			Reached: func() {
				interrupted = time.Now()
				s.Interrupt()
			},
		},
	)
	s.configure(nil)
	result := s.Apply()
	check.True(
		t,
		"it returns soon after an interrupt",
		time.Since(interrupted) <= 3*time.Second,
		time.Since(interrupted),
	)
	check.True(
		t,
		"the training is recorded",
		len(result.Diagnostics.Find("Body LoRA Training Unconfirmed")) == 1,
		result.Diagnostics,
	)
	s.WantCountAfter(t, mockserver.RouteStartTraining, mockserver.RouteTraining, 0)
	s.ClearFaults()
	s.wantUnconfirmed(s.Trainings(s.character)[0].JobID)
}

// A start that says no, and deducts credits, was accepted: its job is held.
// Fault F22.
func TestStartThatSaysNoAndDeductsIsHeld(t *testing.T) {
	t.Parallel()
	check.Each(t, map[string]map[string]any{
		"bool": {"success": false}, "text": {"success": "false", "message": "no"}, "an error": {"error": "no"},
	}, func(t *testing.T, says map[string]any) {
		s := newScenario(t)
		s.Fault(
			mockserver.Fault{
				Route:   mockserver.RouteStartTraining,
				Nth:     1,
				Rewrite: func(reply map[string]any) { maps.Copy(reply, says) },
			},
		)
		result := s.applies(nil)
		check.True(t, "no message", len(result.Diagnostics) == 0, result.Diagnostics)
		s.Want(
			address,
			core.Object{"id": s.Trainings(s.character)[0].JobID, "credits_deducted": 100, "succeeded": true},
		)
		s.Plan().WantEmpty()
		s.Apply().Must()
		s.wantPaid(1)
	})
}

// Fault F24.
func TestStartWithCreditsBeyondReason(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(
		mockserver.Fault{
			Route:   mockserver.RouteStartTraining,
			Nth:     1,
			Rewrite: func(reply map[string]any) { reply["credits_deducted"] = 1.7e308 },
		},
	)
	s.WantWarning(
		s.applies(nil).Diagnostics,
		"Numbers Beyond Reason",
		"credits_deducted 1.7e+308",
		s.Trainings(s.character)[0].JobID,
	)
	s.Want(address, core.Object{"credits_deducted": nil, "succeeded": true})
	s.Plan().WantEmpty()
	s.wantPaid(1)
}

// A 404 says nothing of a start whose job has no id: a refresh tells what it was
// answered, and advises nothing that would train again.
// Fault F23.
func TestUnconfirmedTrainingIsNotCalledLate(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Fault(mockserver.Fault{Route: s.start, Times: 1, DropBefore: true})
	s.WantWarning(s.applies(nil).Diagnostics, "Body LoRA Training Unconfirmed")
	s.RemoveCharacter(s.character)
	said := s.Refresh().Must().Diagnostics
	s.WantWarning(said, "Unable to Read Body LoRA Training", "404")
	check.True(t, "it stays in the state", s.State(address) != nil)
	check.True(t, "no trust is advised", !strings.Contains(said.String(), "trust_not_found"), said)
	s.wantUnconfirmed()
}

// A reply that was cut off may name the job that no status shows yet. An id
// that no request could name is none. Fault F4.
func TestWhatIsLeftOfAReceipt(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		// Its status does not show it meanwhile.
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(said map[string]any) {
			for _, name := range []string{
				"character_training",
				"face_training",
				"character_training_history",
				"face_training_history",
			} {
				delete(said, name)
			}
		}})
		s.Fault(
			mockserver.Fault{
				Route:     s.start,
				Nth:       1,
				AfterWork: true,
				Body:      `{"job_id":"{job_id}","credits_deducted":5,"message":"sta`,
			},
		)
		s.configure(round("1"))
		said := s.Apply().Must().Diagnostics
		job := s.Trainings(s.character)[0].JobID
		s.WantWarning(said, s.title+" Training Unconfirmed", fmt.Sprintf("it names %q", job), "credits_deducted 5",
			fmt.Sprintf("id = %q", s.character+"/"+job), "change triggers")
		s.wantPaid(1)
		s.ClearFaults()
		s.wantImported(job)
	})
	eachKind(t, func(t *testing.T, s *scenario) {
		s.Fault(
			mockserver.Fault{
				Route:   s.start,
				Nth:     1,
				Rewrite: func(said map[string]any) { said["job_id"] = "job\n\x1b[31m1" },
			},
		)
		s.configure(round("1"))
		said := s.Apply().Must().Diagnostics
		s.WantWarning(
			said,
			s.title+" Training Unconfirmed",
			`gives "job<U+000A><U+001B>[31m1" for its job`,
			"no id",
			"change triggers",
		)
		s.wantPaid(1)
	})
}

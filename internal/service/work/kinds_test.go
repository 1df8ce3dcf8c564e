package work_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func newFaceScenario(t *testing.T, change ...func(*mockserver.Options)) *scenario {
	t.Helper()
	return newScenarioOf(t, faceLoRA, append(change, func(o *mockserver.Options) { o.Extended = true })...)
}

// Both kinds count for the limit, and go one after the other.
func TestBothTrainingsOfACharacter(t *testing.T) {
	t.Parallel()
	s := newFaceScenario(t)
	s.allow(1)
	s.configure(nil)
	s.Resource(bodyLoRA.address, core.Object{"character_id": s.character})
	s.Parallel(2)
	s.WantError(
		s.Plan().Diagnostics,
		"Purchase Limit Exceeded",
		"1: face LoRA training of character",
		"1: body LoRA training of character",
	)
	s.allow(2)
	s.Apply().Must()
	for _, kind := range []lora{faceLoRA, bodyLoRA} {
		s.Want(
			kind.address,
			core.Object{"succeeded": true, "credits_deducted": int64(100), "job_type": kind.word + "_lora"},
		)
	}
	check.True(t, "two purchases", len(s.Ledger().Entries) == 2, s.Ledger().Entries)
	s.ResetJournal()
	s.Plan().WantEmpty()
	s.WantCount(t, mockserver.RouteTraining, 1)
	s.Destroy().Must()
	s.WantCount(t, mockserver.RouteCancel, 0)
}

// A body training that needs the face of the same plan is not said to fail.
func TestBodyTrainingAfterAFaceIsNotSaidToFail(t *testing.T) {
	t.Parallel()
	s := newFaceScenario(t)
	s.canTrain(new(bool))
	s.Before(s.start, func() { s.canTrain(nil) })
	s.configure(nil)
	plan := s.Plans(bodyLoRA.address, core.Object{"character_id": s.character}, core.DependsOn(s.address))
	check.True(t, "no such warning", len(plan.Diagnostics.Find("Body LoRA Training Cannot Start Yet")) == 0, plan)
	s.ApplyPlan(plan).Must()
}

// The service does not document how a face training is started: each plan that
// pays for one says so.
func TestFaceTrainingHasAnInferredStart(t *testing.T) {
	t.Parallel()
	s := newFaceScenario(t)
	for _, config := range []core.Object{round("1"), round("2")} {
		s.configure(config)
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Face LoRA Training Has an Inferred Start", "not documented", "costs credits")
		if s.State(s.address) == nil {
			s.ApplyPlan(plan).Must()
			check.True(t, "nothing once it is there", len(s.Plan().Must().Warnings()) == 0)
		}
	}
}

// Actions learn the kind from the status.
func TestActionsOnAFaceTraining(t *testing.T) {
	t.Parallel()
	s := newFaceScenario(t, func(o *mockserver.Options) { o.Variant.Vocabulary = mockserver.WordsUnknown })
	s.AddBodyLoRA(s.character) // says nothing about the face
	s.FailNextTraining()
	job := s.startElsewhere()
	_, said := s.invoke(await, job)
	s.WantError(said, "Face LoRA Training Failed", job)
	s.Clock.Advance(time.Hour)
	job = s.startElsewhere()
	_, said = s.invoke("mediagen_cancel_training", job)
	check.True(t, "no error", !said.HasErrors(), said)
	jobs := s.Trainings(s.character)
	check.True(t, "it is cancelled", jobs[1].JobID == job && jobs[1].Status == "cancelled", jobs)
}

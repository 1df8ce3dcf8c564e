package work_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestTrainingIsBoughtOnceAndWaitedFor(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.configure(nil)
		plan := s.Plan().Must()
		check.True(t, "the plan announces a purchase", len(plan.UnknownIDs(s.address)) == 1, plan)
		check.True(
			t,
			"no warnings but of an inferred start",
			len(plan.Warnings()) == len(plan.Diagnostics.Find("Inferred Start")),
			plan,
		)
		check.Equal(t, "what the apply says", s.ApplyPlan(plan).Must().Diagnostics.String(), "")
		job := s.Trainings(s.character)[0]
		s.Want(s.address, core.Object{
			"id": job.JobID, "succeeded": true, "status": "completed", "job_type": s.word + "_lora",
			"credits_deducted": int64(100), "remaining_balance": int64(9900), "training_steps": int64(2000),
			"wait_for_completion": true,
		})
		check.Equal(t, "the identity", s.Identity(s.address), core.Object{"character_id": s.character, "id": job.JobID})
		s.wantPaid(1)
		check.Equal(t, "the balance", s.Ledger().Balance, 9900)
		s.Plan().WantEmpty()
	})
}

func TestReplacingARunningTrainingCancelsIt(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		config := round("1")
		config["wait_for_completion"] = false
		s.applies(config)
		config = round("2")
		s.configure(config)
		plan := s.Plan().Must()
		s.WantWarning(plan.Diagnostics, "Destroying Cancels a Running Training")
		check.True(t, "the plan announces a purchase", len(plan.UnknownIDs(s.address)) == 1, plan)
		s.ApplyPlan(plan).Must()
		s.wantPaid(2)
		s.WantCount(t, mockserver.RouteCancel, 1)
		jobs := s.Trainings(s.character)
		check.True(t, "the first is cancelled", jobs[0].Status == "cancelled" && jobs[1].Status == "completed", jobs)
		s.Plan().WantEmpty()
	})
}

// Which jobs were there before only matters while the start is unconfirmed.
func TestConfirmedStartForgetsTheJobsBefore(t *testing.T) {
	t.Parallel()
	s := applied(t, round("1"))
	s.applies(round("2"))
	for key, private := range s.Entries()[0].Private {
		check.True(
			t,
			"no job of before",
			!strings.Contains(string(private), s.Trainings(s.character)[0].JobID),
			key,
			string(private),
		)
	}
}

// What waits for images that the same plan uploads cannot start before.
func TestTrainingOfImagesToUploadIsNotSaidToFail(t *testing.T) {
	t.Parallel()
	const summary, image = "Body LoRA Training Cannot Start Yet", "mediagen_face_image.i"
	s := newScenario(t)
	s.canTrain(new(bool))
	s.Before(mockserver.RouteUpload, func() { s.canTrain(nil) })
	source := filepath.Join(t.TempDir(), "ada.png")
	check.Must(t, os.WriteFile(source, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	s.Resource(image, core.Object{"character_id": s.character, "source": source})
	s.configure(nil, core.DependsOn(image))
	plan := s.Plan().Must()
	s.WantSilent(plan.Diagnostics, summary)
	s.ApplyPlan(plan).Must()
	s.Plan().WantEmpty()
	s.canTrain(new(bool))
	s.Forget(address)
	s.WantWarning(s.Plan().Diagnostics, summary)
}

func TestTrainingThatCannotStartFailsInTwoMinutes(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.canTrain(new(bool))
	s.configure(nil)
	s.WantWarning(s.Plan().Diagnostics, "Body LoRA Training Cannot Start Yet", "face_image_count 10")
	before := s.Clock.Now()
	result := s.Apply()
	s.WantError(result.Diagnostics, "Unable to Start Body LoRA Training", "face_image_count 10", "Nothing was bought")
	waited := s.Clock.Now().Sub(before)
	check.True(t, "how long the apply waits", waited <= 2*time.Minute && waited >= time.Minute, waited)
	s.wantPaid(0)
	check.True(t, "nothing is in the state", s.State(address) == nil)
}

func TestTrainingStartsOnceCaptionsAreThere(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.canTrain(new(bool))
	s.configure(nil)
	plan := s.Plan().Must()
	begun := s.Clock.Now()
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Reached: func() {
		if s.Clock.Now().Sub(begun) >= 30*time.Second {
			s.canTrain(nil)
		}
	}})
	s.ApplyPlan(plan).Must()
	s.wantPaid(1)
	s.Want(address, core.Object{"succeeded": true})
}

func TestFailedTrainingIsData(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.FailNextTraining()
		s.configure(round("1"))
		s.WantWarning(s.Apply().Diagnostics, s.title+" Training Failed", "100 credits")
		s.Want(s.address, core.Object{"succeeded": false, "status": "failed"})
		plan := s.Plan()
		plan.WantEmpty()
		s.WantWarning(plan.Diagnostics, s.title+" Training Failed", "100 credits")
		s.wantPaid(1)
		s.applies(round("2"))
		s.Want(s.address, core.Object{"succeeded": true})
		s.wantPaid(2)
	})
}

// Fault F10.
func TestTrainingsOfOneCharacterGoOneAfterTheOther(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for _, name := range []string{"a", "b", "c"} {
		s.Resource("mediagen_body_lora_training."+name, core.Object{"character_id": s.character})
	}
	s.Parallel(10)
	s.Apply().Must()
	s.wantPaid(3)
	ids := map[any]bool{}
	for _, name := range []string{"a", "b", "c"} {
		ids[s.Value("mediagen_body_lora_training."+name, "id")] = true
	}
	check.True(t, "three trainings", len(ids) == 3, ids)
	s.ResetJournal()
	s.Plan().WantEmpty()
	s.WantCount(t, mockserver.RouteTraining, 1)
}

func TestLaterGroupsOfTheApplySeeTheTrainedLoRA(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	group := func(name string, lora bool) {
		s.Resource("mediagen_generation_group."+name, core.Object{"character_id": s.character, "prompts": core.Object{
			"a": core.Object{"prompt": "a portrait", "use_face_lora": false, "use_body_lora": lora},
		}})
	}
	group("before", false)
	s.configure(nil)
	group("after", true)
	s.Apply().Must()
	check.Equal(
		t,
		"the generation with the new LoRA has succeeded",
		s.Value("mediagen_generation_group.after", `generations["a"].succeeded`),
		true,
	)
}

// A service need not say whether a training can start: the start tells.
func TestTrainingStartsWithoutASayInIt(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Times: 100, Rewrite: func(reply map[string]any) {
			delete(reply, "can_start_"+s.word+"_training")
		}})
		s.applies(nil)
		s.Want(s.address, core.Object{"succeeded": true})
		s.wantPaid(1)
	})
}

func TestWithoutProviderDataThePlanSendsNothing(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	s.Workspace.Provider(core.Object{"base_url": core.UnknownUntilApply(s.URL), "api_key": "k"})
	s.configure(nil)
	s.Plan().Must()
	s.WantNoRequests(t)
}

func TestOddIdsAreEscaped(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"a/b", "a?b", "a#b", "a%2fb", "ä ö", "כבד"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			s.character = s.AddCharacter(mockserver.CharacterSeed{ID: id, FaceImages: 1})
			s.applies(nil)
			s.Want(address, core.Object{"succeeded": true})
			s.Plan().WantEmpty()
		})
	}
}

package training_test

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
		if ids := plan.UnknownIDs(s.address); len(ids) != 1 {
			t.Errorf("the plan announces no purchase:\n%s", plan)
		}
		check.True(t, "no warnings but of an inferred start", len(plan.Warnings()) == len(plan.Diagnostics.Find("Inferred Start")), plan)
		if result := s.ApplyPlan(plan).Must(); len(result.Diagnostics) > 0 {
			t.Errorf("unexpected messages:\n%s", result.Diagnostics)
		}
		job := s.Trainings(s.character)[0]
		s.Want(s.address, core.Object{
			"id": job.JobID, "succeeded": true, "status": "completed", "job_type": s.word + "_lora",
			"credits_deducted": int64(100), "remaining_balance": int64(9900), "training_steps": int64(2000),
			"wait_for_completion": true,
		})
		if identity := s.Identity(s.address); identity["character_id"] != s.character || identity["id"] != job.JobID {
			t.Errorf("identity is %v", identity)
		}
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
		if jobs := s.Trainings(s.character); jobs[0].Status != "cancelled" || jobs[1].Status != "completed" {
			t.Errorf("the trainings are %v", jobs)
		}
		s.Plan().WantEmpty()
	})
}

// Which jobs were there before only matters while the start is unconfirmed.
func TestConfirmedStartForgetsTheJobsBefore(t *testing.T) {
	t.Parallel()
	s := applied(t, round("1"))
	s.applies(round("2"))
	for key, private := range s.Entries()[0].Private {
		check.True(t, "no job of before", !strings.Contains(string(private), s.Trainings(s.character)[0].JobID), key, string(private))
	}
}

// What waits for images that the same plan uploads cannot start before.
func TestTrainingOfImagesToUploadIsNotSaidToFail(t *testing.T) {
	t.Parallel()
	const summary, image = "Body LoRA Training Cannot Start Yet", "mediagen_face_image.i"
	s := newScenario(t)
	cannot := false
	s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = &cannot })
	s.Before(mockserver.RouteUpload, func() {
		s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = nil })
	})
	source := filepath.Join(t.TempDir(), "ada.png")
	check.Must(t, os.WriteFile(source, []byte("\x89PNG\r\n\x1a\n"), 0o600))
	s.Resource(image, core.Object{"character_id": s.character, "source": source})
	s.configure(nil, core.DependsOn(image))
	plan := s.Plan().Must()
	if said := plan.Diagnostics.Find(summary); len(said) > 0 {
		t.Errorf("it waits for the images of this plan:\n%s", said)
	}
	s.ApplyPlan(plan).Must()
	s.Plan().WantEmpty()
	s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = &cannot })
	s.Forget(address)
	s.WantWarning(s.Plan().Diagnostics, summary)
}

func TestTrainingThatCannotStartFailsInTwoMinutes(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	cannot := false
	s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = &cannot })
	s.configure(nil)
	s.WantWarning(s.Plan().Diagnostics, "Body LoRA Training Cannot Start Yet", "face_image_count 10")
	before := s.Clock.Now()
	result := s.Apply()
	s.WantError(result.Diagnostics, "Unable to Start Body LoRA Training", "face_image_count 10", "Nothing was bought")
	if waited := s.Clock.Now().Sub(before); waited > 2*time.Minute || waited < time.Minute {
		t.Errorf("the apply took %s", waited)
	}
	s.wantPaid(0)
	check.True(t, "nothing is in the state", s.State(address) == nil)
}

func TestTrainingStartsOnceCaptionsAreThere(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	cannot := false
	s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = &cannot })
	s.configure(nil)
	plan := s.Plan().Must()
	for range 4 {
		s.Before(mockserver.RouteTraining, func() {})
	}
	s.Before(mockserver.RouteTraining, func() {
		s.SetCharacter(s.character, func(c *mockserver.CharacterSeed) { c.CanTrain = nil })
	})
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
	check.Equal(t, "the generation with the new LoRA has succeeded", s.Value("mediagen_generation_group.after", `generations["a"].succeeded`), true)
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

package training_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// What is listed is what an import reads, and plans as one.
func TestListTrainings(t *testing.T) {
	t.Parallel()
	for name, variant := range mockserver.Variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t, func(o *mockserver.Options) { o.Variant = variant })
			s.FailNextTraining()
			for range 2 {
				s.StartTrainingElsewhere(s.character)
				s.Clock.Advance(time.Hour)
			}
			s.StartFaceTrainingElsewhere(s.character)
			s.Clock.Advance(time.Hour)
			results, messages := s.Query("mediagen_body_lora_training", core.Query{Config: core.Object{"character_id": s.character}, IncludeResource: true})
			if len(messages) > 0 || len(results) != 2 {
				t.Fatalf("want two trainings, got %v\n%s", results, messages)
			}
			s.WantCount(t, mockserver.RouteTraining, 1)
			for i, result := range results {
				address := fmt.Sprintf("mediagen_body_lora_training.t%d", i)
				s.ImportIdentity(address, result.Identity).Must()
				if diff := cmp.Diff(s.State(address), result.Resource); diff != "" {
					t.Error(diff)
				}
				s.Resource(address, core.Object{"character_id": result.Resource["character_id"], "wait_for_completion": result.Resource["wait_for_completion"]})
			}
			s.Plan().WantEmpty()
			s.wantPaid(0)
		})
	}
}

func TestListRunningTraining(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, s *scenario) {
		for range 3 {
			s.startElsewhere()
			s.Clock.Advance(time.Hour)
		}
		running := s.startElsewhere()
		results, messages := s.Query(s.typeName, core.Query{Config: core.Object{"character_id": s.character}, Limit: 1})
		want := []core.Listed{{DisplayName: running + " (training)", Identity: core.Object{"character_id": s.character, "id": running}}}
		if diff := cmp.Diff(want, results); diff != "" || len(messages) > 0 {
			t.Errorf("%s\n%s", diff, messages)
		}
	})
}

func TestTrainingListsThatFail(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ character, summary, at string }{
		"no such character": {"char_999999", "Unable to List Body LoRA Trainings", "character_id"},
		"a dot segment":     {"..", "Invalid Value", "character_id"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScenario(t)
			_, messages := s.Query("mediagen_body_lora_training", core.Query{Config: core.Object{"character_id": test.character}})
			if found := messages.Errors().Find(test.summary); len(found) != 1 || found[0].Path != test.at {
				t.Errorf("want an error %q at %q, got:\n%s", test.summary, test.at, messages)
			}
		})
	}
}

// A job that a service repeats, or shows at two places, is one training.
func TestRepeatedTrainingsAreListedOnce(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	for range 2 {
		s.StartTrainingElsewhere(s.character)
		s.Clock.Advance(time.Hour)
	}
	s.Fault(mockserver.Fault{Route: mockserver.RouteTraining, Rewrite: func(status map[string]any) {
		jobs := status["character_training_history"].([]any)
		status["character_training_history"], status["face_training_history"] = append(jobs, jobs...), jobs
	}})
	results, messages := s.Query("mediagen_body_lora_training", core.Query{Config: core.Object{"character_id": s.character}})
	if len(results) != 2 || len(messages) > 0 {
		t.Errorf("want two trainings, got %v\n%s", results, messages)
	}
}

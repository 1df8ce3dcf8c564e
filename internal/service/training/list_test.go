package training_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

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
	check.True(t, "two trainings", len(results) == 2 && len(messages) == 0, results, messages)
}

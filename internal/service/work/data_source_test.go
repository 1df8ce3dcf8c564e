package work_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestTrainingStatusShowsEverything(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	read := func() core.Object {
		t.Helper()
		status, diagnostics := s.DataSource("mediagen_training_status", core.Object{"character_id": s.character})
		check.True(t, "no error", !diagnostics.HasErrors(), diagnostics)
		return status
	}
	want := func(status core.Object, values core.Object) {
		t.Helper()
		for path, value := range values {
			check.Equal(t, path, core.Lookup(status, path), value)
		}
	}
	want(read(), core.Object{
		"can_start_body_training": true, "has_active_training": false, "character_training": nil, "face_training": nil,
		"face_image_count": int64(10), "body_image_count": int64(0), "failed_face_image_count": int64(0),
	})
	job := s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(5 * time.Minute)
	want(read(), core.Object{
		"can_start_body_training":           false,
		"has_active_training":               true,
		"body_lora_status":                  "training",
		"character_training.job_id":         job,
		"character_training.progress":       int64(25),
		"character_training.eta_minutes":    int64(15),
		"character_training.training_speed": 1.5,
		"character_training.training_phase": "training",
	})
	s.Clock.Advance(time.Hour)
	want(read(), core.Object{
		"training_complete": true, "character_training": nil, "character_training_history[0].job_id": job,
		"character_training_history[0].status": "completed", "character_training_history[0].eta_minutes": nil,
	})
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
		want := []core.Listed{
			{DisplayName: running + " (training)", Identity: core.Object{"character_id": s.character, "id": running}},
		}
		check.Equal(t, "results", results, want)
		check.True(t, "no message", len(messages) == 0, messages)
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
		status["character_training_history"] = append(jobs, jobs...)
		status["face_training_history"] = jobs
	}})
	results, messages := s.Query(
		"mediagen_body_lora_training",
		core.Query{Config: core.Object{"character_id": s.character}},
	)
	check.True(t, "two trainings", len(results) == 2 && len(messages) == 0, results, messages)
}

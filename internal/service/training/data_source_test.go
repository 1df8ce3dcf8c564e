package training_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

func TestTrainingStatusShowsEverything(t *testing.T) {
	t.Parallel()
	s := newScenario(t)
	read := func() core.Object {
		t.Helper()
		status, diagnostics := s.DataSource("mediagen_training_status", core.Object{"character_id": s.character})
		if diagnostics.HasErrors() {
			t.Fatal(diagnostics)
		}
		return status
	}
	want := func(status core.Object, values core.Object) {
		t.Helper()
		for path, value := range values {
			if got := core.Lookup(status, path); got != value {
				t.Errorf("%s is %v, want %v", path, got, value)
			}
		}
	}
	want(read(), core.Object{
		"can_start_body_training": true, "has_active_training": false, "character_training": nil, "face_training": nil,
		"face_image_count": int64(10), "body_image_count": int64(0), "failed_face_image_count": int64(0),
	})
	job := s.StartTrainingElsewhere(s.character)
	s.Clock.Advance(5 * time.Minute)
	want(read(), core.Object{
		"can_start_body_training": false, "has_active_training": true, "body_lora_status": "training",
		"character_training.job_id": job, "character_training.progress": int64(25), "character_training.eta_minutes": int64(15),
		"character_training.training_speed": 1.5, "character_training.training_phase": "training",
	})
	s.Clock.Advance(time.Hour)
	want(read(), core.Object{
		"training_complete": true, "character_training": nil, "character_training_history[0].job_id": job,
		"character_training_history[0].status": "completed", "character_training_history[0].eta_minutes": nil,
	})
}

package mockserver_test

import (
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func trainee(t *testing.T) *client {
	t.Helper()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
	return c
}

func (c *client) trainings() map[string]any {
	c.t.Helper()
	return c.do("GET", "/v2/c/training/complete-status", "", 200).object
}

func TestTrainingPhases(t *testing.T) {
	t.Parallel()
	c := trainee(t)
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	for _, want := range []struct {
		after time.Duration
		phase string
		eta   float64
		done  float64
	}{{0, "preparing", 20, 0}, {5 * time.Minute, "training", 15, 25}, {10 * time.Minute, "training", 10, 50}, {19*time.Minute + 30*time.Second, "uploading", 1, 97}} {
		c.clock.advance(want.after - c.clock.Now().Sub(c.Trainings("c")[0].CreatedAt))
		got := c.trainings()
		job := got["character_training"].(map[string]any)
		wantFields(t, "the job after "+want.after.String(), job, fields{"training_phase": want.phase, "eta_minutes": want.eta, "progress": want.done})
		wantFields(t, "after "+want.after.String(), got, fields{"can_start_body_training": false, "body_lora_status": "training"})
	}
	c.clock.advance(30 * time.Second)
	got := c.trainings()
	history := got["character_training_history"].([]any)
	check.Equal(t, "ended jobs", len(history), 1)
	wantFields(t, "after the end", got, fields{"character_training": nil, "has_active_training": false, "training_complete": true, "body_lora_status": "trained"})
	able := c.do("GET", "/v2/c/generation/capabilities", "", 200).object["body_lora"].(map[string]any)
	check.Equal(t, "it can be generated with", able["available"], true)
	c.clock.advance(time.Hour)
	later := c.trainings()["character_training_history"].([]any)[0].(map[string]any)
	wantFields(t, "a finished job", later, fields{"updated_at": history[0].(map[string]any)["updated_at"]})
}

func TestFailedTraining(t *testing.T) {
	t.Parallel()
	c := trainee(t)
	c.FailNextTraining()
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	c.clock.advance(time.Hour)
	got := c.trainings()
	wantFields(t, "failed", got, fields{"body_lora_status": "failed", "can_start_body_training": true, "training_complete": false})
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	c.clock.advance(time.Hour)
	history := c.trainings()["character_training_history"].([]any)
	check.True(t, "history", history[0].(map[string]any)["status"] == "completed" && history[1].(map[string]any)["status"] == "failed", history)
	check.Equal(t, "ledger", c.Ledger().Spent(), 200)
}

func TestCancelledTraining(t *testing.T) {
	t.Parallel()
	c := trainee(t)
	c.AddBodyLoRA("c")
	id := c.do("POST", "/v2/c/training/body-lora", "", 200).object["job_id"].(string)
	c.clock.advance(5 * time.Minute)
	c.do("POST", "/v2/c/training/jobs/"+id+"/cancel", "", 200)
	c.clock.advance(time.Hour)
	got := c.trainings()
	job := got["character_training_history"].([]any)[0].(map[string]any)
	wantFields(t, "cancelled", job, fields{"status": "cancelled", "progress": 25.0})
	check.Equal(t, "body_lora_status", got["body_lora_status"], "trained")
	c.do("POST", "/v2/c/training/jobs/"+id+"/cancel", "", 400)
	check.Equal(t, "spent", c.Ledger().Spent(), 100)
	c.ForgetTraining("c", id)
	check.Equal(t, "history", len(c.trainings()["character_training_history"].([]any)), 0)
}

func TestTrainingElsewhere(t *testing.T) {
	t.Parallel()
	c := trainee(t)
	id := c.StartTrainingElsewhere("c")
	job := c.trainings()["character_training"].(map[string]any)
	check.True(t, "elsewhere", job["job_id"] == id && c.Ledger().Spent() == 0, job)
	c.CancelTrainingElsewhere("c", id)
	face := c.StartFaceTrainingElsewhere("c")
	got := c.trainings()
	check.True(t, "face", got["face_training"].(map[string]any)["job_id"] == face && got["character_training"] == nil && got["has_active_training"] == true, got)
	c.clock.advance(time.Hour)
	check.Equal(t, "face LoRA", c.trainings()["face_lora_status"], "trained")
}

func TestSeededReadiness(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "bare", CanTrain: &yes, CanGenerate: &no, BodyLoRAStatus: "stale"})
	got := c.do("GET", "/v2/bare/training/complete-status", "", 200).object
	able := c.do("GET", "/v2/bare/generation/capabilities", "", 200).object
	check.Equal(t, "can start", got["can_start_body_training"], true)
	check.Equal(t, "can generate", able["can_generate"], false)
	wantFields(t, "body LoRA", able["body_lora"].(map[string]any), fields{"status": "stale"})
}

package mockserver_test

import (
	"fmt"
	"slices"
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
	}{
		{0, "preparing", 20, 0},
		{5 * time.Minute, "training", 15, 25},
		{10 * time.Minute, "training", 10, 50},
		{19*time.Minute + 30*time.Second, "uploading", 1, 97},
	} {
		c.clock.advance(want.after - c.clock.Now().Sub(c.Trainings("c")[0].CreatedAt))
		got := c.trainings()
		job := got["character_training"].(map[string]any)
		wantFields(
			t,
			"the job after "+want.after.String(),
			job,
			fields{"training_phase": want.phase, "eta_minutes": want.eta, "progress": want.done},
		)
		wantFields(
			t,
			"after "+want.after.String(),
			got,
			fields{"can_start_body_training": false, "body_lora_status": "training"},
		)
	}
	c.clock.advance(30 * time.Second)
	got := c.trainings()
	history := got["character_training_history"].([]any)
	check.Equal(t, "ended jobs", len(history), 1)
	wantFields(
		t,
		"after the end",
		got,
		fields{
			"character_training":  nil,
			"has_active_training": false,
			"training_complete":   true,
			"body_lora_status":    "trained",
		},
	)
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
	wantFields(
		t,
		"failed",
		got,
		fields{"body_lora_status": "failed", "can_start_body_training": true, "training_complete": false},
	)
	c.do("POST", "/v2/c/training/body-lora", "", 200)
	c.clock.advance(time.Hour)
	history := c.trainings()["character_training_history"].([]any)
	check.True(
		t,
		"history",
		history[0].(map[string]any)["status"] == "completed" && history[1].(map[string]any)["status"] == "failed",
		history,
	)
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
	check.True(
		t,
		"face",
		got["face_training"].(map[string]any)["job_id"] == face && got["character_training"] == nil &&
			got["has_active_training"] == true,
		got,
	)
	c.clock.advance(time.Hour)
	check.Equal(t, "face LoRA", c.trainings()["face_lora_status"], "trained")
}

func TestSeededReadiness(t *testing.T) {
	t.Parallel()
	yes := true
	no := false
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "bare", CanTrain: &yes, CanGenerate: &no, BodyLoRAStatus: "stale"})
	got := c.do("GET", "/v2/bare/training/complete-status", "", 200).object
	able := c.do("GET", "/v2/bare/generation/capabilities", "", 200).object
	check.Equal(t, "can start", got["can_start_body_training"], true)
	check.Equal(t, "can generate", able["can_generate"], false)
	wantFields(t, "body LoRA", able["body_lora"].(map[string]any), fields{"status": "stale"})
}

func datasetOf(t *testing.T, opts mockserver.Options) (c *client, state func() string) {
	t.Helper()
	c = extended(t, opts)
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", DatasetStatus: "not_started", FaceImages: 1, BodyImages: 2})
	return c, func() string {
		got := c.do("GET", "/v2/c/dataset/status", "", 200).object
		return fmt.Sprint(
			got["dataset_status"],
			" ",
			got["total_images"],
			" ",
			got["approved_images"],
			" ",
			got["generation_complete"],
			" ",
			got["can_approve"],
		)
	}
}

// Images can be approved as they come; a complete dataset with enough of them,
// once.
func TestDatasetLife(t *testing.T) {
	t.Parallel()
	c, state := datasetOf(t, mockserver.Options{DatasetTime: time.Minute})
	want := func(wanted string) {
		t.Helper()
		check.Equal(t, "state", state(), wanted)
	}
	want("not_started 0 0 false false")
	c.do("POST", "/v2/c/dataset/generate", `{"prompts":["a","b","c","d"]}`, 200)
	want("generating 0 0 false false")
	c.clock.advance(45 * time.Second)
	approve := func(image int, approved bool) {
		t.Helper()
		c.do(
			"PUT",
			fmt.Sprintf("/v2/c/dataset/images/image_%06d/approval", image),
			fmt.Sprintf(`{"approved":%v}`, approved),
			200,
		)
	}
	approve(1, true)
	approve(2, true)
	approve(3, true)
	want("generating 3 3 false false")
	c.clock.advance(15 * time.Second)
	want("generated 4 3 true true")
	approve(2, false)
	want("generated 4 2 true false")
	approve(4, true)
	want("generated 4 3 true true")
	check.Equal(t, "approved", c.do("POST", "/v2/c/dataset/approve", "", 200).object["approved_images"], 3.0)
	want("approved 4 3 true false")
	listed := c.do("GET", "/v2/c/dataset/images?approved_only=true", "", 200).object
	check.True(
		t,
		"listed",
		listed["dataset_status"] == "approved" &&
			ids(listed["images"], "image_id") == "image_000001 image_000003 image_000004 ",
		listed,
	)
}

// The service's prompts follow those of the request; another dataset adds to
// the first or replaces it.
func TestDatasetPrompts(t *testing.T) {
	t.Parallel()
	for _, replaces := range []bool{false, true} {
		c, _ := datasetOf(
			t,
			mockserver.Options{DatasetTime: -1, Variant: mockserver.Variant{DatasetReplaces: replaces}},
		)
		known := 0
		for body, want := range map[string]int{
			`{}`:                6,
			`{"prompts":["a"]}`: 1,
			`{"prompts":["a","b"],"use_default_prompts":true}`: 8,
			`{"prompts":["a"],"use_default_prompts":false}`:    1,
		} {
			check.Equal[any](
				t,
				body,
				c.do("POST", "/v2/c/dataset/generate", body, 200).object["total_images"],
				float64(want),
			)
			known += want
			if replaces {
				known = want
			}
			check.Equal(t, fmt.Sprint(body, ", replaces: ", replaces), len(c.DatasetImages("c")), known)
		}
	}
}

func TestFailedDataset(t *testing.T) {
	t.Parallel()
	c, state := datasetOf(t, mockserver.Options{DatasetCost: 5})
	c.FailNextDataset()
	c.do("POST", "/v2/c/dataset/generate", `{}`, 200)
	c.clock.advance(5 * time.Minute)
	check.True(t, "failed", state() == "failed 0 0 false false" && c.Ledger().Spent() == 5, state(), c.Ledger())
	c.GenerateDatasetElsewhere("c", "a")
	c.clock.advance(5 * time.Minute)
	check.True(
		t,
		"made elsewhere",
		state() == "generated 1 0 true false" && c.Ledger().Spent() == 5,
		state(),
		c.Ledger(),
	)
	got, _ := c.Character("c")
	check.True(t, "the character", got.DatasetStatus == "generated", got)
}

// TestBodyImages: their number has a cap of its own, and only the API hides
// their sides.
func TestBodyImages(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{CaptionTime: time.Minute})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 20, BodyImages: 39})
	last := c.uploadBody("c", "back")
	more := c.uploadBody("c", "back")
	check.True(t, "the last", last.status == 200 && last.object["caption_status"] == "pending", last)
	check.True(t, "one more", more.status == 400 && more.object["error"] == "too_many_images", more)
	c.AddAsset("c", "body_image_front", "f.png", []byte("x"))
	var sides []string
	for _, a := range c.Assets("c")[57:] {
		sides = append(sides, a.Type+" "+a.ImageType)
	}
	front := "body_image body_image_front"
	back := "body_image body_image_back"
	check.True(t, "sides", slices.Equal(sides, []string{back, front, back, front}), sides)
}

// It is cancelled and refused like that of a body, with which it never runs at
// once.
func TestFaceTraining(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
	job := c.do("POST", "/v2/c/training/face-lora", "", 200).object["job_id"].(string)
	got := c.trainings()
	check.True(
		t,
		"running",
		got["face_training"].(map[string]any)["job_id"] == job && got["can_start_face_training"] == false &&
			got["face_lora_status"] == "training",
		got,
	)
	c.do("POST", "/v2/c/training/body-lora", "", 409)
	c.do("POST", "/v2/c/training/jobs/"+job+"/cancel", "", 200)
	got = c.trainings()
	check.True(
		t,
		"cancelled",
		got["face_training"] == nil && len(got["face_training_history"].([]any)) == 1 &&
			got["can_start_face_training"] == true,
		got,
	)
	c.FailNextTraining()
	c.do("POST", "/v2/c/training/face-lora", "", 200)
	c.clock.advance(time.Hour)
	check.True(
		t,
		"failed",
		c.trainings()["face_lora_status"] == "failed" && c.Ledger().Spent() == 200,
		c.trainings(),
		c.Ledger(),
	)
}

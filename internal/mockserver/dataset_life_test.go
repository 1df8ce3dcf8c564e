package mockserver_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func datasetOf(t *testing.T, opts mockserver.Options) (c *client, state func() string) {
	t.Helper()
	c = extended(t, opts)
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", DatasetStatus: "not_started", FaceImages: 1, BodyImages: 2})
	return c, func() string {
		got := c.do("GET", "/v2/c/dataset/status", "", 200).object
		return fmt.Sprint(got["dataset_status"], " ", got["total_images"], " ", got["approved_images"], " ", got["generation_complete"], " ", got["can_approve"])
	}
}

// Images can be approved as they come; a complete dataset with enough of them, once.
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
		c.do("PUT", fmt.Sprintf("/v2/c/dataset/images/image_%06d/approval", image), fmt.Sprintf(`{"approved":%v}`, approved), 200)
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
	check.True(t, "listed", listed["dataset_status"] == "approved" && ids(listed["images"], "image_id") == "image_000001 image_000003 image_000004 ", listed)
}

// The service's prompts follow those of the request; another dataset adds to the first or replaces
// it.
func TestDatasetPrompts(t *testing.T) {
	t.Parallel()
	for _, replaces := range []bool{false, true} {
		c, _ := datasetOf(t, mockserver.Options{DatasetTime: -1, Variant: mockserver.Variant{DatasetReplaces: replaces}})
		known := 0
		for body, want := range map[string]int{`{}`: 6, `{"prompts":["a"]}`: 1, `{"prompts":["a","b"],"use_default_prompts":true}`: 8, `{"prompts":["a"],"use_default_prompts":false}`: 1} {
			check.Equal[any](t, body, c.do("POST", "/v2/c/dataset/generate", body, 200).object["total_images"], float64(want))
			if known += want; replaces {
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
	check.True(t, "made elsewhere", state() == "generated 1 0 true false" && c.Ledger().Spent() == 5, state(), c.Ledger())
	got, _ := c.Character("c")
	check.True(t, "the character", got.DatasetStatus == "generated", got)
}

// TestBodyImages: their number has a cap of its own, and only the API hides their sides.
func TestBodyImages(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{CaptionTime: time.Minute})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 20, BodyImages: 39})
	last, more := c.uploadBody("c", "back"), c.uploadBody("c", "back")
	check.True(t, "the last", last.status == 200 && last.object["caption_status"] == "pending", last)
	check.True(t, "one more", more.status == 400 && more.object["error"] == "too_many_images", more)
	c.AddAsset("c", "body_image_front", "f.png", []byte("x"))
	var sides []string
	for _, a := range c.Assets("c")[57:] {
		sides = append(sides, a.Type+" "+a.ImageType)
	}
	front, back := "body_image body_image_front", "body_image body_image_back"
	check.True(t, "sides", slices.Equal(sides, []string{back, front, back, front}), sides)
}

// It is cancelled and refused like that of a body, with which it never runs at once.
func TestFaceTraining(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
	job := c.do("POST", "/v2/c/training/face-lora", "", 200).object["job_id"].(string)
	got := c.trainings()
	check.True(t, "running", got["face_training"].(map[string]any)["job_id"] == job && got["can_start_face_training"] == false && got["face_lora_status"] == "training",
		got)
	c.do("POST", "/v2/c/training/body-lora", "", 409)
	c.do("POST", "/v2/c/training/jobs/"+job+"/cancel", "", 200)
	got = c.trainings()
	check.True(t, "cancelled", got["face_training"] == nil && len(got["face_training_history"].([]any)) == 1 && got["can_start_face_training"] == true, got)
	c.FailNextTraining()
	c.do("POST", "/v2/c/training/face-lora", "", 200)
	c.clock.advance(time.Hour)
	check.True(t, "failed", c.trainings()["face_lora_status"] == "failed" && c.Ledger().Spent() == 200, c.trainings(), c.Ledger())
}

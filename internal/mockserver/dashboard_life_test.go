package mockserver_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// TestDashboardLife follows a character from its creation to its deletion, of
// which the ledger keeps what it cost and what was deleted.
func TestDashboardLife(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{DatasetCost: 7, FaceTrainingCost: 30})
	id := c.do("POST", "/v2/characters", `{"name":"Ada"}`, 200).object["character_id"].(string)
	card := "c-" + id
	c.wantText(card, "Ada char_000001 Spent 0 Pictures 0 Faces 0 Dataset not started, face LoRA not trained, body LoRA not trained")

	c.upload(id, "face.png", []byte("face"))
	c.uploadBody(id, "front")
	c.uploadBody(id, "back")
	c.do("POST", "/v2/"+id+"/dataset/generate", `{"prompts":["by the sea","on a bridge"]}`, 200)
	c.do("POST", "/v2/"+id+"/training/face-lora", "", 200)
	c.clock.advance(3 * time.Minute)
	c.wantText("running", "Generating the dataset of Ada", "2m0s left 60 %", "Training the face LoRA of Ada")
	c.wantText(card, "Spent 37", "Bodies 2 Dataset 1, 0 approved Dataset generating, face LoRA training,")

	c.clock.advance(time.Hour)
	c.do("PUT", "/v2/"+id+"/dataset/images/image_000001/approval", `{"approved":true}`, 200)
	c.wantText(card, "Dataset 2, 1 approved Dataset generated, face LoRA trained")
	if page := c.browse("/_mock/").body; !strings.Contains(page, `title="by the sea"`) || !strings.Contains(page, `title="on a bridge (not approved)" class="not"`) {
		t.Errorf("the images of the dataset: %s", page)
	}
	for _, picture := range c.pictures() {
		check.Equal(t, picture, c.browse(picture).status, 200)
	}
	c.do("DELETE", "/v2/"+id+"/dataset/images/image_000002", "", 200)
	c.do("DELETE", "/v2/characters/"+id, "", 200)
	c.wantSections("balance ledger requests")
	c.wantLedger(
		"dataset dataset_000001 Ada 7 9993",
		"face LoRA training job_000001 Ada 30 9963",
		"deleted image image_000002 Ada on a bridge",
		"deleted character Ada char_000001",
	)
}

// TestDashboardDeletions: what is deleted in parts is listed in parts, and what
// is not deleted, or not by a request, not at all.
func TestDashboardDeletions(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{GenerationTime: -1})
	group, generations := c.generate("a", "b", "c")
	c.StickGeneration(generations[0], 2)
	c.do("DELETE", "/v2/generation/generations/"+generations[0], "", 200)
	c.do("DELETE", "/v2/generation/generations/"+generations[1], "", 200)
	c.clock.advance(time.Second)
	c.do("DELETE", "/v2/generation/groups/"+group, "", 200)
	c.clock.advance(time.Second)
	c.do("DELETE", "/v2/generation/groups/"+group, "", 200)
	c.do("DELETE", "/v2/generation/groups/"+group, "", 404)
	c.clock.advance(time.Second)
	behind, _ := c.generate("d")
	c.DeleteGroupBehindTheBack(behind)
	c.wantLedger(
		"batch batch_000001 3 9997 3 prompts a b c",
		"deleted generation gen_000002 b",
		"deleted group a group grp_000001 c",
		"deleted group a group grp_000001 a",
		"batch batch_000002 1 9996 d",
	)
	check.Equal(t, "as JSON", strings.Count(c.do("GET", "/_mock/ledger", "", 200).body, `"kind": "group"`), 2)
}

// wantLedger wants the rows of the ledger, without their times.
func (c *client) wantLedger(rows ...string) {
	c.t.Helper()
	got := regexp.MustCompile(`\d\d:\d\d:\d\d `).ReplaceAllString(c.text("ledger"), "\n")
	check.Equal(c.t, "the ledger", got, "Ledger Time What Character Credits Balance Prompts \n"+strings.Join(rows, " \n"))
}

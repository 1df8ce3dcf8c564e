package mockserver_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// The ledger keeps what a deleted character cost, and what was deleted.
func TestDashboardLife(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{DatasetCost: 7})
	id := c.do("POST", "/v2/characters", `{"name":"Ada"}`, 200).object["character_id"].(string)
	card := "c-" + id
	c.wantText(
		card,
		"Ada char_000001 Spent 0 Pictures 0 Faces 0 Dataset not started, face LoRA not trained, body LoRA not trained",
	)

	c.upload(id, "face.png", []byte("face"))
	c.uploadBody(id, "front")
	c.uploadBody(id, "back")
	c.do("POST", "/v2/"+id+"/dataset/generate", `{"prompts":["by the sea","on a bridge"]}`, 200)
	face := c.do("POST", "/v2/"+id+"/training/face-lora", "", 200).object
	wantFields(t, "the training", face, fields{"credits_deducted": 100.0, "remaining_balance": 9893.0})
	c.clock.advance(3 * time.Minute)
	c.wantText("running", "Generating the dataset of Ada", "2m0s left 60 %", "Training the face LoRA of Ada")
	c.wantText(card, "Spent 107", "Bodies 2 Dataset 1, 0 approved Dataset generating, face LoRA training,")

	c.clock.advance(time.Hour)
	c.do("PUT", "/v2/"+id+"/dataset/images/image_000001/approval", `{"approved":true}`, 200)
	c.wantText(card, "Dataset 2, 1 approved Dataset generated, face LoRA trained")
	check.Contains(
		t,
		"the images of the dataset",
		c.browse("/_mock/").body,
		`title="by the sea"`,
		`title="on a bridge (not approved)" class="not"`,
	)
	for _, picture := range c.pictures() {
		check.Equal(t, picture, c.browse(picture).status, 200)
	}
	c.do("DELETE", "/v2/characters/"+id, "", 200)
	c.wantSections("balance ledger requests")
	c.wantLedger(
		"dataset dataset_000001 Ada 7 9993",
		"face LoRA training job_000001 Ada 100 9893",
		"deleted character Ada char_000001",
	)
	for _, gone := range [][2]string{
		{"GET", "characters/" + id},
		{"DELETE", "characters/" + id},
		{"GET", id + "/assets"},
		{"GET", id + "/dataset/status"},
	} {
		c.do(gone[0], "/v2/"+gone[1], "", 404)
	}
}

// What is deleted in parts is listed in parts, and what no request deletes not
// at all.
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

func (c *client) wantLedger(rows ...string) {
	c.t.Helper()
	got := regexp.MustCompile(`\d\d:\d\d:\d\d `).ReplaceAllString(c.text("ledger"), "\n")
	check.Equal(
		c.t,
		"the ledger",
		got,
		"Ledger Time What Character Credits Balance Prompts \n"+strings.Join(rows, " \n"),
	)
}

// The page's form, also without its script, brings back what the service
// started with.
func TestDashboardReset(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: -1, FailPrompts: []string{"dragon"}, GenerationTime: -1})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada", FaceImages: 1})
	reset := func() {
		t.Helper()
		form := regexp.MustCompile(`<form id="reset" popover method="post" action="([^"]*)">`).
			FindStringSubmatch(c.browse("/_mock/").body)
		if form == nil {
			t.Fatal("the page has no form")
		}
		request := c.request(http.MethodPost, form[1], "")
		request.Header = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
		got := c.send(request)
		check.True(
			t,
			"the answer to the form",
			got.status == http.StatusNoContent && got.body == "",
			got.status,
			got.body,
		)
		c.wantSections("start characters")
		ledger := c.Ledger()
		check.True(t, "after the reset", ledger.Balance == 0 && len(ledger.Entries)+len(ledger.Deletions) == 0, ledger)
	}
	for range 2 {
		c.SetBalance(1)
		group, generations := c.generate("a dragon")
		check.Equal(t, "the prompt that fails", c.status(generations[0])["status"], "failed")
		c.do("DELETE", "/v2/generation/groups/"+group, "", 200)
		c.upload("ada", "face.png", []byte("face"))
		c.clock.advance(time.Minute)
		c.wantText("c-ada", "Faces 2")
		reset()
		c.wantText("c-ada", "Faces 1")
	}
	c.do("POST", "/v2/generation/batch", `{"prompts":[{"prompt":"a castle"}]}`, http.StatusPaymentRequired)
	c.do("GET", "/_mock/reset", "", http.StatusNotFound)
}

// A run is an apply once it asks for a change, even for one that is refused;
// else a refresh. A CLI that destroys starts one that only gets a token.
func TestDashboardRuns(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
	var tokens []string
	for _, agent := range []string{"plan", "nothing", "apply", "refused"} {
		c.begin(agent)
		tokens = append(tokens, c.token)
	}
	c.token = tokens[3]
	c.do("POST", "/v2/ada/training/body-lora", "", 400)
	c.token = tokens[2]
	c.do("GET", "/v2/ada/assets", "", 200)
	c.do("PUT", "/v2/characters/ada", `{"name":"Ada"}`, 200)
	c.do("GET", "/v2/ada/assets", "", 200)
	c.token = tokens[0]
	c.do("GET", "/v2/ada/assets", "", 200)
	c.do("POST", "/v2/generate/image", `{"prompt":"a castle"}`, 200)

	times := regexp.MustCompile(`\d\d:\d\d:\d\d`)
	for id, want := range map[string]string{
		"r-1": "refresh T to T: 3 requests plan",
		"r-2": "T: 1 request nothing",
		"r-3": "apply T to T: 4 requests apply",
		"r-4": "apply T to T: 2 requests, 1 refused refused",
	} {
		check.True(
			t,
			id,
			strings.HasPrefix(times.ReplaceAllString(c.text(id), "T"), want+" T "),
			times.ReplaceAllString(c.text(id), "T"),
			want,
		)
	}
}

package mockserver_test

import (
	"encoding/json"
	"image/png"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestBatchAttachesToAGroup(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	group, _ := c.generate("a")
	more := c.do(
		"POST",
		"/v2/generation/batch",
		`{"prompts":[{"prompt":"b","source_image_url":"https://a/b.png"}],"group_id":"`+group+
			`","group_title":"another"}`,
		200,
	).object
	wantFields(t, "batch", more, fields{"group_id": group, "generation_type": "photo_edit"})
	got, ok := c.Group(group)
	check.True(t, "group", ok && got.Title == "a group" && len(got.Generations) == 2 && len(c.Groups()) == 1, got)
}

func TestRejectedPromptsCostNothing(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{PromptCost: 2.5})
	c.RejectPrompt("bad", "not allowed")
	batch := c.do(
		"POST",
		"/v2/generation/batch",
		`{"prompts":[{"prompt":"a bad one"},{"prompt":"a good one"}]}`,
		200,
	).object
	rejected := batch["results"].([]any)[0].(map[string]any)
	wantFields(t, "rejected", rejected, fields{"error": "not allowed", "generation_id": nil})
	wantFields(t, "batch", batch, fields{"credits_deducted": 2.5, "failed_submissions": 1.0})
	got := c.Ledger().Entries
	check.True(t, "the ledger", len(got) == 1 && slices.Equal(got[0].Prompts, []string{"a good one"}), got)
	none := c.do("POST", "/v2/generation/batch", `{"prompts":[{"prompt":"bad"}]}`, 200).object
	check.True(t, "nothing accepted", none["successful_submissions"] == 0.0 && len(c.Ledger().Entries) == 1, none)
	group, ok := c.Group(none["group_id"].(string))
	check.True(t, "the empty group", ok && len(group.Generations) == 0, group)
	c.RejectPrompt("bad", "")
	c.generate("bad")
}

func TestFailedGenerations(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "plain"})
	c.AddCharacter(mockserver.CharacterSeed{ID: "able", FaceLoRA: true})
	c.AddBodyLoRA("able")
	c.FailPrompt("unlucky", "out of paint")
	for name, test := range map[string]struct{ prompt, character, want string }{
		"by a test":            {`{"prompt":"unlucky"}`, "able", "out of paint"},
		"without a body LoRA":  {`{"prompt":"a","use_body_lora":true}`, "plain", "the body LoRA is not available"},
		"without a face LoRA":  {`{"prompt":"a","use_face_lora":true}`, "plain", "the face LoRA is not available"},
		"not asking for LoRAs": {`{"prompt":"a","use_body_lora":false}`, "plain", ""},
		"with both LoRAs":      {`{"prompt":"a","use_body_lora":true,"use_face_lora":true}`, "able", ""},
	} {
		before := c.Ledger().Balance
		batch := c.do(
			"POST",
			"/v2/generation/batch",
			`{"prompts":[`+test.prompt+`],"character_id":"`+test.character+`"}`,
			200,
		).object
		id := batch["results"].([]any)[0].(map[string]any)["generation_id"].(string)
		check.Equal(t, name+": error before its end", c.status(id)["error"], nil)
		c.clock.advance(time.Minute)
		failure, _ := c.status(id)["error"].(string)
		check.True(
			t,
			name+": error",
			failure == test.want && c.Ledger().Balance == before-1,
			failure,
			test.want,
			c.Ledger().Balance,
		)
	}
	check.Equal(t, "media", c.Media(), 2)
}

// TestGenerationOptions: what was left out is told from what was false.
func TestGenerationOptions(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	batch := c.do("POST", "/v2/generation/batch", `{"prompts":[{"prompt":"a","face_swap":false}]}`, 200).object
	got, _ := c.Generation(batch["results"].([]any)[0].(map[string]any)["generation_id"].(string))
	check.True(t, "the options", got.FaceSwap != nil && !*got.FaceSwap && got.UseFaceLoRA == nil, got)
}

func TestPartialDeletion(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	group, ids := c.generate("a", "b", "c")
	c.clock.advance(time.Minute)
	c.StickMedia(ids[0], 2)
	c.StickGeneration(ids[1], 1)
	var deleted struct {
		Success bool `json:"success"`
		Count   int  `json:"deleted_generations"`
		Failed  int  `json:"failed_generation_deletions"`
		Details struct {
			FailedIDs  []string `json:"failed_generation_ids"`
			FailedURLs []string `json:"failed_image_urls"`
		} `json:"details"`
	}
	body := c.do("DELETE", "/v2/generation/groups/"+group, "", 200).body
	check.Must(t, json.Unmarshal([]byte(body), &deleted))
	check.True(
		t,
		"first",
		deleted.Success && deleted.Count == 1 && deleted.Failed == 2 &&
			slices.Equal(deleted.Details.FailedIDs, ids[:2]) &&
			len(deleted.Details.FailedURLs) == 2,
		body,
	)
	single := c.do("DELETE", "/v2/generation/generations/"+ids[0], "", 200).object
	wantFields(t, "single", single, fields{"failed_deletions": 1.0, "deleted_images": 0.0})
	check.Equal(t, "media", c.Media(), 2)
	result := path(t, c.status(ids[1])["result_urls"].([]any)[0].(string))
	check.NoError(t, check.ErrorOf(png.Decode(strings.NewReader(c.do("GET", result, "", 200).body))))
	last := c.do("DELETE", "/v2/generation/groups/"+group, "", 200).object
	wantFields(t, "the rest", last, fields{"total_deleted_images": 2.0, "group_title": "a group"})
	check.Equal(t, "groups", len(c.Groups()), 0)
	check.Equal(t, "media", c.Media(), 0)
	c.do("GET", result, "", 404)
}

// TestStuckGenerationWithoutImages: it has nothing to list, so it is an error.
func TestStuckGenerationWithoutImages(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	_, ids := c.generate("a")
	c.StickGeneration(ids[0], 1)
	c.do("DELETE", "/v2/generation/generations/"+ids[0], "", 500)
	c.do("DELETE", "/v2/generation/generations/"+ids[0], "", 200)
}

func TestLastGenerationTakesItsGroupAlong(t *testing.T) {
	t.Parallel()
	for stays, status := range map[bool]int{false: 404, true: 200} {
		c := start(t, mockserver.Options{Variant: mockserver.Variant{KeepEmptyGroups: stays}})
		group, ids := c.generate("a")
		c.do("DELETE", "/v2/generation/generations/"+ids[0], "", 200)
		c.do("DELETE", "/v2/generation/groups/"+group, "", status)
	}
}

func TestBehindTheBack(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{GenerationTime: -1})
	group, ids := c.generate("a", "b")
	c.DeleteGenerationBehindTheBack(ids[0])
	c.do("GET", "/v2/generation/status/"+ids[0], "", 404)
	check.Equal(t, "media", c.Media(), 1)
	c.DeleteGroupBehindTheBack(group)
	c.do("GET", "/v2/generation/status/"+ids[1], "", 404)
}

const threePrompts = `{"prompts":[{"prompt":"a"},{"prompt":"b"},{"prompt":"a"},{"prompt":"a","face_swap":true}]}`

// What the reply to a batch hides is there all the same, and paid for.
func TestHiddenGenerationsExist(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"background": nil, "background-no-ids": {"", "", "", ""},
		"one-id": {"gen_000001", "gen_000001", "gen_000001", "gen_000001"},
	} {
		c := start(t, mockserver.Options{Variant: mockserver.LossyVariants()[name]})
		group, ids := c.batch(threePrompts)
		check.True(t, name+": the results name", slices.Equal(ids, want), ids, want)
		found, _ := c.Group(group)
		check.True(
			t,
			"the generations, the credits",
			len(found.Generations) == 4 && c.Ledger().Spent() == 4,
			len(found.Generations),
			c.Ledger().Spent(),
		)
		c.clock.advance(time.Minute)
		check.Equal(t, "media", c.Media(), 4)
	}
}

func TestEqualPromptsShareAGeneration(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Variant: mockserver.Variants()["equal-shared"]})
	group, ids := c.batch(threePrompts)
	check.Equal(t, "the results name", ids, []string{"gen_000001", "gen_000002", "gen_000001", "gen_000003"})
	found, _ := c.Group(group)
	check.True(
		t,
		"the generations, the credits",
		len(found.Generations) == 3 && c.Ledger().Spent() == 4,
		len(found.Generations),
		c.Ledger().Spent(),
	)
	_, again := c.batch(`{"group_id":"` + group + `","prompts":[{"prompt":"a"}]}`)
	check.True(t, "another batch does not share", again[0] == "gen_000004", again)
}

func TestFailedPromptIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: 10, Variant: mockserver.Variant{RetakeFailed: true}})
	c.FailPrompt("a", "out of paint")
	group, first := c.batch(`{"prompts":[{"prompt":"a"},{"prompt":"b"}]}`)
	c.clock.advance(time.Minute)
	c.FailPrompt("a", "")
	again := `{"group_id":"` + group + `","prompts":[{"prompt":"b"},{"prompt":"a"},{"prompt":"a"}]}`
	_, second := c.batch(again)
	check.Equal(t, "the results name", second, []string{"gen_000003", first[0], "gen_000004"})
	wantFields(
		t,
		"the generation that was taken up again",
		c.status(first[0]),
		fields{"status": "queued", "error": nil},
	)
	c.clock.advance(time.Minute)
	check.Equal(t, "status of what was taken up again", c.status(first[0])["status"], "completed")
	check.Equal(t, "spent", c.Ledger().Spent(), 5)
	_, elsewhere := c.batch(`{"prompts":[{"prompt":"a"}]}`)
	check.True(t, "no other group takes it up", !slices.Contains(second, elsewhere[0]))
}

// What somebody else has generated is there, and not charged to the client.
func TestGenerateElsewhere(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	theirs := c.GenerateElsewhere("", "Strangers", "a", "b")
	c.clock.advance(time.Minute)
	check.True(
		t,
		"media, ledger, group",
		c.Media() == 2 && len(c.Ledger().Entries) == 0 && theirs.Title == "Strangers",
		c.Media(),
		c.Ledger(),
		theirs,
	)
	for _, generation := range theirs.Generations {
		wantFields(t, "status", c.status(generation.ID), fields{"group_id": theirs.ID, "prompt": generation.Prompt})
	}
}

// A refusal names the group, and buys nothing in it.
func TestRefusalsNaming(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	theirs := c.GenerateElsewhere("", "Strangers", "a")
	for name, refusal := range mockserver.RefusalsNaming(theirs) {
		refusal.Route = mockserver.RouteBatch
		refusal.Nth = 1
		c.Fault(refusal)
		got := c.send(c.request("POST", "/v2/generation/batch", aBatch))
		check.True(
			t,
			name+": got",
			got.status == refusal.Status && got.object["group_id"] == theirs.ID,
			got.status,
			got.body,
		)
		names := strings.Contains(got.body, theirs.Generations[0].ID)
		check.True(t, name+": the generation is named", names == (name == "409 with a generation"), got.body)
		c.ClearFaults()
	}
	check.True(
		t,
		"ledger, groups",
		len(c.Ledger().Entries) == 0 && len(c.Groups()) == 1 && len(c.Groups()[0].Generations) == 1,
		c.Ledger(),
		c.Groups(),
	)
}

// A version that the service lacks is not found: the mistake of an address, not
// of a client.
func TestAnotherVersion(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	_, ids := c.generate("a")
	for _, request := range [][3]string{
		{"GET", "/v3/generation/status/" + ids[0], ""}, {"GET", "/v1/characters?limit=1", ""},
		{"POST", "/v22/generation/batch", aBatch},
		{"DELETE", "/v3/generation/generations/" + ids[0], ""},
	} {
		check.Equal[any](
			t,
			request[0]+" "+request[1],
			c.do(request[0], request[1], request[2], http.StatusNotFound).object["error"],
			"not_found",
		)
	}
	check.True(
		t,
		"the violations, the ledger",
		len(c.Violations()) == 0 && len(c.Ledger().Entries) == 1 && len(c.Groups()[0].Generations) == 1,
		c.Violations(),
		c.Ledger(),
	)
}

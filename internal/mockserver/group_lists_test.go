package mockserver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func ids(list any, key string) string {
	found := ""
	items, _ := list.([]any)
	for _, item := range items {
		found += fmt.Sprint(item.(map[string]any)[key], " ")
	}
	return found
}

func TestListGroups(t *testing.T) {
	t.Parallel()
	for reversed, want := range map[bool]map[string]string{
		false: {
			"":                  "grp_000003 grp_000002 grp_000001 ",
			"?limit=2":          "grp_000003 grp_000002 ",
			"?limit=2&offset=2": "grp_000001 ",
			"?character_id=c":   "grp_000003 grp_000001 ",
			"?character_id=x":   "",
		},
		true: {
			"":                  "grp_000001 grp_000002 grp_000003 ",
			"?limit=2":          "grp_000001 grp_000002 ",
			"?limit=2&offset=2": "grp_000003 ",
			"?character_id=c":   "grp_000001 grp_000003 ",
			"?character_id=x":   "",
		},
	} {
		c := extended(t, mockserver.Options{Variant: mockserver.Variant{ListsReversed: reversed}})
		c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
		for i, owner := range []string{"c", "", "c"} {
			c.GenerateElsewhere(owner, fmt.Sprint("group ", i+1), "a")
		}
		c.AddOrganization("their key", "org_theirs")
		for query, groups := range want {
			got := c.do("GET", "/v2/generation/groups"+query, "", 200).object
			page := got["pagination"].(map[string]any)
			found := ids(got["groups"], "group_id")
			check.True(
				t,
				"the list of "+query,
				found == groups && got["error"] == nil && got["organization_id"] == "org_000001" &&
					page["has_more"] == (query == "?limit=2"),
				reversed,
				got,
			)
		}
		c.token = c.exchange("their key")
		check.Equal(
			t,
			"another organization sees",
			len(c.do("GET", "/v2/generation/groups", "", 200).object["groups"].([]any)),
			0,
		)
	}
}

// TestReadGroup: a page of a group says how far its generations are, and not
// why one has failed.
func TestReadGroup(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	c.FailPrompt("bad", "out of paint")
	group, first := c.generate("good", "bad")
	c.clock.advance(time.Minute)
	created := c.clock.Now()
	_, late := c.batch(fmt.Sprintf(`{"prompts":[{"prompt":"late"}],"group_id":%q}`, group))
	read := func(query string) map[string]any {
		return c.do("GET", "/v2/generation/groups/"+group+query, "", 200).object
	}
	got := read("")
	wantFields(t, "the group", got, fields{
		"title":            "a group",
		"generation_count": 3.0,
		"status":           "processing",
		"character_id":     nil,
		"updated_at":       created.Format("2006-01-02T15:04:05.000Z"),
	})
	check.True(t, "it was updated", got["created_at"] != got["updated_at"], got)
	want := map[string]string{"good": "completed 1", "bad": "failed 0", "late": "queued 0"}
	for _, item := range got["generations"].([]any) {
		g := item.(map[string]any)
		_, progress := g["progress"]
		_, reason := g["error"]
		state := fmt.Sprint(g["status"], " ", len(g["result_urls"].([]any)))
		check.True(t, "the generation", state == want[g["prompt"].(string)] && !progress && !reason, g)
	}
	for query, generations := range map[string]string{
		"": first[0] + " " + first[1] + " " + late[0] + " ", "?limit=1&offset=1": first[1] + " ",
		"?limit=200&offset=3": "",
	} {
		check.Equal(t, query, ids(read(query)["generations"], "generation_id"), generations)
	}
	c.do("DELETE", "/v2/generation/generations/"+first[0], "", 200)
	c.clock.advance(time.Minute)
	wantFields(t, "group", read(""), fields{"generation_count": 2.0, "status": "completed"})
	c.DeleteGroupBehindTheBack(group)
	c.do("GET", "/v2/generation/groups/"+group, "", 404)
}

func TestManyGenerations(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	group := c.GenerateElsewhere("", "many", make([]string, 500)...).ID
	for offset, want := range map[int]string{0: "200 true", 200: "200 true", 400: "100 false"} {
		got := c.do("GET", fmt.Sprintf("/v2/generation/groups/%s?limit=200&offset=%d", group, offset), "", 200).object
		page := got["pagination"].(map[string]any)
		check.Equal(t, fmt.Sprint("offset ", offset), fmt.Sprint(page["returned"], " ", page["has_more"]), want)
	}
}

func TestCategorizationOfVideo(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	c.FailPrompt("broken", "no frame can be read")
	categorize := func(address string) string {
		t.Helper()
		got := c.do(
			"POST",
			"/v2/media/categories",
			`{"media_url":"`+address+`","metadata":["tags"],"use_scenes":true}`,
			200,
		).object
		check.True(t, address, got["status"] == "CREATED", got)
		return "/v2/media/categories/" + got["job_id"].(string)
	}
	good := categorize("https://a/b.MP4?x=y")
	broken := categorize("https://a/broken.mov")
	check.True(
		t,
		"a picture",
		c.do(
			"POST",
			"/v2/media/categories",
			`{"media_url":"https://a/b.png?of=c.mp4","metadata":["tags"]}`,
			200,
		).object["metadata"] != nil,
	)
	for _, want := range []string{"CREATED 0 0", "PROCESSING 50 0", "COMPLETED 100 2"} {
		got := c.do("GET", good, "", 200).object
		results := got["results"].([]any)
		check.Equal(t, "the job", fmt.Sprint(got["status"], " ", got["percent_complete"], " ", len(results)), want)
		for _, result := range results {
			scene := result.(map[string]any)
			check.True(t, "the scene", len(scene) == 2 && scene["tags"] != nil && scene["timestamp"] != nil, scene)
		}
		c.clock.advance(15 * time.Second)
	}
	got := c.do("GET", broken, "", 200).object
	check.True(t, "broken", got["status"] == "FAILED" && len(got["results"].([]any)) == 0, got)
	c.AddOrganization("their key", "org_theirs")
	c.token = c.exchange("their key")
	c.do("GET", good, "", 404)
}

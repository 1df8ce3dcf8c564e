package mockserver_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func everyFurtherReply(c *client) map[string][]any {
	replies := map[string][]any{}
	call := func(method, pattern, body string, values ...string) map[string]any {
		path := strings.NewReplacer(append([]string{"{character_id}", "c"}, values...)...).Replace("/v2" + pattern)
		got := c.do(method, path, body, http.StatusOK).object
		replies[method+" "+pattern] = append(replies[method+" "+pattern], got)
		return got
	}
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1, SubscriptionID: "s"})
	created := call("POST", "/characters", `{"name":"n"}`)
	deleted := c.do("DELETE", fmt.Sprintf("/v2/characters/%s", created["character_id"]), "", http.StatusOK).object
	replies["DELETE /characters/{character_id}"] = []any{deleted}
	c.uploadBody("c", "front")
	replies["POST /{character_id}/upload/body-image"] = []any{c.uploadBody("c", "back").object}
	call("POST", "/{character_id}/dataset/generate", `{"use_default_prompts":true}`)
	c.clock.advance(5 * time.Minute)
	call("GET", "/{character_id}/dataset/status", "")
	for _, image := range c.DatasetImages("c") {
		call("PUT", "/{character_id}/dataset/images/{image_id}/approval", `{"approved":true}`, "{image_id}", image.ID)
	}
	call("POST", "/{character_id}/dataset/approve", "")
	group, _ := c.generate("a", "b")
	c.clock.advance(time.Minute)
	call("GET", "/generation/groups", "")
	call("GET", "/generation/groups/{group_id}", "", "{group_id}", group)
	job := call("POST", "/media/categories", everyCategory)["job_id"]
	c.clock.advance(time.Minute)
	call("GET", "/media/categories/{job_id}", "", "{job_id}", fmt.Sprint(job))
	return replies
}

const everyCategory = `{"media_url":"https://a/b.mp4","metadata":["participants","categories","actions","scene","tags"],"use_scenes":true}`

package mockserver_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestExtendedVariants(t *testing.T) {
	t.Parallel()
	send := func(method, path, body string) func(*client) answer {
		return func(c *client) answer { return c.send(c.request(method, path, body)) }
	}
	const generated = "/v2/c/dataset/status"
	created, removed := send("POST", "/v2/characters", `{"name":" a "}`), send("DELETE", "/v2/characters/c", "")
	state := send("GET", generated, "")
	dataset, face := send("POST", "/v2/c/dataset/generate", `{}`), send("POST", "/v2/c/training/face-lora", "")
	body := send("POST", "/v2/c/training/body-lora", "")
	list, group := send("GET", "/v2/generation/groups?character_id=x", ""), send("GET", "/v2/generation/groups/grp_000001", "")
	uploaded := func(c *client) answer { return c.uploadBody("c", "front") }
	broke := func(c *client) answer { c.SetBalance(1); return face(c) }
	categorized := func(c *client) answer {
		job := c.do("POST", "/v2/media/categories", `{"media_url":"https://a/b","metadata":["tags"]}`, 200).object["job_id"].(string)
		c.clock.advance(time.Minute)
		return c.send(c.request("GET", "/v2/media/categories/"+job, ""))
	}
	tests := []variantTest{
		{"plain", list, 200, []string{`"groups":[]`}, []string{"error"}},
		{"words-upper", state, 200, []string{`"NOT_STARTED"`}, nil},
		{"words-unknown", state, 200, []string{`"seed"`}, nil},
		{"words-unknown", group, 200, []string{`"zenith"`}, nil},
		{"numbers-text", state, 200, []string{`"min_required":"3"`}, nil},
		{"nulls-missing", group, 200, []string{`"generation_id":"gen_`}, []string{"preview_image_url", "group_type", "performance_metadata"}},
		{"extra-fields", state, 200, []string{"x_unknown"}, nil},
		{"code-202", created, 200, []string{`" a "`}, nil},
		{"code-202", dataset, 202, nil, nil},
		{"code-204", removed, 204, nil, []string{"{"}},
		{"success-false", broke, 200, []string{`"success":false`, `"error":"insufficient_credits"`}, nil},
		{"denied", face, 200, []string{`"success":false`, `"credits_deducted":100`}, nil},
		{"denied", dataset, 200, []string{`"success":false`, `"job_id":"dataset_000001"`}, nil},
		{"no-credits", face, 200, []string{`"job_id"`}, []string{"credits_deducted", "remaining_balance"}},
		{"storage-key", uploaded, 200, []string{`"bucket_url"`}, nil},
		{"filters-ignored", list, 200, []string{`"grp_000001"`}, nil},
		{"signed-urls", group, 200, []string{"?signature="}, nil},
		{"texts-trimmed", created, 200, []string{`"name":"a"`}, nil},
		{"ids-slash", created, 200, []string{`"char/`}, nil},
		{"category-job", categorized, 200, []string{`"COMPLETED"`, `"tags"`}, nil},
		{"times-none", group, 200, []string{`"group_id"`}, []string{"created_at", "updated_at"}},
		{"empty-errors", list, 200, []string{`"error":{"character_id":"","error":"","group_id":"","message":""}`}, nil},
		{"body-needs-dataset", body, 400, []string{"training_not_ready"}, nil},
	}
	for _, test := range tests {
		t.Run(test.variant, func(t *testing.T) {
			t.Parallel()
			c := extended(t, mockserver.Options{Variant: everyVariant()[test.variant]})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1, BodyImages: 2, DatasetStatus: "not_started"})
			c.GenerateElsewhere("c", "g", "a")
			c.clock.advance(time.Minute)
			test.look(t, test.do(c))
		})
	}
}

// TestLateCharacter: reads do not show a new character at first, while it can already be used.
func TestLateCharacter(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{Variant: mockserver.Variant{LateVisibility: 2}})
	c.AddCharacter(mockserver.CharacterSeed{ID: "old"})
	id := c.do("POST", "/v2/characters", `{"name":"a"}`, 200).object["character_id"].(string)
	for read, want := range []string{"old ", "old ", "old " + id + " "} {
		check.Equal(t, fmt.Sprint("read ", read+1), ids(c.do("GET", "/v2/characters", "", 200).object["characters"], "character_id"), want)
	}
	c.do("GET", "/v2/characters/"+id, "", 200)
	c.wantAccepted(c.upload(id, "a.png", []byte("x")))
}

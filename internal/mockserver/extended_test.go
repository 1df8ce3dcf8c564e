package mockserver_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func extended(t *testing.T, opts mockserver.Options) *client {
	t.Helper()
	opts.Extended = true
	return start(t, opts)
}

func (c *client) uploadBody(characterID, side string) answer {
	c.t.Helper()
	return c.post(
		"/v2/"+characterID+"/upload/body-image",
		part{"image_type", "", "body_image_" + side},
		part{"file", side + ".png", side},
	)
}

// A service of the contract alone answers as it does for any path that it does
// not know.
func TestWithoutExtension(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{OnViolation: func(string) {}})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c"})
	for route, want := range map[string]int{
		mockserver.RouteCreate: 405, mockserver.RouteCharacter: 405, mockserver.RouteDeleteCharacter: 405,
		mockserver.RouteGroup:      405,
		mockserver.RouteUploadBody: 404, mockserver.RouteGenerateDataset: 404, mockserver.RouteDatasetStatus: 404,
		mockserver.RouteApproval: 404, mockserver.RouteApproveDataset: 404,
		mockserver.RouteStartFaceTraining: 404, mockserver.RouteGroups: 404, mockserver.RouteCategoryJob: 404,
	} {
		method, path, _ := strings.Cut(route, " ")
		got := c.do(method, strings.ReplaceAll(path, "{character_id}", "c"), "", want)
		check.Equal(t, route, got.body, `{"error":"not_found","message":"no such endpoint"}`)
	}
	got := c.do("POST", "/v2/media/categories", `{"media_url":"https://a/b.mp4","metadata":["tags"]}`, 200)
	check.True(
		t,
		"a video",
		got.object["metadata"] != nil && len(c.Violations()) == 12 && len(c.State().Characters) == 1,
		got.body,
		c.Violations(),
	)
}

func TestFaultsOfTheExtension(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{})
	c.do("POST", "/_mock/faults", `{"route":"`+mockserver.RouteCreate+`","nth":2,"drop_after_work":true}`, 204)
	c.do("POST", "/v2/characters", `{"name":"a"}`, 200)
	lost := c.send(c.request("POST", "/v2/characters", `{"name":"a"}`))
	check.True(t, "the reply was lost", lost.err != nil, lost.body)
	for status, fault := range mockserver.MissingRoute() {
		fault.Route = mockserver.RouteCharacter
		fault.Nth = 1
		c.Fault(fault)
		c.do("GET", "/v2/characters/char_000001", "", status)
		c.ClearFaults()
	}
	c.Before(mockserver.RouteCharacter, func() { c.RemoveCharacter("char_000001") })
	c.do("GET", "/v2/characters/char_000001", "", 404)
	check.True(
		t,
		"the journal",
		c.Count(mockserver.RouteCreate) == 2 && c.Count(mockserver.RouteCharacter) == 4 &&
			len(c.State().Characters) == 1,
		c.Journal(),
	)
}

func TestExtendedStrictness(t *testing.T) {
	t.Parallel()
	bodies := "/v2/c/upload/body-image"
	file := part{"file", "a.png", "x"}
	front := part{"image_type", "", "body_image_front"}
	request := func(method, path, body string) func(*client) answer {
		return func(c *client) answer { return c.send(c.request(method, path, body)) }
	}
	form := func(path string, parts ...part) func(*client) answer {
		return func(c *client) answer { return c.post(path, parts...) }
	}
	for name, test := range map[string]struct {
		send func(*client) answer
		want string // within the violation
	}{
		"no name":             {request("POST", "/v2/characters", `{}`), "name"},
		"key of a creation":   {request("POST", "/v2/characters", `{"name":"a","id":"c"}`), "id"},
		"body of a deletion":  {request("DELETE", "/v2/characters/c", `{}`), "body"},
		"no prompts":          {request("POST", "/v2/c/dataset/generate", `{"prompts":[]}`), "prompts"},
		"seed of a dataset":   {request("POST", "/v2/c/dataset/generate", `{"seed":1}`), "seed"},
		"nothing approved":    {request("PUT", "/v2/c/dataset/images/i/approval", `{}`), "approved"},
		"body of an approval": {request("POST", "/v2/c/dataset/approve", `{}`), "body"},
		"limit of the groups": {request("GET", "/v2/generation/groups?limit=101", ""), "limit"},
		"limit of a group":    {request("GET", "/v2/generation/groups/g?limit=201", ""), "limit"},
		"limit of 0":          {request("GET", "/v2/generation/groups/g?limit=0", ""), "limit"},
		"title of the groups": {request("GET", "/v2/generation/groups?title=a", ""), "title"},
		"no side":             {form(bodies, file), "image_type"},
		"unknown side":        {form(bodies, file, part{"image_type", "", "body_image_left"}), "image_type"},
		"two sides":           {form(bodies, file, front, front), "more than one"},
		"two files":           {form(bodies, file, front, file), "more than one"},
		"no file":             {form(bodies, front), "file"},
		"text as file":        {form(bodies, front, part{"file", "", "x"}), "filename"},
		"another field":       {form(bodies, file, front, part{"caption", "", "x"}), "caption"},
		"side of a face":      {form("/v2/c/upload/face-image", file, front), "image_type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := extended(t, mockserver.Options{OnViolation: func(string) {}})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", BodyImages: 2})
			got := test.send(c)
			check.True(t, "refused", got.status == 400, got.status, got.body)
			found := c.Violations()
			check.True(t, "the violations", len(found) == 1 && strings.Contains(found[0], test.want), found)
			check.True(
				t,
				"no work is done",
				len(c.State().Characters) == 1 && len(c.Assets("c")) == 2 &&
					len(c.DatasetImages("c"))+len(c.Ledger().Entries) == 0,
			)
		})
	}
}

// TestRefusals are requests that are well formed and refused, for no credits:
// no violation.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const generate = "/v2/c/dataset/generate"
	for name, test := range map[string]refusal{
		"unknown character":  {"PUT", "/v2/characters/x", `{"name":"a"}`, nil, 404, "not_found"},
		"update, blank name": {"PUT", "/v2/characters/c", `{"name":" "}`, nil, 400, "invalid_name"},
		"batch, no character": {
			"POST",
			"/v2/generation/batch",
			`{"prompts":[{"prompt":"a"}],"character_id":"x"}`,
			nil,
			404,
			"not_found",
		},
		"batch, no group": {
			"POST",
			"/v2/generation/batch",
			`{"prompts":[{"prompt":"a"}],"group_id":"x"}`,
			nil,
			404,
			"not_found",
		},
		"batch, no credits": {
			"POST",
			"/v2/generation/batch",
			`{"prompts":[{"prompt":"a"}]}`,
			func(c *client) { c.SetBalance(0.5) },
			402,
			"insufficient_credits",
		},
		"training, no credits": {
			"POST",
			"/v2/c/training/body-lora",
			"",
			func(c *client) { c.SetBalance(9) },
			402,
			"insufficient_credits",
		},
		"training, active": {
			"POST",
			"/v2/c/training/body-lora",
			"",
			func(c *client) { c.StartTrainingElsewhere("c") },
			409,
			"training_active",
		},
		"training, face active": {
			"POST",
			"/v2/c/training/body-lora",
			"",
			func(c *client) { c.StartFaceTrainingElsewhere("c") },
			409,
			"training_active",
		},
		"training, no images": {"POST", "/v2/bare/training/body-lora", "", nil, 400, "training_not_ready"},
		"cancel, no job":      {"POST", "/v2/c/training/jobs/x/cancel", "", nil, 404, "not_found"},
		"no generation":       {"GET", "/v2/generation/status/x", "", nil, 404, "not_found"},
		"no dataset image":    {"POST", "/v2/c/dataset/images/x/regenerate", "", nil, 404, "not_found"},
		"bad token": {
			"GET",
			"/v2/characters",
			"",
			func(c *client) { c.token = "other" },
			401,
			"unauthorized",
		},
		"revoked token": {
			"GET",
			"/v2/characters",
			"",
			func(c *client) { c.RevokeTokens() },
			401,
			"unauthorized",
		},
		"expired token": {
			"GET",
			"/v2/characters",
			"",
			func(c *client) { c.clock.advance(24 * time.Hour) },
			401,
			"unauthorized",
		},
		"blank name":           {"POST", "/v2/characters", `{"name":" "}`, nil, 400, "invalid_name"},
		"no character":         {"GET", "/v2/characters/x", "", nil, 404, "not_found"},
		"delete, no character": {"DELETE", "/v2/characters/x", "", nil, 404, "not_found"},
		"face, no images":      {"POST", "/v2/bare/training/face-lora", "", nil, 400, "training_not_ready"},
		"face, trained":        {"POST", "/v2/trained/training/face-lora", "", nil, 400, "training_not_ready"},
		"face, body active": {
			"POST",
			"/v2/c/training/face-lora",
			"",
			func(c *client) { c.StartTrainingElsewhere("c") },
			409,
			"training_active",
		},
		"face, no credits": {
			"POST",
			"/v2/c/training/face-lora",
			"",
			func(c *client) { c.SetBalance(9) },
			402,
			"insufficient_credits",
		},
		"dataset, no images":  {"POST", "/v2/bare/dataset/generate", `{}`, nil, 400, "body_images_missing"},
		"dataset, one side":   {"POST", "/v2/trained/dataset/generate", `{}`, nil, 400, "body_images_missing"},
		"dataset, no prompts": {"POST", generate, `{"use_default_prompts":false}`, nil, 400, "no_prompts"},
		"dataset, too many": {
			"POST",
			generate,
			`{}`,
			func(c *client) { c.AddDatasetImages("c", 29) },
			400,
			"too_many_images",
		},
		"dataset, active": {
			"POST",
			generate,
			`{}`,
			func(c *client) { c.GenerateDatasetElsewhere("c", "a") },
			409,
			"dataset_active",
		},
		"dataset, approved": {
			"POST",
			generate,
			`{}`,
			func(c *client) { c.ApproveDatasetElsewhere("c") },
			409,
			"dataset_approved",
		},
		"dataset, no credits": {
			"POST",
			generate,
			`{}`,
			func(c *client) { c.SetBalance(4) },
			402,
			"insufficient_credits",
		},
		"approve, too few": {
			"POST",
			"/v2/c/dataset/approve",
			"",
			func(c *client) { c.AddDatasetImages("c", 4) },
			400,
			"dataset_not_ready",
		},
		"approve, too many": {
			"POST",
			"/v2/c/dataset/approve",
			"",
			func(c *client) { c.AddDatasetImages("c", 61) },
			400,
			"dataset_not_ready",
		},
		"approve, twice": {
			"POST",
			"/v2/c/dataset/approve",
			"",
			func(c *client) { c.ApproveDatasetElsewhere("c") },
			409,
			"dataset_approved",
		},
		"approval, no image": {
			"PUT",
			"/v2/c/dataset/images/x/approval",
			`{"approved":true}`,
			nil,
			404,
			"not_found",
		},
		"approval, not there yet": {
			"PUT",
			"/v2/c/dataset/images/image_000001/approval",
			`{"approved":true}`,
			func(c *client) { c.GenerateDatasetElsewhere("c") },
			404,
			"not_found",
		},
		"approval, approved": {
			"PUT",
			"/v2/c/dataset/images/image_000001/approval",
			`{"approved":false}`,
			func(c *client) { c.AddDatasetImages("c", 1); c.ApproveDatasetElsewhere("c") },
			409,
			"dataset_approved",
		},
		"no group":                 {"GET", "/v2/generation/groups/x", "", nil, 404, "not_found"},
		"no categorization":        {"GET", "/v2/media/categories/x", "", nil, 404, "not_found"},
		"state, unknown character": {"GET", "/v2/x/dataset/status", "", nil, 404, "not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := extended(t, mockserver.Options{DatasetCost: 5})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1, BodyImages: 2})
			c.AddCharacter(mockserver.CharacterSeed{ID: "bare"})
			c.AddCharacter(mockserver.CharacterSeed{ID: "trained", FaceImages: 1, BodyImages: 1, FaceLoRA: true})
			test.look(c)
		})
	}
}

func TestExtendedVariants(t *testing.T) {
	t.Parallel()
	send := func(method, path, body string) func(*client) answer {
		return func(c *client) answer { return c.send(c.request(method, path, body)) }
	}
	const generated = "/v2/c/dataset/status"
	created := send("POST", "/v2/characters", `{"name":" a "}`)
	removed := send("DELETE", "/v2/characters/c", "")
	state := send("GET", generated, "")
	dataset := send("POST", "/v2/c/dataset/generate", `{}`)
	face := send("POST", "/v2/c/training/face-lora", "")
	body := send("POST", "/v2/c/training/body-lora", "")
	list := send("GET", "/v2/generation/groups?character_id=x", "")
	group := send("GET", "/v2/generation/groups/grp_000001", "")
	uploaded := func(c *client) answer { return c.uploadBody("c", "front") }
	broke := func(c *client) answer { c.SetBalance(1); return face(c) }
	categorized := func(c *client) answer {
		job := c.do(
			"POST",
			"/v2/media/categories",
			`{"media_url":"https://a/b","metadata":["tags"]}`,
			200,
		).object["job_id"].(string)
		c.clock.advance(time.Minute)
		return c.send(c.request("GET", "/v2/media/categories/"+job, ""))
	}
	for _, test := range []variantTest{
		{"plain", list, 200, []string{`"groups":[]`}, []string{"error"}},
		{"words-upper", state, 200, []string{`"NOT_STARTED"`}, nil},
		{"words-unknown", state, 200, []string{`"seed"`}, nil},
		{"words-unknown", group, 200, []string{`"zenith"`}, nil},
		{"numbers-text", state, 200, []string{`"min_required":"3"`}, nil},
		{
			"nulls-missing",
			group,
			200,
			[]string{`"generation_id":"gen_`},
			[]string{"preview_image_url", "group_type", "performance_metadata"},
		},
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
	} {
		t.Run(test.variant, func(t *testing.T) {
			t.Parallel()
			c := extended(t, mockserver.Options{Variant: everyVariant()[test.variant]})
			c.AddCharacter(
				mockserver.CharacterSeed{ID: "c", FaceImages: 1, BodyImages: 2, DatasetStatus: "not_started"},
			)
			c.GenerateElsewhere("c", "g", "a")
			c.clock.advance(time.Minute)
			test.look(t, test.do(c))
		})
	}
}

// TestLateCharacter: reads do not show a new character at first, while it can
// already be used.
func TestLateCharacter(t *testing.T) {
	t.Parallel()
	c := extended(t, mockserver.Options{Variant: mockserver.Variant{LateVisibility: 2}})
	c.AddCharacter(mockserver.CharacterSeed{ID: "old"})
	id := c.do("POST", "/v2/characters", `{"name":"a"}`, 200).object["character_id"].(string)
	for read, want := range []string{"old ", "old ", "old " + id + " "} {
		check.Equal(
			t,
			fmt.Sprint("read ", read+1),
			ids(c.do("GET", "/v2/characters", "", 200).object["characters"], "character_id"),
			want,
		)
	}
	c.do("GET", "/v2/characters/"+id, "", 200)
	c.wantAccepted(c.upload(id, "a.png", []byte("x")))
}

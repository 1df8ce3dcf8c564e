package mockserver_test

import (
	"cmp"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Each is refused and reported, and none does any work.
func TestStrictness(t *testing.T) {
	t.Parallel()
	const batch, list = "/v2/generation/batch", "/v2/characters"
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	for name, test := range map[string]struct {
		method, path, body string
		change             func(*http.Request)
		want               string // within the violation
		status             int    // 400 if zero
	}{
		"unknown field":             {"POST", batch, `{"prompts":[{"prompt":"a"}],"seed":1}`, nil, "seed", 0},
		"unknown field of a prompt": {"POST", batch, `{"prompts":[{"prompt":"a","steps":1}]}`, nil, "steps", 0},
		"wrong type": {
			"POST",
			batch,
			`{"prompts":[{"prompt":"a","face_swap":"true"}]}`,
			nil,
			"face_swap",
			0,
		},
		"null": {
			"POST",
			batch,
			`{"prompts":[{"prompt":"a","face_swap":null}]}`,
			nil,
			"face_swap",
			0,
		},
		"no prompts":             {"POST", batch, `{"prompts":[]}`, nil, "prompts", 0},
		"empty prompt":           {"POST", batch, `{"prompts":[{"prompt":""}]}`, nil, "prompt", 0},
		"neither text nor photo": {"POST", batch, `{"prompts":[{"face_swap":true}]}`, nil, "prompt", 0},
		"file as source": {
			"POST",
			batch,
			`{"prompts":[{"prompt":"a","source_image_url":"file:///x"}]}`,
			nil,
			"source_image_url",
			0,
		},
		"two values":           {"POST", batch, `{"prompts":[{"prompt":"a"}]}{}`, nil, "JSON", 0},
		"no body":              {"POST", batch, "", nil, "value is required", 0},
		"body that is no JSON": {"POST", batch, `{`, nil, "JSON", 0},
		"body of another type": {
			"POST",
			batch,
			`{"prompts":[{"prompt":"a"}]}`,
			header("Content-Type", "text/plain"),
			"text/plain",
			0,
		},
		"limit of 0":              {"GET", list + "?limit=0", "", nil, "limit", 0},
		"limit of 101":            {"GET", list + "?limit=101", "", nil, "limit", 0},
		"limit that is no number": {"GET", list + "?limit=many", "", nil, "limit", 0},
		"negative offset":         {"GET", list + "?offset=-1", "", nil, "offset", 0},
		"unknown query":           {"GET", list + "?name=a", "", nil, "name", 0},
		"query given twice":       {"GET", list + "?limit=1&limit=2", "", nil, "2 times", 0},
		"type without a body":     {"GET", list, "", header("Content-Type", "application/json"), "without a body", 0},
		"body of a GET":           {"GET", list, "{}", nil, "body", 0},
		"body of a DELETE":        {"DELETE", "/v2/generation/groups/g", "{}", nil, "body", 0},
		"body of a training":      {"POST", "/v2/c/training/body-lora", "{}", nil, "body", 0},
		"type of a training": {
			"POST",
			"/v2/c/training/body-lora",
			"",
			header("Content-Type", "application/json"),
			"without a body",
			0,
		},
		"no bearer":              {"GET", list, "", header("Authorization", ""), "bearer", 0},
		"another scheme":         {"GET", list, "", header("Authorization", "Basic abc"), "bearer", 0},
		"key at the API":         {"GET", list, "", header("apikey", "mock-api-key"), "API key", 0},
		"user at the API":        {"GET", list, "", header("X-Mock-User", "alice"), "token provider", 0},
		"exchange without a key": {"POST", "/auth/generate-token", "{}", nil, "apikey", 0},
		"exchange without a type": {
			"POST",
			"/auth/generate-token",
			"",
			header("apikey", "mock-api-key"),
			"Content-Type",
			0,
		},
		"exchange with a body": {
			"POST",
			"/auth/generate-token",
			`{"a":1}`,
			header("apikey", "mock-api-key"),
			"\"a\"",
			0,
		},
		"token provider, a body": {"POST", "/token-provider", "{}", header("X-Mock-User", "alice"), "body", 0},
		"update with an extra":   {"PUT", "/v2/characters/c", `{"name":"a","status":"b"}`, nil, "status", 0},
		"approved_only of 1":     {"GET", "/v2/c/dataset/images?approved_only=yes", "", nil, "approved_only", 0},
		"upload that is no form": {"POST", "/v2/c/upload/face-image", "{}", nil, "multipart", 0},
		"role that is no text": {
			"POST",
			"/v2/chat/completions",
			`{"messages":[{"role":1,"content":"a"}]}`,
			nil,
			"role",
			0,
		},
		"unknown metadata": {
			"POST",
			"/v2/media/categories",
			`{"media_url":"https://a/b","metadata":["mood"]}`,
			nil,
			"metadata",
			0,
		},
		"vision without messages": {"POST", "/v2/media/completions", `{"model":"m"}`, nil, "messages", 0},
		"unknown path":            {"GET", "/v2/character", "", nil, "Not Found", 404},
		"no version":              {"GET", "/characters", "", nil, "Not Found", 404},
		"empty id":                {"GET", "/v2//assets", "", nil, "Not Found", 404},
		"wrong method":            {"PATCH", "/v2/characters/c", `{}`, nil, "Method Not Allowed", 405},
		"token for media": {
			"GET",
			"/media/results/x.png",
			"",
			header("Authorization", "Bearer x"),
			"media address",
			404,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var reported atomic.Int32
			c := start(t, mockserver.Options{OnViolation: func(string) { reported.Add(1) }})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
			request := c.request(test.method, test.path, test.body)
			if test.change != nil {
				test.change(request)
			}
			want := cmp.Or(test.status, http.StatusBadRequest)
			got := c.send(request)
			check.True(t, "refused", got.status == want, got.status, got.body)
			found := c.Violations()
			check.True(
				t,
				"violations",
				reported.Load() == 1 && len(found) == 1 && strings.Contains(found[0], test.want),
				found,
			)
			journal := c.Journal()
			check.True(t, "the journal", len(journal) == 1 && journal[0].Status == want, journal)
			check.True(t, "no work is done", len(c.Ledger().Entries)+len(c.Groups())+len(c.Trainings("c")) == 0)
		})
	}
}

type refusal struct {
	method, path, body string
	arrange            func(*client)
	status             int
	code               string
}

func (r refusal) look(c *client) {
	c.t.Helper()
	if r.arrange != nil {
		r.arrange(c)
	}
	check.Equal[any](c.t, "error", c.do(r.method, r.path, r.body, r.status).object["error"], r.code)
	check.Equal(c.t, "entries of the ledger", len(c.Ledger().Entries), 0)
}

func TestTokenProvider(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	for user, status := range map[string]int{"alice": 200, "mallory": 401} {
		request := c.request("POST", "/token-provider", "")
		request.Header.Del("Authorization")
		request.Header.Set("X-Mock-User", user)
		check.Equal(t, user+": status", c.send(request).status, status)
	}
}

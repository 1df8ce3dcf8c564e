package mockserver_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// Every field that openapi.yaml and extended.yaml know of a reply is sent by
// the service, which sends no other. The extension's operations say how much is
// known of them.
func TestRepliesAreComplete(t *testing.T) {
	t.Parallel()
	spec, err := openapi3.NewLoader().LoadFromData(mockserver.OpenAPI())
	check.Must(t, err)
	check.Equal(t, "version", spec.Info.Version, "2.0.0")
	further, err := mockserver.ExtendedSpec()
	check.Must(t, err)
	for _, document := range []struct {
		spec   *openapi3.T
		client *client
		call   func(*client) map[string][]any
	}{
		{spec, start(t, mockserver.Options{}), everyReply},
		{further, extended(t, mockserver.Options{Variant: mockserver.Variant{EmptyErrors: true}}), everyFurtherReply},
	} {
		replies := document.call(document.client)
		for path, item := range document.spec.Paths.Map() {
			for method, operation := range item.Operations() {
				name := method + " " + path
				if replies[name] == nil {
					replies[name] = []any{document.client.try(method, path, operation)}
				}
				if document.spec == further {
					check.Contains(t, "seen or inferred: "+name, strings.ToLower(operation.Description), "seen")
				}
				schema := operation.Responses.Status(http.StatusOK).Value.Content.Get("application/json").Schema.Value
				for _, alternative := range schema.OneOf {
					schema = alternative.Value // the last is the extension's
				}
				check.Equal(t, "never sent", missing(schema, replies[name], name), nil)
			}
		}
	}
}

func (c *client) try(method, path string, operation *openapi3.Operation) map[string]any {
	body := ""
	if request := operation.RequestBody; request != nil {
		body = sample(request.Value.Content.Get("application/json").Schema.Value)
	}
	return c.do(method, "/v2"+strings.ReplaceAll(path, "{character_id}", "c"), body, http.StatusOK).object
}

func sample(schema *openapi3.Schema) string {
	switch {
	case len(schema.Enum) > 0:
		return fmt.Sprintf("%q", schema.Enum[0])
	case schema.Type.Is(openapi3.TypeObject):
		var members []string
		for name, property := range schema.Properties {
			members = append(members, fmt.Sprintf("%q:%s", name, sample(property.Value)))
		}
		return "{" + strings.Join(members, ",") + "}"
	case schema.Type.Is(openapi3.TypeArray):
		return "[" + sample(schema.Items.Value) + "]"
	case schema.Type.Is(openapi3.TypeString):
		return `"a text"`
	case schema.Type.Is(openapi3.TypeBoolean):
		return "true"
	}
	return "1"
}

// missing walks the schema and names what none of the values has.
func missing(schema *openapi3.Schema, values []any, at string) []string {
	var found []string
	if schema.Items != nil {
		var items []any
		for _, value := range values {
			list, _ := value.([]any)
			items = append(items, list...)
		}
		return missing(schema.Items.Value, items, at+"[]")
	}
	for name, property := range schema.Properties {
		var fields []any
		for _, value := range values {
			object, _ := value.(map[string]any)
			if field, ok := object[name]; ok {
				fields = append(fields, field)
			}
		}
		if len(fields) == 0 {
			found = append(found, at+"."+name)
			continue
		}
		found = append(found, missing(property.Value, fields, at+"."+name)...)
	}
	return found
}

func everyReply(c *client) map[string][]any {
	replies := map[string][]any{}
	call := func(method, pattern, path, body string) map[string]any {
		got := c.do(method, path, body, http.StatusOK).object
		replies[method+" "+pattern] = append(replies[method+" "+pattern], got)
		return got
	}
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1, SubscriptionID: "s"})
	image := c.AddDatasetImages("c", 1)[0]
	call("PUT", "/characters/{character_id}", "/v2/characters/c", `{"name":"n"}`)
	replies["POST /{character_id}/upload/face-image"] = []any{c.upload("c", "a.png", []byte("a")).object}
	call(
		"POST",
		"/{character_id}/dataset/images/{image_id}/regenerate",
		"/v2/c/dataset/images/"+image+"/regenerate",
		`{"prompt":"p"}`,
	)

	trainingStatus := func() {
		call("GET", "/{character_id}/training/complete-status", "/v2/c/training/complete-status", "")
	}
	face := c.StartFaceTrainingElsewhere("c")
	trainingStatus()
	c.CancelTrainingElsewhere("c", face)
	job := call("POST", "/{character_id}/training/body-lora", "/v2/c/training/body-lora", "")["job_id"]
	trainingStatus()
	call("POST", "/{character_id}/training/jobs/{job_id}/cancel", fmt.Sprintf("/v2/c/training/jobs/%s/cancel", job), "")
	trainingStatus()

	batch := call(
		"POST",
		"/generation/batch",
		"/v2/generation/batch",
		`{"prompts":[{"prompt":"a"},{"prompt":"b"}],"group_title":"g"}`,
	)
	c.clock.advance(time.Minute)
	generation := batch["results"].([]any)[0].(map[string]any)["generation_id"].(string)
	call("GET", "/generation/status/{generation_id}", "/v2/generation/status/"+generation, "")
	call("DELETE", "/generation/generations/{generation_id}", "/v2/generation/generations/"+generation, "")
	call("DELETE", "/generation/groups/{group_id}", "/v2/generation/groups/"+batch["group_id"].(string), "")

	const user = `"messages":[{"role":"user","content":"a picture, call f"}]`
	call(
		"POST",
		"/chat/completions",
		"/v2/chat/completions",
		`{`+user+`,"reasoning":true,"check_image_generation":true,"autoTurn":true}`,
	)
	call(
		"POST",
		"/chat/completions",
		"/v2/chat/completions",
		`{`+user+`,"tools":[{"type":"function","function":{"name":"f"}}]}`,
	)
	call(
		"POST",
		"/media/completions",
		"/v2/media/completions",
		`{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"call f"}]}]}`,
	)
	call(
		"POST",
		"/media/categories",
		"/v2/media/categories",
		`{"media_url":"https://a/b","metadata":["participants","categories","actions","scene","tags"]}`,
	)
	for path, header := range map[string][2]string{
		"/auth/generate-token": {"apikey", "mock-api-key"},
		"/token-provider":      {"X-Mock-User", "alice"},
	} {
		request := c.request("POST", path, "")
		request.Header.Set(header[0], header[1])
		if path == "/auth/generate-token" {
			request.Header.Set("Content-Type", "application/json")
		}
		replies["POST "+path] = []any{c.send(request).object}
	}
	return replies
}

func BenchmarkListCharacters(b *testing.B) {
	service, err := mockserver.New(mockserver.Options{})
	check.Must(b, err)
	for range 1000 {
		service.AddCharacter(mockserver.CharacterSeed{Name: "somebody", Description: "a description"})
	}
	token := service.IssueToken("")
	for b.Loop() {
		request := httptest.NewRequest(http.MethodGet, "/v2/characters?limit=100&offset=900", http.NoBody)
		request.Header.Set("Authorization", "Bearer "+token)
		recorder := httptest.NewRecorder()
		service.ServeHTTP(recorder, request)
		if recorder.Code != http.StatusOK {
			b.Fatalf("status %d", recorder.Code)
		}
	}
}

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

const everyCategory = `{"media_url":"https://a/b.mp4","metadata":["participants","categories","actions","scene",` +
	`"tags"],"use_scenes":true}`

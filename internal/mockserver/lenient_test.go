package mockserver_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// TestLenient: fields that other services of this kind know are ignored and
// reported; everything else stays as strict as it is.
func TestLenient(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		path, body string
		status     int
		want       string // within the violation
	}{
		"known fields only": {"/v2/generation/batch", `{"prompts":[{"prompt":"a"}]}`, 200, ""},
		"top level":         {"/v2/media/categories", `{"media_url":"https://a/b","metadata":["tags"],"model":"m"}`, 200, "accepted leniently: unknown model"},
		"in a list": {
			"/v2/chat/completions", `{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b","name":"n","tool_call_id":"1"}],"timestamp":1}`, 200,
			"accepted leniently: unknown messages[1].name, messages[1].tool_call_id, timestamp",
		},
		"in alternatives": {
			"/v2/media/completions", `{"model":"m","messages":[{"role":"user","content":[{"type":"text","text":"a","cache":true},{"type":"image_url","image_url":{"url":"https://a/b","detail":"low"}}]}]}`, 200,
			"accepted leniently: unknown messages[0].content[0].cache, messages[0].content[1].image_url.detail",
		},
		"free form":    {"/v2/chat/completions", `{"messages":[{"role":"user","content":"a"}],"tools":[{"type":"function","function":{"name":"f","parameters":{"any":{"x":1}}}}]}`, 200, ""},
		"wrong type":   {"/v2/generation/batch", `{"prompts":[{"prompt":"a","face_swap":"true"}]}`, 400, `prompts/0/face_swap": value must be a boolean`},
		"no prompts":   {"/v2/generation/batch", `{"prompts":[]}`, 400, "minimum number of items is 1"},
		"no JSON":      {"/v2/generation/batch", `{`, 400, "the body is not one JSON value"},
		"two values":   {"/v2/generation/batch", `{"prompts":[{"prompt":"a"}]}{}`, 400, "the body is not one JSON value"},
		"wrong query":  {"/v2/generation/batch?dry=1", `{"prompts":[{"prompt":"a"}]}`, 400, `unknown query parameter "dry"`},
		"body of none": {"/v2/c/training/body-lora", `{"triggers":1}`, 400, "a body where none is described"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := start(t, mockserver.Options{Lenient: true, OnViolation: func(string) {}})
			c.AddCharacter(mockserver.CharacterSeed{ID: "c", FaceImages: 1})
			c.do(http.MethodPost, test.path, test.body, test.status)
			found := strings.Join(c.Violations(), "\n")
			if test.want == "" && found != "" || !strings.Contains(found, test.want) {
				t.Errorf("violations: %q, want %q", found, test.want)
			}
			check.Equal(t, "the journal", string(c.Journal()[0].Body), test.body)
		})
	}
}

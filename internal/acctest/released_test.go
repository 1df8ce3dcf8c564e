package acctest_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// released is what the last release left behind, see RELEASING.md.
var released = filepath.Join("testdata", "released")

const somewhere = "service.example.com"

// Each type of the last release has an object in its state, and some have an
// import mark.
func TestReleasedState_types(t *testing.T) {
	t.Parallel()
	var schema struct {
		Plans map[string]any
	}
	decode(t, readFile(t, filepath.Join(released, "schema.json")), &schema)
	text := readFile(t, filepath.Join(released, "state.json"))
	var state struct {
		Resources []struct{ Type string }
	}
	decode(t, text, &state)
	types := map[string]bool{}
	for _, resource := range state.Resources {
		types[resource.Type] = true
	}
	want := slices.Sorted(maps.Keys(schema.Plans))
	got := slices.Sorted(maps.Keys(types))
	check.True(t, "the objects in the state", slices.Equal(got, want), got, want)
	check.True(t, "an object has an import mark", strings.Contains(text, `"imported": true`))
}

type sent struct {
	At          time.Time `json:"at"`
	Method      string    `json:"method"`
	Path        string    `json:"path"`
	ContentType string    `json:"content_type,omitempty"`
	Body        string    `json:"body,omitempty"`
}

// Its time is that of the release's last request: the same requests make the
// same objects.
type releasedService struct {
	*acctest.Service
	t   *testing.T
	now atomic.Pointer[time.Time]
}

func newReleasedService(t *testing.T) *releasedService {
	t.Helper()
	s := &releasedService{t: t}
	s.at(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC))
	s.Service = acctest.NewService(t, func(o *mockserver.Options) {
		o.GenerationTime = -1
		o.TrainingTime = -1
		o.DatasetTime = -1
		o.Extended = true
		o.Now = func() time.Time { return *s.now.Load() }
	})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada", FaceImages: 10})
	s.AddCharacter(mockserver.CharacterSeed{ID: "char_lin", Name: "Lin", FaceImages: 10, BodyImages: 1})
	s.RejectPrompt("refused", "not today")
	s.at(time.Now())
	return s
}

func (s *releasedService) at(now time.Time) { s.now.Store(&now) }

func (s *releasedService) send(sent sent) {
	s.t.Helper()
	s.at(sent.At)
	request, err := http.NewRequestWithContext(
		s.t.Context(),
		sent.Method,
		s.Host+sent.Path,
		strings.NewReader(sent.Body),
	)
	check.Must(s.t, err)
	request.Header.Set("Authorization", "Bearer "+s.IssueToken(""))
	if sent.ContentType != "" {
		request.Header.Set("Content-Type", sent.ContentType)
	}
	reply, err := http.DefaultClient.Do(request)
	check.Must(s.t, err)
	defer reply.Body.Close()
	if body, err := io.ReadAll(reply.Body); err != nil || reply.StatusCode != http.StatusOK {
		s.t.Fatalf("%s %s: %s %s (%v)", sent.Method, sent.Path, reply.Status, body, err)
	}
	s.at(time.Now()) // tokens contain the time
}

func (s *releasedService) record() *[]sent {
	s.t.Helper()
	var kept []sent
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && strings.HasPrefix(r.URL.Path, "/v2/") {
			body, err := io.ReadAll(r.Body)
			check.NoError(s.t, err)
			now := time.Now().UTC().Truncate(time.Second)
			kept = append(kept, sent{now, r.Method, r.URL.EscapedPath(), r.Header.Get("Content-Type"), string(body)})
			s.at(now)
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		s.ServeHTTP(w, r)
	}))
	s.t.Cleanup(front.Close)
	s.Host = front.URL
	s.URL = s.Host + "/v2"
	return &kept
}

func writeReleased(t *testing.T) {
	t.Helper()
	s := newReleasedService(t)
	requests := s.record()
	s.send(sent{At: time.Now(), Method: http.MethodPost, Path: "/v2/char_lin/training/body-lora"})
	s.send(
		sent{
			At:          time.Now(),
			Method:      http.MethodPost,
			Path:        "/v2/generation/batch",
			ContentType: "application/json",
			Body:        `{"prompts": [{"prompt": "A coast"}, {"prompt": "A city"}]}`,
		},
	)
	m := newTerminal(t, s.Service, released)
	m.run("apply", "-auto-approve", "-parallelism=1") // in one order
	state := withPrivate(t, m.read("terraform.tfstate"), opened)
	writeJSON(
		t,
		"state.json",
		json.RawMessage(strings.ReplaceAll(state, strings.TrimPrefix(s.Host, "http://"), somewhere)),
	)
	writeJSON(t, "requests.json", requests)
}

func writeJSON(t *testing.T, name string, value any) {
	t.Helper()
	text, err := json.MarshalIndent(value, "", "  ")
	check.Must(t, err)
	check.Must(t, os.WriteFile(filepath.Join(released, name), append(text, '\n'), 0o600))
}

func withPrivate(t *testing.T, state string, change func(*testing.T, any) any) string {
	t.Helper()
	var file map[string]any
	decode(t, state, &file)
	for _, resource := range file["resources"].([]any) {
		for _, instance := range resource.(map[string]any)["instances"].([]any) {
			if object := instance.(map[string]any); object["private"] != nil {
				object["private"] = change(t, object["private"])
			}
		}
	}
	text, err := json.Marshal(file)
	check.Must(t, err)
	return string(text)
}

// opened and closed: the CLI and the framework keep private state as bytes in
// JSON in bytes.
func opened(t *testing.T, private any) any {
	t.Helper()
	outer, err := base64.StdEncoding.DecodeString(private.(string))
	check.Must(t, err)
	var inner map[string][]byte
	decode(t, string(outer), &inner)
	readable := map[string]json.RawMessage{}
	for key, value := range inner {
		readable[key] = value
	}
	return readable
}

func closed(t *testing.T, readable any) any {
	t.Helper()
	var inner map[string]json.RawMessage
	decode(t, readable, &inner)
	bytesOf := map[string][]byte{}
	for key, value := range inner {
		bytesOf[key] = value
	}
	private, err := json.Marshal(bytesOf)
	check.Must(t, err)
	return private
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	check.Must(t, err)
	return string(content)
}

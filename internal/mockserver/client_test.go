package mockserver_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

type client struct {
	*mockserver.Server
	t     *testing.T
	clock *clock
	url   string
	token string
	http  *http.Client
}

// start makes a service in which every violation fails the test, unless
// tolerant is called.
func start(t *testing.T, opts mockserver.Options) *client {
	t.Helper()
	c := &client{t: t, clock: &clock{now: time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC)}}
	opts.Now = c.clock.Now
	if opts.TokenLifetime == 0 {
		opts.TokenLifetime = 24 * time.Hour
	}
	if opts.OnViolation == nil {
		opts.OnViolation = func(text string) { t.Errorf("violation: %s", text) }
	}
	service, err := mockserver.New(opts)
	check.Must(t, err)
	server := httptest.NewServer(service)
	transport := &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
		for _, unmet := range service.Unmet() {
			t.Errorf("the test proves less than it says: %s", unmet)
		}
	})
	c.Server = service
	c.url = server.URL
	c.http = &http.Client{Transport: transport}
	c.token = service.IssueToken("")
	return c
}

type answer struct {
	status int
	header http.Header
	body   string
	object map[string]any
	err    error
}

func (c *client) request(method, path, body string) *http.Request {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.url+path, strings.NewReader(body))
	check.Must(c.t, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if !strings.HasPrefix(path, "/media/") {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return request
}

func (c *client) send(request *http.Request) answer {
	c.t.Helper()
	reply, err := c.http.Do(request)
	if err != nil {
		return answer{err: err}
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	got := answer{status: reply.StatusCode, header: reply.Header, body: string(body), err: err}
	_ = json.Unmarshal(body, &got.object)
	return got
}

func (c *client) do(method, path, body string, status int) answer {
	c.t.Helper()
	got := c.send(c.request(method, path, body))
	if got.err != nil || got.status != status {
		c.t.Fatalf("%s %s: got %d %v %s, want %d", method, path, got.status, got.err, got.body, status)
	}
	return got
}

type part struct{ name, filename, content string }

func (c *client) post(path string, parts ...part) answer {
	c.t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	for _, p := range parts {
		if p.filename == "" {
			_ = writer.WriteField(p.name, p.content)
			continue
		}
		file, _ := writer.CreateFormFile(p.name, p.filename)
		_, _ = file.Write([]byte(p.content))
	}
	_ = writer.Close()
	request := c.request(http.MethodPost, path, form.String())
	request.Header.Set("Content-Type", writer.FormDataContentType())
	return c.send(request)
}

func (c *client) upload(characterID, filename string, content []byte) answer {
	c.t.Helper()
	return c.post("/v2/"+characterID+"/upload/face-image", part{"file", filename, string(content)})
}

func (c *client) accepted(method, path, body string) answer {
	c.t.Helper()
	return c.wantAccepted(c.send(c.request(method, path, body)))
}

func (c *client) wantAccepted(got answer) answer {
	c.t.Helper()
	if got.err != nil || got.status/100 != 2 {
		c.t.Fatalf("not accepted: %d %v %s", got.status, got.err, got.body)
	}
	return got
}

func (c *client) exchange(key string) string {
	c.t.Helper()
	request := c.request("POST", "/auth/generate-token", "{}")
	request.Header.Set("apikey", key)
	return c.send(request).object["accessToken"].(string)
}

func (c *client) generate(prompts ...string) (group string, generations []string) {
	c.t.Helper()
	var list []map[string]string
	for _, prompt := range prompts {
		list = append(list, map[string]string{"prompt": prompt})
	}
	body, _ := json.Marshal(map[string]any{"prompts": list, "group_title": "a group"})
	return c.batch(string(body))
}

// batch submits and returns the ids that the results name, "" where there is
// none.
func (c *client) batch(body string) (group string, ids []string) {
	c.t.Helper()
	reply := c.accepted("POST", "/v2/generation/batch", body)
	results, _ := reply.object["results"].([]any)
	for _, result := range results {
		id, _ := result.(map[string]any)["generation_id"].(string)
		ids = append(ids, id)
	}
	return reply.object["group_id"].(string), ids
}

type fields = map[string]any

func wantFields(t *testing.T, what string, got, want fields) {
	t.Helper()
	for name, value := range want {
		check.True(t, what, got[name] == value, name, got[name], value, got)
	}
}

func (c *client) status(generation string) map[string]any {
	c.t.Helper()
	return c.do(http.MethodGet, "/v2/generation/status/"+generation, "", http.StatusOK).object
}

func path(t *testing.T, address string) string {
	t.Helper()
	_, rest, _ := strings.Cut(strings.TrimPrefix(address, "http://"), "/")
	return "/" + rest
}

func decodeClaims(t *testing.T, token string) map[string]any {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("no JWT: %s", token)
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	check.Must(t, err)
	decoder := json.NewDecoder(bytes.NewReader(payload))
	decoder.UseNumber()
	var claims map[string]any
	check.Must(t, decoder.Decode(&claims))
	return claims
}

package mockserver_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestDashboard(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: 500, TrainingTime: 3 * time.Minute})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada", Name: "Ada", FaceImages: 2, BodyImages: 1})
	c.AddDatasetImages("ada", 3)
	c.FailPrompt("bad", "the renderer is out of ink")

	c.wantSections("start characters")
	c.wantText("start", "MEDIAGEN_BASE_URL="+c.url+"/v2 MEDIAGEN_API_KEY=mock-api-key")
	c.wantText(
		"c-ada",
		"Ada ada Spent 0 Pictures 0 Faces 2 Bodies 1 Dataset 3, 2 approved Face LoRA not trained, body LoRA not "+
			"trained",
	)

	c.do("POST", "/v2/ada/training/body-lora", "", 200)
	c.do(
		"POST",
		"/v2/generation/batch",
		`{"character_id":"ada","group_title":"Castles","prompts":[{"prompt":"a castle"},{"prompt":"a bad one"}]}`,
		200,
	)
	c.clock.advance(12 * time.Second)
	c.wantSections("running balance characters groups ledger requests")
	c.wantText(
		"running",
		"Training the body LoRA of Ada",
		"2m48s left 6 %",
		"0 of 2 generations ended: Castles",
		"18s left 40 %",
	)
	c.wantText(
		"g-grp_000001",
		"Castles grp_000001 Ada: 2 processing processing 40 % a castle gen_000001 processing 40 % a bad one gen_000002",
	)
	c.wantText("c-ada", "Spent 102", "body LoRA training")
	c.wantText(
		"ledger",
		"body LoRA training job_000001 Ada 100 400",
		"batch batch_000001 Ada 2 398 2 prompts a castle a bad one",
	)

	c.clock.advance(5 * time.Minute)
	c.wantSections("balance characters groups ledger requests")
	c.wantText(
		"g-grp_000001",
		"Ada: 1 completed, 1 failed a castle gen_000001 failed a bad one the renderer is out of ink gen_000002",
	)
	c.wantText("c-ada", "Pictures 1", "body LoRA trained")

	c.do("DELETE", "/v2/generation/groups/grp_000001", "", 200)
	c.wantSections("balance characters ledger requests")
	c.wantText("c-ada", "Spent 102 Pictures 0")
	c.wantText(
		"ledger",
		"Ada 2 398 2 prompts a castle a bad one",
		"deleted group Castles grp_000001 Ada 2 prompts a castle a bad one",
	)
}

func TestDashboardEscapes(t *testing.T) {
	t.Parallel()
	const attack = `"'><script>alert(1)</script>`
	c := start(t, mockserver.Options{OnViolation: func(string) {}})
	c.AddCharacter(mockserver.CharacterSeed{ID: attack, Name: attack, Description: attack})
	c.AddAsset(attack, "face_image", attack+".png", []byte("x"))
	c.FailPrompt("alert", attack)
	c.generate(attack)
	c.StartTrainingElsewhere(attack)
	c.do("GET", "/"+attack, "", 404)
	page := c.do("GET", "/_mock/", "", 200)
	c.clock.advance(time.Minute)
	page.body += c.do("GET", "/_mock/", "", 200).body
	scripts := regexp.MustCompile(`<script.*`).FindAllString(page.body, -1)
	check.True(t, "scripts", len(scripts) == 2 && !strings.Contains(page.body, "<script>"), scripts)
	check.True(t, "the text is shown", strings.Count(page.body, "&lt;script&gt;alert") >= 12, page.body)
	check.Equal(t, "policy", page.header.Get("Content-Security-Policy"), "default-src 'self'")
}

// TestDashboardLeavesNoTrace: neither the page nor what a browser asks for on
// its own; a client of the service that asks the same is strictly refused.
func TestDashboardLeavesNoTrace(t *testing.T) {
	t.Parallel()
	violations := 0
	c := start(
		t,
		mockserver.Options{
			OnViolation: func(string) { violations++ },
			Variant:     mockserver.Variant{SignedURLs: true, IDs: mockserver.IDsSlash},
		},
	)
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada", FaceImages: 1})
	c.generate("a castle")
	c.ResetJournal()
	c.clock.advance(time.Minute)
	got := c.browse("/")
	check.True(
		t,
		"the page at /",
		got.status == http.StatusOK && strings.Contains(got.body, "a castle"),
		got.status,
		got.body,
	)
	types := map[string]string{"/favicon.ico": "image/svg+xml"}
	for _, link := range regexp.MustCompile(
		`(?:href|src)="(/_mock/(?:dashboard|pictures)[^"]*)"`,
	).FindAllStringSubmatch(c.browse("/_mock/").body, -1) {
		types[html.UnescapeString(link[1])] = map[string]string{
			".css": "text/css",
			".svg": "image/svg+xml",
			".js":  "text/javascript",
		}[regexp.MustCompile(`\.[a-z]+$`).FindString(link[1])]
	}
	check.True(t, "what the page refers to", len(types) == 6, types)
	for path, want := range types {
		if strings.HasPrefix(path, "/_mock/pictures/") {
			want = "image/png"
		}
		got := c.browse(path)
		check.True(
			t,
			path,
			got.status == http.StatusOK && strings.HasPrefix(got.header.Get("Content-Type"), want),
			got.status,
			got.header,
		)
	}
	check.Equal(
		t,
		"a picture that is not there",
		c.browse("/_mock/pictures/results/none.png").status,
		http.StatusNotFound,
	)
	check.True(t, "violations, journal", violations == 0 && c.Count("") == 0, violations, c.Journal())
	for _, path := range []string{"/", "/favicon.ico"} {
		c.do("GET", path, "", 404)
	}
	check.True(
		t,
		"a client's requests, violations, journal",
		violations == 2 && c.Count("") == 2,
		violations,
		c.Journal(),
	)
}

// TestDashboardPictures: an upload that is a page cannot run its script, and
// after a reset no browser shows an old picture under an id that is used again.
func TestDashboardPictures(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
	c.upload("ada", "page.png", []byte("<html><script>alert(1)</script>"))
	got := c.browse(c.pictures()[0])
	policy := got.header.Get("Content-Security-Policy")
	check.True(
		t,
		"headers",
		strings.HasPrefix(policy, "sandbox; default-src 'none'") &&
			got.header.Get("X-Content-Type-Options") == "nosniff",
		got.header,
	)
	var seen []string
	for _, prompt := range []string{"a castle", "a bridge"} {
		c.do("POST", "/_mock/reset", "", 204)
		c.generate(prompt)
		c.clock.advance(time.Minute)
		seen = append(seen, c.pictures()...)
	}
	check.True(
		t,
		"pictures",
		len(seen) == 2 && seen[0] != seen[1] && strings.HasPrefix(seen[1], "/_mock/pictures/results/gen_000001.png?v="),
		seen,
	)
}

func TestDashboardBalance(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: 100, PromptCost: 0.1})
	c.generate("a", "b", "c")
	c.clock.advance(10 * time.Second)
	c.generate("d")
	c.wantText("balance", "100 99.6", "batch batch_000001: 0.3 credits batch batch_000002: 0.1 credits")
	page := c.browse("/_mock/").body
	check.Contains(
		t,
		"the text",
		page,
		`d="M0 8 H8 V71 H92 V92 H100"`,
		`href="#b-2"><path class="point" d="M92 92h0"`,
		`<tr id="b-2">`,
	)
}

func TestDashboardCredit(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.generate("a")
	page := c.browse("/_mock/").body
	check.Contains(t, "the reply", page, `<title>batch batch_000001: 1 credit</title>`, `data-unit="credit">1</td>`)
}

// Each token is a run; reads between two writes are one line for each endpoint
// and status.
func TestDashboardRequests(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.Fault(mockserver.Fault{Route: mockserver.RouteToken, Nth: 1, Status: 503})
	c.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Nth: 4, Status: 500})
	c.begin("first")
	c.begin("first")
	first := c.token
	c.begin("second")
	second := c.token
	c.token = first
	_, generations := c.generate("a", "b")
	for range 3 {
		c.status(generations[0])
		c.clock.advance(time.Second)
		_ = c.send(c.request("GET", "/v2/generation/status/"+generations[1], ""))
	}
	c.do("GET", "/v2/characters?limit=1", "", 200)
	c.clock.advance(time.Minute)
	c.token = second
	c.status(generations[1])
	c.do("DELETE", "/v2/generation/generations/"+generations[0], "", 200)
	c.send(c.request("GET", "/media/results/"+generations[1]+".png", ""))
	c.status(generations[1])

	times := regexp.MustCompile(`\d\d:\d\d:\d\d`)
	const pattern = "GET /v2/generation/status/{generation_id}"
	for id, want := range map[string]string{
		"r-1": "apply T to T: 10 requests, 2 refused first T 503 POST /auth/generate-token T 200 POST " +
			"/auth/generate-token " +
			`T 200 POST /v2/generation/batch { "group_title": "a group", "prompts": [ { "prompt": "a" }, { ` +
			`"prompt": "b" } ] } ` +
			"T 200 " + pattern + " 5 times until T /v2/generation/status/gen_000001 3 times " +
			"/v2/generation/status/gen_000002 2 times T 500 GET /v2/generation/status/gen_000002 T 200 GET " +
			"/v2/characters?limit=1",
		"r-3": "apply T to T: 5 requests second T 200 POST /auth/generate-token T 200 GET " +
			"/v2/generation/status/gen_000002 T 200 DELETE /v2/generation/generations/gen_000001 T 200 GET " +
			"/media/results/gen_000002.png T 200 GET /v2/generation/status/gen_000002",
	} {
		check.Equal(t, id, times.ReplaceAllString(c.text(id), "T"), want)
	}
	page := c.browse("/_mock/").body
	check.True(
		t,
		"the page shows no credential",
		!strings.Contains(page, first) && !strings.Contains(page, "mock-api-key"),
	)
}

func TestDashboardIsShort(t *testing.T) {
	t.Parallel()
	c := inProcess(t, mockserver.Options{})
	for range 1003 {
		c.do("GET", "/v2/characters", "", 200)
	}
	page := c.do("GET", "/_mock/", "", 200).body
	check.True(
		t,
		"the latest requests",
		strings.Contains(page, "1000 times") && strings.Contains(page, "3 earlier ones"),
		page,
	)
}

func (c *client) begin(agent string) {
	c.t.Helper()
	request := c.request("POST", "/auth/generate-token", "")
	request.Header = http.Header{
		"Apikey":       {"mock-api-key"},
		"Content-Type": {"application/json"},
		"User-Agent":   {agent},
	}
	if got := c.send(request); got.status == 200 {
		c.token, _ = got.object["accessToken"].(string)
	}
	c.clock.advance(time.Second)
}

func (c *client) browse(path string) answer {
	c.t.Helper()
	request := httptest.NewRequestWithContext(c.t.Context(), http.MethodGet, c.url+path, http.NoBody)
	request.RequestURI = "" // of servers
	return c.send(request)
}

func (c *client) pictures() []string {
	c.t.Helper()
	var found []string
	for _, link := range regexp.MustCompile(
		`class="picture" href="([^"]*)"`,
	).FindAllStringSubmatch(c.browse("/_mock/").body, -1) {
		found = append(found, html.UnescapeString(link[1]))
	}
	return found
}

func (c *client) wantSections(want string) {
	c.t.Helper()
	var found []string
	for _, section := range regexp.MustCompile(`<section id="([a-z]*)"`).FindAllStringSubmatch(
		c.browse("/_mock/").body,
		-1,
	) {
		found = append(found, section[1])
	}
	check.Equal(c.t, "sections", strings.Join(found, " "), want)
}

func (c *client) wantText(id string, parts ...string) {
	c.t.Helper()
	got := c.text(id)
	check.Contains(c.t, "the text", got, parts...)
}

func (c *client) text(id string) string {
	c.t.Helper()
	page, err := html.Parse(strings.NewReader(c.browse("/_mock/").body))
	check.Must(c.t, err)
	for node := range page.Descendants() {
		if !slices.Contains(node.Attr, html.Attribute{Key: "id", Val: id}) {
			continue
		}
		var words []string
		for inner := range node.Descendants() {
			if inner.Type == html.TextNode {
				words = append(words, strings.Fields(inner.Data)...)
			}
		}
		return strings.Join(words, " ")
	}
	c.t.Errorf("the page has no #%s", id)
	return ""
}

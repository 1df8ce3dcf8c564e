package mockserver_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestAdmin(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{Balance: 50})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", Name: "<Ada>", FaceImages: 1})
	c.generate("a castle")
	c.clock.advance(time.Minute)
	c.StartTrainingElsewhere("c")
	for path, part := range map[string]string{
		"/_mock/":             "&lt;Ada&gt;",
		"/_mock":              "a castle",
		"/_mock/state":        `"prompt": "a castle"`,
		"/_mock/ledger":       `"balance": 49`,
		"/_mock/media":        `"count": 1`,
		"/_mock/violations":   `[]`,
		"/_mock/openapi.yaml": "version: 2.0.0",
		"/_mock/journal?route=POST%20/v2/generation/batch": `"(hidden)"`,
	} {
		got := c.do("GET", path, "", 200).body
		check.True(t, path, strings.Contains(got, part) && !strings.Contains(got, c.token), part, got)
	}
	c.do("GET", "/_mock/nothing", "", 404)
	check.Equal(t, "requests in the journal", c.Count(""), 1)
}

func TestAdminSteers(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "c", DatasetImages: 2})
	c.do("POST", "/_mock/faults", `{"route":"GET /v2/characters","nth":2,"status":503,"delay":"1ms"}`, 204)
	c.do("POST", "/_mock/faults", `{"delay":"long"}`, 400)
	c.do("POST", "/_mock/faults", `{"unknown":1}`, 400)
	check.Contains(
		t,
		"a mistyped route",
		c.do("POST", "/_mock/faults", `{"route":"GET /v2/character","status":503}`, 400).body,
		mockserver.RouteCharacters,
	)
	c.do("GET", "/v2/characters", "", 200)
	c.do("GET", "/v2/characters", "", 503)
	c.do("POST", "/_mock/faults", `{"status":503}`, 204)
	c.do("GET", "/v2/characters", "", 503)
	c.do("DELETE", "/_mock/faults", "", 204)
	c.generate("a")
	c.do("DELETE", "/_mock/journal", "", 204)
	check.Equal(t, "requests after the reset", c.Count(""), 0)
	c.SetCharacter("c", func(seed *mockserver.CharacterSeed) { seed.Name = "changed" })
	c.do("POST", "/_mock/reset", "", 204)
	got, ok := c.Character("c")
	check.True(t, "after the reset", ok && got.Name == "" && len(c.Groups()) == 0 && c.Ledger().Spent() == 0, got)
	c.do("GET", "/v2/characters", "", 200)
	check.Equal(t, "images of the dataset after the reset", len(c.DatasetImages("c")), 2)
}

func TestHelp(t *testing.T) {
	t.Parallel()
	help := mockserver.Help()
	var want []string
	for _, route := range mockserver.Routes() {
		want = append(want, "\n  "+route+"\n")
	}
	for field := range reflect.TypeFor[mockserver.Fault]().Fields() {
		if name := field.Tag.Get("json"); name != "-" {
			want = append(want, "\n  "+name)
		}
	}
	for _, page := range []string{
		"GET    /_mock/ ", "GET    /_mock/state ", "GET    /_mock/ledger ", "GET    /_mock/media ",
		"GET    /_mock/journal ",
		"GET    /_mock/violations ", "GET    /_mock/openapi.yaml ", "POST   /_mock/faults ", "DELETE /_mock/faults ",
		"DELETE /_mock/journal ", "POST   /_mock/reset ",
	} {
		want = append(want, "\n  "+page)
	}
	check.Contains(t, "the help", help, want...)
	if t.Failed() {
		t.Log(help)
	}
}

func TestRequestsPerMinute(t *testing.T) {
	t.Parallel()
	for counted, afterAMinute := range map[bool]int{false: 200, true: 429} {
		c := start(t, mockserver.Options{RequestsPerMinute: 2, CountRefused: counted})
		get := func(status int) {
			t.Helper()
			check.Equal(t, "Retry-After", c.do("GET", "/v2/characters", "", status).header.Get("Retry-After"), "")
		}
		get(200)
		c.clock.advance(30 * time.Second)
		get(200)
		get(429)
		get(429)
		c.clock.advance(30 * time.Second) // the first one is a minute ago
		get(afterAMinute)
		c.clock.advance(time.Minute)
		get(200)
	}
}

func TestRequestsPerMinute_announced(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{RequestsPerMinute: 2, AnnounceRetry: true})
	c.do("GET", "/v2/characters", "", 200)
	c.clock.advance(18500 * time.Millisecond)
	c.do("GET", "/v2/characters", "", 200)
	check.Equal(t, "Retry-After", c.do("GET", "/v2/characters", "", 429).header.Get("Retry-After"), "42")
}

// A fault that replaces the reply after the work does not call a refusal a
// success.
func TestRequestsPerMinute_isNotBelied(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{RequestsPerMinute: 1})
	c.do("GET", "/v2/characters", "", 200)
	c.Fault(mockserver.Fault{Status: 204, AfterWork: true})
	c.do("GET", "/v2/characters", "", 429)
}

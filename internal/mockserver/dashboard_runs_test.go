package mockserver_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// TestDashboardRuns: a run is an apply once it asks for a change, even for one
// that is refused; else a refresh, also if it asks for an inference. A CLI that
// destroys starts one that only gets a token.
func TestDashboardRuns(t *testing.T) {
	t.Parallel()
	c := start(t, mockserver.Options{})
	c.AddCharacter(mockserver.CharacterSeed{ID: "ada"})
	var tokens []string
	for _, agent := range []string{"plan", "nothing", "apply", "refused"} {
		c.begin(agent)
		tokens = append(tokens, c.token)
	}
	c.token = tokens[3]
	c.do("POST", "/v2/ada/training/body-lora", "", 400)
	c.token = tokens[2]
	c.do("GET", "/v2/ada/assets", "", 200)
	c.do("PUT", "/v2/characters/ada", `{"name":"Ada"}`, 200)
	c.do("GET", "/v2/ada/assets", "", 200)
	c.token = tokens[0]
	c.do("GET", "/v2/ada/assets", "", 200)
	c.do("POST", "/v2/generate/image", `{"prompt":"a castle"}`, 200)

	times := regexp.MustCompile(`\d\d:\d\d:\d\d`)
	for id, want := range map[string]string{
		"r-1": "refresh T to T: 3 requests plan",
		"r-2": "T: 1 request nothing",
		"r-3": "apply T to T: 4 requests apply",
		"r-4": "apply T to T: 2 requests, 1 refused refused",
	} {
		if got := times.ReplaceAllString(c.text(id), "T"); !strings.HasPrefix(got, want+" T ") {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
}

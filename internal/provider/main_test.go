package provider_test

import (
	"encoding/json"
	"maps"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// scenario is a service with a character, and a workspace whose provider block
// is the test's.
type scenario struct{ *acctest.Scenario }

// newScenario has an empty provider block, and an environment with the
// service's address and key.
func newScenario(t *testing.T, change ...func(*mockserver.Options)) scenario {
	t.Helper()
	b := scenario{acctest.NewScenario(t, change...)}
	b.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	maps.Copy(b.Environment, map[string]string{"MEDIAGEN_BASE_URL": b.URL, "MEDIAGEN_API_KEY": acctest.APIKey})
	b.Workspace.Provider(core.Object{})
	return b
}

// setenv changes the environment; an empty value unsets.
func (b scenario) setenv(variables map[string]string) { maps.Copy(b.Environment, variables) }

// read sends the cheapest request there is.
func (b scenario) read() core.Diagnostics {
	b.T.Helper()
	_, diagnostics := b.DataSource("mediagen_characters", core.Object{"limit": int64(1)})
	return diagnostics
}

func (b scenario) works() {
	b.T.Helper()
	check.Equal(b.T, "what the provider says", b.read().String(), "")
	check.True(b.T, "something was read", b.Count(mockserver.RouteCharacters) != 0)
}

// refuses checks for an error on an attribute ("" is none) that says something,
// and no request.
func (b scenario) refuses(attribute, says string) {
	b.T.Helper()
	b.WantMessage(b.read().Errors(), attribute, says)
	b.WantCount(b.T, "", 0)
}

// wantOneError checks that the only message is an error on an attribute whose
// text says something.
func (b scenario) wantOneError(diagnostics core.Diagnostics, attribute, says string) {
	b.T.Helper()
	b.WantMessage(diagnostics.Errors(), attribute, says)
	check.True(b.T, "one message", len(diagnostics) == 1, diagnostics)
}

func jsonText(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

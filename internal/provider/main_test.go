package provider_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func TestMain(m *testing.M) { acctest.Main(m) }

// bench is a service with one character, and a workspace whose provider block
// and environment are the test's.
type bench struct {
	*acctest.Service
	*core.Workspace
	t *testing.T
}

// newBench makes a bench whose provider block is empty, and whose environment
// holds the service's address and key.
func newBench(t *testing.T, change ...func(*mockserver.Options)) bench {
	t.Helper()
	service := acctest.NewService(t, change...)
	service.AddCharacter(mockserver.CharacterSeed{ID: "ch_1", Name: "Ada"})
	maps.Copy(service.Environment, map[string]string{"MEDIAGEN_BASE_URL": service.URL, "MEDIAGEN_API_KEY": acctest.APIKey})
	b := bench{service, service.Workspace(t), t}
	b.configure(core.Object{})
	return b
}

// configure writes the provider block.
func (b bench) configure(config core.Object) {
	b.t.Helper()
	b.Workspace.Provider(config)
}

// setenv changes the environment; an empty value unsets.
func (b bench) setenv(variables map[string]string) { maps.Copy(b.Environment, variables) }

// read sends the cheapest request there is.
func (b bench) read() core.Diagnostics {
	b.t.Helper()
	_, diagnostics := b.DataSource("mediagen_characters", core.Object{"limit": int64(1)})
	return diagnostics
}

// works checks that a request goes through.
func (b bench) works() {
	b.t.Helper()
	if diagnostics := b.read(); len(diagnostics) > 0 {
		b.t.Errorf("the provider does not work:\n%s", diagnostics)
	}
	if b.Count(mockserver.RouteCharacters) == 0 {
		b.t.Error("nothing was read")
	}
}

// refuses checks that the configuration is an error on an attribute ("" is
// none) whose text says something, and that nothing is sent.
func (b bench) refuses(attribute, says string) {
	b.t.Helper()
	wantError(b.t, b.read(), attribute, says)
	b.WantNoRequests(b.t)
}

func wantError(t *testing.T, diagnostics core.Diagnostics, attribute, says string) {
	t.Helper()
	for _, found := range diagnostics.Errors() {
		if found.Path == attribute && strings.Contains(found.Summary+"\n"+found.Detail, says) {
			return
		}
	}
	t.Errorf("no error on %q says %q:\n%s", attribute, says, diagnostics)
}

// wantOneError is wantError, and that there is no other message.
func wantOneError(t *testing.T, diagnostics core.Diagnostics, attribute, says string) {
	t.Helper()
	wantError(t, diagnostics, attribute, says)
	if len(diagnostics) != 1 {
		t.Errorf("want one message, got:\n%s", diagnostics)
	}
}

func jsonText(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

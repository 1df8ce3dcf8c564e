package character_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// A list that lacks a character proves nothing by itself: its capabilities
// decide, if the service itself answers, and to a caller that has seen it.
// Fault F13.
func TestUnlistedCharacterIsGoneOnProofOnly(t *testing.T) {
	t.Parallel()
	const address, stranger = "mediagen_character.c", "strangers-api-key-0123456789"
	own := mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: `{"error":"not_found"}`}
	page := mockserver.Fault{Route: mockserver.RouteCapabilities, Status: 404, Body: "<html>404</html>"}
	for name, test := range map[string]struct {
		fault    mockserver.Fault
		key      string
		settings core.Object
		gone     bool
	}{
		"the service's own error":            {fault: own, gone: true},
		"a gateway's page":                   {fault: page},
		"a gateway's page, which is trusted": {fault: page, settings: core.Object{"trust_not_found": true}, gone: true},
		"the service's own, to a stranger":   {fault: own, key: stranger},
		"to a stranger, who is trusted":      {fault: own, key: stranger, settings: core.Object{"trust_not_found": true}, gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, id := newAda(t)
			service.AddAPIKey(stranger, "somebody else") // whose list is empty
			w := service.Scenario(t)
			w.Resource(address, core.Object{"id": id})
			w.Apply().Must()
			service.RemoveCharacter(id)
			service.Fault(test.fault)
			settings := core.Object{"base_url": service.URL, "api_key": "test-api-key-0123456789"}
			if test.key != "" {
				settings["api_key"] = test.key
			}
			maps.Copy(settings, test.settings)
			w.Workspace.Provider(settings)
			result := w.Refresh()
			if gone := w.State(address) == nil; gone != test.gone || result.Diagnostics.HasErrors() == gone {
				t.Errorf("gone is %t, want %t:\n%s", gone, test.gone, result.Diagnostics)
			}
			if !test.gone && !strings.Contains(result.Diagnostics.String(), "does not prove") {
				t.Errorf("the refresh says:\n%s", result.Diagnostics)
			}
		})
	}
}

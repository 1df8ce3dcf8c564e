package story_test

import (
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const (
	strangersKey = "api-key-of-another-organization"
	renewedKey   = "another-api-key-of-the-organization"
)

type credential struct {
	text, key string
	mistyped  bool
}

func (c credential) GoString() string { return c.text }

func credentials() *rapid.Generator[credential] {
	own, stranger, renewed := credential{}, credential{text: " as a stranger", key: strangersKey}, credential{text: " with a new key", key: renewedKey}
	return oneOf(own, own, own, own, own, own, own, own, own, own, own, stranger, stranger, renewed, mistypedAddress)
}

var mistypedAddress = credential{text: " at a mistyped address", mistyped: true}

func (c credential) use(s *story) {
	settings := maps.Clone(s.settings)
	switch {
	case c.key == renewedKey && s.nameless && s.late:
		return // to recover, the user would trust the 404s for what is about to appear
	case c.key == renewedKey:
		s.renewed = true
	case c == credential{}, s.trusting:
		return // it would believe what is meant for other callers
	default:
		s.misled, s.mistyped = true, c.mistyped
	}
	if c.mistyped {
		settings["base_url"] = strings.TrimSuffix(s.URL, "/v2") + "/v3"
	} else {
		settings["api_key"] = c.key
	}
	s.Workspace.Provider(settings)
}

// gateways do not find the service: on one route or on all, for some requests or for all.
func gateways(routes []string) *rapid.Generator[fault] {
	known := mockserver.GatewayNotFounds()
	names := rapid.SampledFrom(slices.Sorted(maps.Keys(known)))
	return rapid.Custom(func(t *rapid.T) fault {
		name := names.Draw(t, "gateway")
		f := fault{Fault: known[name], text: "a gateway's " + name, misleads: true}
		f.Route = oneOf(append([]string{""}, routes...)...).Draw(t, "gateway's route")
		return f
	})
}

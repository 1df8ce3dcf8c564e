package story_test

import (
	"maps"
	"strings"

	"pgregory.net/rapid"
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

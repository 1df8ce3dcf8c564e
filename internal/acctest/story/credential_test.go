package story_test

import (
	"maps"

	"pgregory.net/rapid"
)

const (
	strangersKey = "api-key-of-another-organization"
	renewedKey   = "another-api-key-of-the-organization"
)

// credential is under whose key a command runs.
type credential struct{ text, key string }

// GoString is how rapid prints what it drew.
func (c credential) GoString() string { return c.text }

func credentials() *rapid.Generator[credential] {
	own, stranger, renewed := credential{}, credential{" as a stranger", strangersKey}, credential{" with a new key", renewedKey}
	return oneOf(own, own, own, own, own, own, own, own, own, stranger, stranger, renewed)
}

// use makes the next command run under the key.
func (c credential) use(s *story) {
	switch {
	case c.key == "":
		return
	case c.key == renewedKey:
		s.renewed = true
	case s.trusting:
		return // it would believe what is meant for other callers
	default:
		s.misled = true
	}
	settings := maps.Clone(s.settings)
	settings["api_key"] = c.key
	s.Workspace.Provider(settings)
}

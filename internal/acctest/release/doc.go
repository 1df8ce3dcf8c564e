// Package release holds the tests of a release: the last commit is built like
// in `make release-snapshot`, signed with a key of the test's own, and
// installed by the CLIs like from a registry.
package release

// Package release holds the tests of a release: the last commit is built as
// `make release-snapshot` builds it, signed with a key of the test's own, and
// installed by the CLIs as from a registry.
package release

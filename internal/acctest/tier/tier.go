// Package tier lets each test say in its first line in which runs it takes
// part. A test that says nothing always runs.
//
// Three of go test's own switches matter: -short, -race and TF_ACC, which the
// acceptance tests need. Two variables of the environment add switches that go
// test does not have: FURTHER_CLI=1 on each CLI after the first, and NIGHTLY=1
// in the nightly workflow.
package tier

import (
	"os"
	"testing"
)

// Attribute and LeftOut are a test's own attributes in `go test -json`: the
// tier in which it ran, or the tier to which it was left.
const (
	Attribute = "tier"
	LeftOut   = "left-out"
)

// Long leaves the test out of runs with -short. why says why it takes long.
func Long(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "long", testing.Short(), why)
}

// Large leaves the test out of runs with -short, and of runs under the race
// detector, which makes such a test ten times slower. Smaller tests of the same
// code run under the race detector instead.
func Large(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "large", testing.Short() || raced, why)
}

// Unraced leaves the test out of runs under the race detector. why names the
// foreign code whose races it would report.
func Unraced(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "unraced", raced, why)
}

// OneCLI runs the test only on the first CLI. why says why further CLIs make no
// difference.
func OneCLI(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "one CLI", isSet("FURTHER_CLI"), why)
}

// Nightly leaves the test to the nightly workflow. why says what it adds to the
// tests of each change.
func Nightly(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "nightly", !isSet("NIGHTLY"), why)
}

func leaveOut(t testing.TB, tier string, out bool, why string) {
	t.Helper()
	if out {
		t.Attr(LeftOut, tier)
		t.Skipf("left to the tier %q: %s", tier, why)
	}
	t.Attr(Attribute, tier)
}

func isSet(variable string) bool { return os.Getenv(variable) == "1" }

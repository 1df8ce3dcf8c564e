// Package tier lets each test say in its first line when it runs. A test that
// says nothing runs always.
//
// The three of go test's own switches that matter are -short, -race and TF_ACC,
// which the acceptance tests need. Two variables of the environment add what
// go test has no switch for: FURTHER_CLI=1 on each CLI after the first, and
// NIGHTLY=1 in the nightly workflow.
package tier

import (
	"os"
	"testing"
)

// Attribute and LeftOut are what a test reports of itself in `go test -json`: the
// tier that it ran in, or the tier that it was left to.
const (
	Attribute = "tier"
	LeftOut   = "left-out"
)

// Long leaves the test out of runs with -short. Why says what makes it long.
func Long(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "long", testing.Short(), why)
}

// Large leaves the test out of runs with -short, and of those under the race
// detector, which makes it ten times slower and watches its smaller siblings.
func Large(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "large", testing.Short() || raced, why)
}

// Unraced leaves the test out under the race detector. Why says what else than
// our code it would find.
func Unraced(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "unraced", raced, why)
}

// OneCLI runs the test on the first CLI alone: a further one makes no difference
// to it. Why says so.
func OneCLI(t testing.TB, why string) {
	t.Helper()
	leaveOut(t, "one CLI", isSet("FURTHER_CLI"), why)
}

// Nightly leaves the test to the nightly workflow. Why says what it adds to what
// runs for each change.
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

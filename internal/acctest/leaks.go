package acctest

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs a package's tests and fails if one of them leaves a goroutine
// behind. Those of the plugin server, which acceptance tests run in process,
// end some time after their CLI, and are not ours.
func Main(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/hashicorp/go-plugin.copyChan"))
}

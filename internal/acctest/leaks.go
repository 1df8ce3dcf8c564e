package acctest

import (
	"testing"

	"go.uber.org/goleak"
)

// Main runs a package's tests and fails if a test leaves a goroutine behind.
// The goroutines of the plugin server, which acceptance tests run in process,
// are ignored: they end some time after their CLI, and belong to another
// module.
func Main(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/hashicorp/go-plugin.copyChan"))
}

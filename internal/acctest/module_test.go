package acctest_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

// A module is tested against a mocked provider: the flat defaults of a mock are
// enough, and nothing is sent to the service.
func TestAccExamples_testedModule(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "tested-module"))
	m.needs(tfversion.Version1_7_0, "mocked providers")
	if output := m.run("test"); !strings.Contains(output, "1 passed, 0 failed") {
		t.Errorf("the test did not run:\n%s", output)
	}
	m.WantNoRequests(t)
}

//go:build unix

package acctest_test

import (
	"io/fs"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func openTests(t *testing.T) *terminal {
	t.Helper()
	service := acctest.NewService(t, func(o *mockserver.Options) { o.GenerationTime = -1 })
	m := newTerminal(t, service, filepath.Join(examples, "getting-started"))
	m.needs(tfversion.Version1_6_0, "test files")
	m.write("main.tftest.hcl", "provider \"mediagen\" {\n  prices = { generation = 1 }\n}\nrun \"first\" {}\nrun \"second\" {\n  command = plan\n}\n")
	m.setenv("MEDIAGEN_PURCHASE_LOG", purchaseLog)
	return m
}

// The first Ctrl-C in a module's tests reaches no provider: what the block has bought is destroyed.
func TestAccGuide_testsInterrupted(t *testing.T) {
	t.Parallel()
	m := openTests(t)
	got := m.signalled(boundary{mockserver.RouteBatch, 1, answered}, interrupt, "test", "-no-color")
	m.wantSays(got.output, "1 passed, 0 failed, 1 skipped")
	check.True(t, "exit code and groups", got.code == 0 && len(m.Groups()) == 0, got.code, len(m.Groups()), got.output)
}

// The second one leaves no state file: what was bought is in the log alone.
func TestAccGuide_testsInterruptedTwice(t *testing.T) {
	t.Parallel()
	m := openTests(t)
	got := m.signalled(boundary{mockserver.RouteStatus, 1, unanswered}, func(process int) {
		interrupt(process)
		time.Sleep(moment)
		interrupt(process)
	}, "test", "-no-color")
	states := m.testStates()
	check.True(t, "exit code and states", got.code == 1 && len(states) == 0, got.code, states, got.output)
	left := m.generations()
	groups := jq(t, guided(t)[0], filepath.Join(m.directory, purchaseLog))
	check.True(t, "the log has what is left", len(left) == 1 && len(groups) == 1 && strings.Contains(groups[0].(map[string]any)["import_id"].(string), left[0].ID),
		left, groups)
}

// OpenTofu exits with 0 although a teardown has failed, and leaves a state file.
func TestAccGuide_testsNotTornDown(t *testing.T) {
	t.Parallel()
	m := openTests(t)
	m.Fault(mockserver.Fault{Route: mockserver.RouteDeleteGroup, Status: http.StatusForbidden, Body: `{"error": "not now"}`})
	output, code := m.try("test", "-no-color")
	m.wantSays(output, "Not now")
	switch isOpenTofu := m.isOpenTofu(); {
	case isOpenTofu && (code != 0 || !slices.Contains(m.testStates(), filepath.Join(m.directory, "errored_test.tfstate"))):
		t.Errorf("exit code %d, and the states %v", code, m.testStates())
	case !isOpenTofu && code != 1:
		t.Errorf("exit code %d", code)
	}
}

func (m *terminal) testStates() (found []string) {
	m.t.Helper()
	err := filepath.WalkDir(m.directory, func(file string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(file, ".tfstate") {
			found = append(found, file)
		}
		return err
	})
	check.Must(m.t, err)
	return found
}

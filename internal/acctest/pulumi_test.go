//go:build unix

package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const program = "Pulumi.yaml"

// newPulumi opens a terminal in the program of the guide, with the state on
// disk, and follows the guide.
func newPulumi(t *testing.T, changes ...string) (m *terminal, output string) {
	t.Helper()
	m = newTerminal(t, newExampleService(t), filepath.Join(examples, "pulumi"))
	tools := m.toolbox("PULUMI")
	for variable, value := range map[string]string{
		"HOME": t.TempDir(), "BACKEND_URL": "file://" + t.TempDir(), "CONFIG_PASSPHRASE": "any",
		"SKIP_UPDATE_CHECK": "true", "DISABLE_AUTOMATIC_PLUGIN_ACQUISITION": "true",
	} {
		m.setenv("PULUMI_"+variable, value)
	}
	for i := 0; i < len(changes); i += 2 {
		m.replace(program, changes[i], changes[i+1])
	}
	output = m.follow("pulumi", tools, "mediagen/mediagen", filepath.Join(built, "terraform-provider-mediagen"))
	m.cli = os.Getenv("PULUMI")
	return m, output
}

// pulumi runs a command of Pulumi.
func (m *terminal) pulumi(want int, arguments ...string) (output string) {
	m.t.Helper()
	arguments = append(arguments, "--non-interactive", "--color=never")
	output, code := m.execute(exec.CommandContext(context.WithoutCancel(m.t.Context()), m.cli, arguments...))
	if code != want {
		m.t.Fatalf("pulumi %s: exit code %d, want %d\n%s", strings.Join(arguments, " "), code, want, output)
	}
	return output
}

// The program of the guide buys what it says, once; a prompt more is one purchase
// more, and what exceeds maxPurchases is refused.
func TestPulumiGuide(t *testing.T) {
	t.Parallel()
	m, _ := newPulumi(t)
	const morning = "        morning:\n"
	m.WantCount(t, mockserver.RouteBatch, 1)
	m.WantCount(t, mockserver.RouteUpdate, 0)

	m.ResetJournal()
	m.pulumi(0, "refresh", "--yes", "--expect-no-changes")
	m.pulumi(0, "up", "--yes", "--expect-no-changes")
	m.WantCount(t, mockserver.RouteBatch, 0)

	m.replace(program, morning, "        beach:\n          prompt: On the beach\n"+morning)
	m.pulumi(0, "up", "--yes")
	m.WantCount(t, mockserver.RouteBatch, 1)
	bought := m.Ledger().Entries
	if last := bought[len(bought)-1]; len(last.Prompts) != 1 {
		t.Errorf("a prompt more has bought %q", last.Prompts)
	}

	m.ResetJournal()
	m.replace(program, "maxPurchases: 10", "maxPurchases: 1")
	m.replace(program, morning, "        forest:\n          prompt: In a forest\n        garden:\n          prompt: In a garden\n"+morning)
	if output := m.pulumi(255, "up", "--yes"); !strings.Contains(output, "Purchase Limit Exceeded") {
		t.Errorf("beyond the limit:\n%s", output)
	}
	m.WantCount(t, mockserver.RouteBatch, 0)

	m.pulumi(0, "destroy", "--yes")
	m.WantCount(t, mockserver.RouteDeleteGroup, 1)
	m.WantCount(t, mockserver.RouteUpdate, 0)
}

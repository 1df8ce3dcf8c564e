//go:build unix

package acctest_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const program = "Pulumi.yaml"

type pulumi struct {
	*terminal
	tools  string
	plugin []string // the provider in Pulumi's words, without a registry
}

func newPulumi(t *testing.T) *pulumi {
	t.Helper()
	m := &pulumi{terminal: newTerminal(t, newExampleService(t), filepath.Join(examples, "pulumi"))}
	m.tools = m.toolbox("PULUMI")
	m.plugin = []string{filepath.Join(m.tools, "pulumi-resource-terraform-provider"), filepath.Join(built, "terraform-provider-mediagen")}
	m.setenv("PULUMI_HOME", t.TempDir())
	m.setenv("PULUMI_BACKEND_URL", "file://"+t.TempDir())
	m.setenv("PULUMI_CONFIG_PASSPHRASE", "any")
	m.setenv("PULUMI_SKIP_UPDATE_CHECK", "true")
	m.setenv("PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION", "true")
	return m
}

func (m *pulumi) prepared() *pulumi {
	m.t.Helper()
	m.onPath(m.tools)
	m.does(0, append([]string{"package", "add"}, m.plugin...)...)
	m.does(0, "stack", "init", "production")
	return m
}

func (m *pulumi) does(want int, arguments ...string) (output string) {
	m.t.Helper()
	arguments = append(arguments, "--non-interactive", "--color=never")
	output, code := m.execute(exec.CommandContext(context.WithoutCancel(m.t.Context()), os.Getenv("PULUMI"), arguments...))
	if code != want {
		m.t.Fatalf("pulumi %s: exit code %d, want %d\n%s", strings.Join(arguments, " "), code, want, output)
	}
	return output
}

// A prompt more is one purchase more, and what exceeds maxPurchases is refused.
func TestPulumiGuide(t *testing.T) {
	t.Parallel()
	m := newPulumi(t)
	m.follow("where-it-runs#pulumi", m.tools, "terraform-provider mediagen/mediagen", strings.Join(m.plugin, " "))
	m.WantCount(t, mockserver.RouteBatch, 1)
	m.does(0, "refresh", "--yes", "--expect-no-changes")
	m.does(0, "up", "--yes", "--expect-no-changes")
	m.WantCount(t, mockserver.RouteBatch, 1)

	const morning = "        morning:\n"
	m.replace(program, morning, "        beach:\n          prompt: On the beach\n"+morning)
	m.does(0, "up", "--yes")
	m.WantCount(t, mockserver.RouteBatch, 2)
	bought := m.Ledger().Entries
	last := bought[len(bought)-1]
	check.True(t, "a prompt more", len(last.Prompts) == 1, last.Prompts)

	m.replace(program, "maxPurchases: 10", "maxPurchases: 1")
	m.replace(program, morning, "        forest:\n          prompt: In a forest\n        garden:\n          prompt: In a garden\n"+morning)
	m.wantSays(m.does(1, "preview"), "Purchase Limit Exceeded")
	m.wantSays(m.does(1, "up", "--yes"), "Purchase Limit Exceeded")
	m.WantCount(t, mockserver.RouteBatch, 2)

	m.does(0, "destroy", "--yes")
	m.WantCount(t, mockserver.RouteDelete, 3)
	m.WantCount(t, mockserver.RouteDeleteGroup, 0) // as the guide says
	m.WantCount(t, mockserver.RouteUpdate, 0)
}

func TestPulumiReads(t *testing.T) {
	t.Parallel()
	m := newPulumi(t)
	m.write(program, `name: reads
runtime: yaml
variables:
  found:
    fn::invoke: { function: mediagen:getCharacters }
  prompts:
    fn::invoke:
      function: mediagen:promptMatrix
      arguments: { template: "In {place}", axes: { place: [Rome, Oslo] } }
outputs:
  character: ${found.characters[0].name}
  prompts: ${prompts}
`)
	m.wantSays(m.prepared().does(0, "up", "--yes"), `"Ada"`, `"In Rome"`, `"In Oslo"`)
}

// A name that is left out is an error with the guide's setting, and the character keeps its own.
// Otherwise Pulumi makes one up, and the warning of the adoption says so.
func TestPulumiMakesNamesUp(t *testing.T) {
	t.Parallel()
	m := newPulumi(t).prepared()
	m.replace(program, "      name: Ada\n", "")
	m.wantSays(m.does(0, "up", "--yes"), "automatic naming is disabled but no explicit name was provided", "1 errored")
	m.does(0, "destroy", "--yes")
	m.WantCount(t, mockserver.RouteUpdate, 0)
	m.replace(program, "mode: disabled", "mode: default")
	m.wantSays(m.does(0, "up", "--yes"), "your tool made it up")
	renamed, _ := m.Character("char_ada")
	check.True(t, "the name", strings.HasPrefix(renamed.Name, "ada-"), renamed.Name)
}

// Ctrl-C does not reach the provider: what it is doing ends, and is in the stack. Fault F7.
func TestPulumiInterrupted(t *testing.T) {
	t.Parallel()
	m := newPulumi(t).prepared()
	m.cli = os.Getenv("PULUMI")
	got := m.signalled(boundary{mockserver.RouteBatch, 1, answered}, interrupt, "up", "--yes", "--non-interactive", "--color=never")
	check.True(t, "an error", got.code != 0, got.code, got.output)
	m.does(0, "up", "--yes")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

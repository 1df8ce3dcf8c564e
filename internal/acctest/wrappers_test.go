//go:build unix

package acctest_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

func (m *terminal) toolbox(variable string) (tools string) {
	m.t.Helper()
	tool := os.Getenv(variable)
	beside, err := filepath.Glob(filepath.Join(filepath.Dir(tool), "*"))
	if tool == "" || err != nil {
		m.t.Fatalf("%s is %q: use make test-%s", variable, tool, strings.ToLower(variable))
	}
	tools = m.t.TempDir()
	for _, file := range beside {
		check.Must(m.t, os.Symlink(file, filepath.Join(tools, filepath.Base(file))))
	}
	m.setenv("HOME", m.t.TempDir()) // for its caches
	return tools
}

// Eight units, each with a state of its own, apply at the same time what the
// guide lays out: they take little more than the service's limit dictates.
// Fault F10.
func TestTerragruntSharesTheLimit(t *testing.T) {
	t.Parallel()
	const units, characters, perMinute = 8, 11, 60
	service := acctest.NewService(t, func(o *mockserver.Options) {
		o.Now = time.Now
		o.OnDelay = nil
		o.RequestsPerMinute = perMinute
		o.GenerationTime = -1
	})
	m := newTerminal(t, service, filepath.Join(examples, "large-organization"))
	m.installable()
	m.onPath(m.toolbox("TERRAGRUNT"))
	unit := m.read("units/000/terragrunt.hcl")
	for i := range units {
		slice := fmt.Sprintf("%03d", i)
		var file strings.Builder
		for j := range characters {
			id := fmt.Sprintf("char_%s_%d", slice, j)
			service.AddCharacter(mockserver.CharacterSeed{ID: id, Name: "Before"})
			prompts := "{}"
			if j == 0 {
				prompts = fmt.Sprintf("{ cover: %s on a cover, stage: %[1]s on a stage }", slice)
			}
			fmt.Fprintf(&file, "%s:\n  name: %s\n  prompts: %s\n", id, id, prompts)
		}
		m.write("organization/"+slice+".yaml", file.String())
		check.Must(t, os.MkdirAll(filepath.Join(m.directory, "units", slice), 0o700))
		m.write("units/"+slice+"/terragrunt.hcl", unit)
	}
	m.shell("sh", "terragrunt.sh")
	m.wantLimitShared(perMinute, units)
	m.wantStatesApart(units, characters)
}

// Terragrunt passes a signal on after fifteen seconds, unless a terminal sends
// it to the whole group. What was bought is in the state either way. It exits
// with 0, as the guide warns. Fault F7.
func TestTerragruntInterrupted(t *testing.T) {
	t.Parallel()
	const late = 15*time.Second + promptly
	for name, test := range map[string]struct {
		send   signal
		within time.Duration
	}{
		"by a terminal":          {interrupt, promptly},
		"by SIGINT to it alone":  {func(process int) { _ = syscall.Kill(process, syscall.SIGINT) }, late},
		"by SIGTERM to it alone": {func(process int) { _ = syscall.Kill(process, syscall.SIGTERM) }, late},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := creation.open(t)
			at := boundary{mockserver.RouteBatch, 1, unanswered}
			cli := m.cli
			m.onPath(m.toolbox("TERRAGRUNT"))
			m.setenv("TG_NO_AUTO_INIT", "true") // a provider of dev_overrides cannot be installed
			m.write("terragrunt.hcl", "")
			m.cli = os.Getenv("TERRAGRUNT")
			got := m.signalled(at, test.send, "run", "--all", "--non-interactive", "--no-color", "--",
				"apply", "-auto-approve", "-state="+filepath.Join(m.directory, "terraform.tfstate"))
			m.cli = cli
			check.True(
				t,
				"back in time, halted",
				got.took <= test.within && got.code == 0 && strings.Contains(got.output, "execution halted"),
				got.took,
				got.code,
				got.output,
			)
			t.Logf("back after %s", got.took.Round(time.Millisecond))
			m.wantNothingForgotten(0, at)
			creation.goOn(m)
			creation.wantEnd(m, at)
		})
	}
}

// An apply does not know of its plan's last request: one each may be refused.
func (m *terminal) wantLimitShared(perMinute, processes int) {
	m.t.Helper()
	var answered []time.Time
	refused := 0
	for _, request := range m.Journal() {
		if request.Status == http.StatusTooManyRequests {
			refused++
		} else if request.Route != mockserver.RouteToken {
			answered = append(answered, request.At)
		}
	}
	took := answered[len(answered)-1].Sub(answered[0])
	dictated := time.Duration((len(answered)-1)/perMinute) * time.Minute
	m.t.Logf(
		"%d answers and %d refusals within %s, the limit dictates %s",
		len(answered),
		refused,
		took.Round(time.Second),
		dictated,
	)
	check.True(
		m.t,
		"the time and refusals of so many processes",
		dictated >= 2*time.Minute && took <= dictated*13/10 && refused <= processes,
		processes,
	)
}

func (m *terminal) wantStatesApart(units, characters int) {
	m.t.Helper()
	held := map[string]bool{}
	for i := range units {
		slice := fmt.Sprintf("%03d", i)
		own := 0
		for _, block := range m.blocks("organization/" + slice + ".tfstate") {
			for _, object := range block.Instances {
				if block.Type == "mediagen_character" && strings.HasPrefix(object.Attributes.ID, "char_"+slice+"_") {
					own++
				} else if block.Type == "mediagen_character" {
					m.t.Errorf("slice %s has the character %s", slice, object.Attributes.ID)
				}
				for _, generation := range object.Attributes.Generations {
					made, _ := m.Generation(*generation.ID)
					held[made.ID] = true
					check.True(m.t, slice, strings.HasPrefix(made.Prompt, slice+" on a "), made.ID, made.Prompt)
				}
			}
		}
		check.Equal(m.t, "characters of slice "+slice, own, characters)
	}
	spent := m.Ledger().Spent()
	check.True(
		m.t,
		"the generations that were paid for",
		float64(len(held)) == spent && len(held) == 2*units,
		len(held),
		spent,
	)
}

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
	m.plugin = []string{
		filepath.Join(m.tools, "pulumi-resource-terraform-provider"),
		filepath.Join(built, "terraform-provider-mediagen"),
	}
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
	output, code := m.execute(
		exec.CommandContext(context.WithoutCancel(m.t.Context()), os.Getenv("PULUMI"), arguments...),
	)
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
	m.replace(
		program,
		morning,
		"        forest:\n          prompt: In a forest\n        garden:\n          prompt: In a garden\n"+morning,
	)
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

// A name that is left out is an error with the guide's setting, and the
// character keeps its own. Otherwise Pulumi makes one up, and the warning of
// the adoption says so.
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

// Ctrl-C does not reach the provider: what it is doing ends, and is in the
// stack. Fault F7.
func TestPulumiInterrupted(t *testing.T) {
	t.Parallel()
	m := newPulumi(t).prepared()
	m.cli = os.Getenv("PULUMI")
	got := m.signalled(
		boundary{mockserver.RouteBatch, 1, answered},
		interrupt,
		"up",
		"--yes",
		"--non-interactive",
		"--color=never",
	)
	check.True(t, "an error", got.code != 0, got.code, got.output)
	m.does(0, "up", "--yes")
	m.WantCount(t, mockserver.RouteBatch, 1)
}

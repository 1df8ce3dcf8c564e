package acctest_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
)

// Without a seed, the examples and what the README shows first can be applied
// one after the other.
func TestAccMock_examples(t *testing.T) {
	tier.Long(t, "the mock service beside the examples")
	tier.OneCLI(t, "what the mock service seeds")
	t.Parallel()
	m := newTerminal(t, acctest.NewService(t), filepath.Join(examples, "modules"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	origin := startMockserver(t, "-generation-time", "0", "-training-time", "0", "-extended", "-dataset-time", "0")
	m.write("main.tf", `
module "studio" {
  source = "./studio"

  characters_file = "studio/characters.yaml"
  faces_directory = "studio/faces"
}
`)
	m.run("get")
	shells := []*terminal{m, newReadme(t)}
	for _, directory := range exampleDirectories(t) {
		if directory == "getting-started" || directory == "pipeline" || directory == "from-nothing" ||
			path.Dir(directory) == "resources" {
			shells = append(shells, newExample(t, directory, ""))
		}
	}
	for _, m := range shells {
		m.setenv("MEDIAGEN_BASE_URL", origin+"/v2")
		m.setenv("MEDIAGEN_API_KEY", "mock-api-key")
		m.run("apply", "-auto-approve")
	}
}

func newReadme(t *testing.T) *terminal {
	t.Helper()
	readme := readFile(t, filepath.Join(root, "README.md"))
	_, text, _ := strings.Cut(readme, "\n```hcl\n")
	configuration, _, found := strings.Cut(text, "\n```\n")
	if !found {
		t.Fatal("the README has no configuration")
	}
	m := newTerminal(t, acctest.NewService(t), t.TempDir())
	m.write("main.tf", configuration)
	return m
}

// Under dev_overrides Terraform 1.16 installs nothing; older ones and OpenTofu
// ask a registry.
func TestAccReadme_initWithOverrides(t *testing.T) {
	t.Parallel()
	m := newReadme(t)
	m.needs(version.Must(version.NewVersion("1.16.0")), "init under dev_overrides")
	m.wantSays(m.run("init"), "These providers are not installed")
}

func startMockserver(t *testing.T, arguments ...string) (origin string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "address")
	command := exec.CommandContext(
		context.WithoutCancel(t.Context()),
		filepath.Join(goBuild(t, mockserverCommand), "mediagen-mockserver"),
		append(arguments, "-addr", "127.0.0.1:0", "-address-file", file)...)
	check.Must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	for range 10_000 {
		if content, err := os.ReadFile(file); err == nil && strings.HasSuffix(string(content), "\n") {
			return strings.TrimSpace(string(content))
		}
		time.Sleep(5 * time.Millisecond) // another process binds a real socket
	}
	t.Fatal("the mock service did not start")
	return ""
}

// Both stories check their own steps, and are short enough to be read; make
// prints a line too.
func TestAccDemo(t *testing.T) {
	tier.Long(t, "the demo, 30 seconds")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), t.TempDir())
	bin := goBuild(t, mockserverCommand)
	check.Must(
		t,
		os.Symlink(
			filepath.Join(built, "terraform-provider-mediagen"),
			filepath.Join(bin, "terraform-provider-mediagen"),
		),
	)
	for _, job := range []string{"GENERATION", "TRAINING", "DATASET"} {
		m.setenv("MOCKSERVER_"+job+"_TIME", "1s")
	}
	demo, err := filepath.Abs(filepath.Join(root, "internal", "tools", "demo", "run"))
	check.Must(t, err)
	for from, says := range map[string][]string{
		"characters": {
			"\n  + resource \"mediagen_generation_group\"",
			"Service and state agree: 6 purchases for 204 credits",
			"booked: 1 prompt, 1 credit, 795 left",
			"at the end: 2 characters, 0 groups, 0 media",
		},
		"nothing": {
			"Service and state agree: 6 purchases for 203 credits",
			"Character Will Be Deleted",
			"at the end: 0 characters, 0 groups, 0 media",
		},
	} {
		output, code := m.execute(exec.CommandContext(context.WithoutCancel(t.Context()), demo, m.cli, bin, from))
		lines := strings.Count(output, "\n")
		check.True(t, "from "+from, code == 0 && lines < 110, code, lines, output)
		m.wantSays(output, says...)
	}
	output, code := m.execute(exec.CommandContext(t.Context(), demo, "/bin/false", bin, "characters"))
	check.True(t, "a CLI that fails", code == 1, code, output)
	m.wantSays(output, "plan has failed")
}

func TestAccGuide_testingModules(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	tier.OneCLI(t, "what the mock service answers")
	t.Parallel()
	m := newTerminal(t, acctest.NewService(t), filepath.Join(examples, "modules", "studio"))
	m.needs(tfversion.Version1_8_0, "functions of providers")
	if !m.hasTools("curl") {
		t.Log("there is no curl: only the module's tests are run, by TestAccModule_studio")
		return
	}
	m.installable()
	output := m.follow("testing-modules", goBuild(t, mockserverCommand), "127.0.0.1:8790", freeAddress(t))
	m.wantSays(output, "5 passed, 0 failed", "no credits left", "It fails, as it should.")
}

func goBuild(t *testing.T, packages ...string) (directory string) {
	t.Helper()
	directory = t.TempDir()
	command := exec.CommandContext(
		t.Context(),
		"go",
		append([]string{"build", "-buildvcs=false", "-o", directory}, packages...)...)
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %s\n%s", command, err, output)
	}
	return directory
}

const mockserverCommand = "./internal/cmd/mediagen-mockserver"

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	check.Must(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

package acctest_test

import (
	"context"
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
)

// Without a seed, the examples and what the README shows first can be applied one after the other.
func TestAccMock_examples(t *testing.T) {
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
		if directory == "getting-started" || directory == "pipeline" || directory == "from-nothing" || path.Dir(directory) == "resources" {
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

// Under dev_overrides Terraform 1.16 installs nothing; older ones and OpenTofu ask a registry.
func TestAccReadme_initWithOverrides(t *testing.T) {
	t.Parallel()
	m := newReadme(t)
	m.needs(version.Must(version.NewVersion("1.16.0")), "init under dev_overrides")
	m.wantSays(m.run("init"), "These providers are not installed")
}

func startMockserver(t *testing.T, arguments ...string) (origin string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "address")
	command := exec.CommandContext(context.WithoutCancel(t.Context()), filepath.Join(goBuild(t, mockserverCommand), "mediagen-mockserver"),
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

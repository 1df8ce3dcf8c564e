package acctest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// commands returns what a guide tells its reader to type, block by block.
func commands(t *testing.T, guide string) (blocks []string) {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "docs", "guides", guide+".md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile("(?s)\n```shell\n(.*?)\n```\n").FindAllStringSubmatch(string(content), -1) {
		blocks = append(blocks, found[1])
	}
	if len(blocks) == 0 {
		t.Fatalf("the guide %s has no commands", guide)
	}
	return blocks
}

// follow types all commands of a guide into one shell, with the address and the
// key of the test's service in place of the reader's.
func (m *terminal) follow(guide string) (output string) {
	m.t.Helper()
	typed := strings.NewReplacer("https://api.example.com/v2", m.URL, "your-api-key", acctest.APIKey).
		Replace(strings.Join(commands(m.t, guide), "\n"))
	tools := m.t.TempDir()
	if err := os.Symlink(m.cli, filepath.Join(tools, "terraform")); err != nil {
		m.t.Fatal(err)
	}
	m.setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	output, code := m.execute(exec.CommandContext(context.WithoutCancel(m.t.Context()), "sh", "-euxc", typed))
	if code != 0 {
		m.t.Fatalf("the commands of the guide %s: exit code %d\n%s", guide, code, output)
	}
	return output
}

// installable has the CLI install the provider, as users do: from a mirror on
// disk in place of a registry.
func (m *terminal) installable() {
	m.t.Helper()
	mirror := m.t.TempDir()
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		target := filepath.Join(mirror, host, "mediagen", "mediagen", "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(target, 0o750); err != nil {
			m.t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(built, "terraform-provider-mediagen"), filepath.Join(target, "terraform-provider-mediagen_v0.1.0")); err != nil {
			m.t.Fatal(err)
		}
	}
	settings := filepath.Join(m.t.TempDir(), "cli.tfrc")
	if err := os.WriteFile(settings, fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror), 0o600); err != nil {
		m.t.Fatal(err)
	}
	m.setenv("TF_CLI_CONFIG_FILE", settings)
}

// Who follows the guide step by step buys two pictures, one at a time, and
// leaves nothing.
func TestAccGuide_gettingStarted(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "getting-started"))
	m.installable()
	m.unsetenv("MEDIAGEN_BASE_URL")
	m.unsetenv("MEDIAGEN_API_KEY")
	m.wantSays(m.follow("getting-started"), "1 to add, 0 to change, 0 to destroy", "No changes", "0 to add, 1 to change, 0 to destroy", "1 destroyed")
	m.WantCount(t, mockserver.RouteBatch, 2)
	m.WantCount(t, mockserver.RouteDeleteGroup, 1)
}

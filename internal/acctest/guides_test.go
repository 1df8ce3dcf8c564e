package acctest_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// follow types all commands of a guide into one shell, with the tools and the
// replacements of what the reader has.
func (m *terminal) follow(guide, tools string, replacements ...string) (output string) {
	m.t.Helper()
	typed := strings.NewReplacer(replacements...).Replace(strings.Join(commands(m.t, guide), "\n"))
	if err := os.Symlink(m.cli, filepath.Join(tools, "terraform")); err != nil {
		m.t.Fatal(err)
	}
	m.setenv("PATH", tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	command := exec.CommandContext(context.WithoutCancel(m.t.Context()), "sh", "-euxc", typed)
	command.WaitDelay = 5 * time.Second // what a guide starts and does not stop keeps the output open
	output, code := m.execute(command)
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
	output := m.follow("getting-started", t.TempDir(), "https://api.example.com/v2", m.URL, "your-api-key", acctest.APIKey)
	m.wantSays(output, "1 to add, 0 to change, 0 to destroy", "No changes", "0 to add, 1 to change, 0 to destroy", "1 destroyed")
	m.WantCount(t, mockserver.RouteBatch, 2)
	m.WantCount(t, mockserver.RouteDeleteGroup, 1)
}

// The headings of the troubleshooting guide are what the provider says.
func TestGuide_troubleshooting(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile(filepath.Join("..", "..", "templates", "guides", "troubleshooting.md.tmpl"))
	if err != nil {
		t.Fatal(err)
	}
	headings := regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(string(guide), -1)
	if len(headings) == 0 {
		t.Fatal("the guide has no headings")
	}
	source := providerSource(t)
	for _, heading := range headings {
		if !strings.Contains(source, heading[1]) {
			t.Errorf("nothing says %q", heading[1])
		}
	}
}

// providerSource is the source of all that speaks to users.
func providerSource(t *testing.T) string {
	t.Helper()
	var source strings.Builder
	for _, room := range []string{"transport", "api", "framework", "provider", "service"} {
		err := filepath.WalkDir(filepath.Join("..", room), func(path string, _ os.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			content, err := os.ReadFile(path)
			source.Write(content)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return source.String()
}

// Links within the documentation lead somewhere, fragments included.
func TestGuides_links(t *testing.T) {
	t.Parallel()
	docs := filepath.Join("..", "..", "docs")
	link := regexp.MustCompile(`\]\(([\w./-]*)(?:#([\w-]+))?\)`)
	pages := 0
	err := filepath.WalkDir(docs, func(page string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		pages++
		content, err := os.ReadFile(page)
		for _, found := range link.FindAllStringSubmatch(string(content), -1) {
			target := page
			if found[1] != "" {
				target = filepath.Join(filepath.Dir(page), found[1]) + ".md"
			}
			linked, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s: %s", page, err)
			}
			if found[2] != "" && !slices.Contains(anchors(string(linked)), found[2]) {
				t.Errorf("%s: %s has no #%s", page, target, found[2])
			}
		}
		return err
	})
	if err != nil || pages == 0 {
		t.Errorf("%d pages: %v", pages, err)
	}
}

// anchors are the fragments that address a page's headings and schemas.
func anchors(page string) (found []string) {
	for _, heading := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllStringSubmatch(page, -1) {
		slug := regexp.MustCompile(`[^\w -]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		found = append(found, strings.ReplaceAll(slug, " ", "-"))
	}
	for _, anchor := range regexp.MustCompile(`<a id="([^"]+)"`).FindAllStringSubmatch(page, -1) {
		found = append(found, anchor[1])
	}
	return found
}

package acctest_test

import (
	"archive/zip"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var registries = []string{"registry.terraform.io", "registry.opentofu.org"}

// A mirror is laid out as `providers mirror` does it: archives beside the
// indexes that a web server needs.
type mirror struct {
	t         *testing.T
	directory string
}

func newMirror(t *testing.T) mirror {
	t.Helper()
	m := mirror{t, t.TempDir()}
	m.pack("")
	platform := runtime.GOOS + "_" + runtime.GOARCH
	version := fmt.Sprintf(
		`{"archives": {%q: {"url": "terraform-provider-mediagen_0.1.0_%s.zip"}}}`,
		platform,
		platform,
	)
	for _, registry := range registries {
		directory := filepath.Join(m.directory, registry, "mediagen", "mediagen")
		check.Must(
			t,
			os.WriteFile(filepath.Join(directory, "index.json"), []byte(`{"versions": {"0.1.0": {}}}`), 0o600),
		)
		check.Must(t, os.WriteFile(filepath.Join(directory, "0.1.0.json"), []byte(version), 0o600))
	}
	return m
}

// pack archives the provider that was built, with a comment in a file next to it.
func (m mirror) pack(comment string) {
	m.t.Helper()
	program, err := os.ReadFile(filepath.Join(built, "terraform-provider-mediagen"))
	check.Must(m.t, err)
	for _, registry := range registries {
		directory := filepath.Join(m.directory, registry, "mediagen", "mediagen")
		check.Must(m.t, os.MkdirAll(directory, 0o700))
		name := fmt.Sprintf("terraform-provider-mediagen_0.1.0_%s_%s.zip", runtime.GOOS, runtime.GOARCH)
		file, err := os.Create(filepath.Join(directory, name))
		check.Must(m.t, err)
		archive := zip.NewWriter(file)
		for name, content := range map[string][]byte{
			"terraform-provider-mediagen_v0.1.0": program,
			"LICENSE":                            []byte(comment),
		} {
			header := &zip.FileHeader{Name: name, Method: zip.Store}
			header.SetMode(0o755)
			entry, err := archive.CreateHeader(header)
			check.Must(m.t, err)
			_, err = entry.Write(content)
			check.Must(m.t, err)
		}
		check.Must(m.t, archive.Close())
		check.Must(m.t, file.Close())
	}
}

func (m *terminal) installFrom(method string) {
	m.t.Helper()
	settings := filepath.Join(m.t.TempDir(), "cli.tfrc")
	check.Must(m.t, os.WriteFile(settings, []byte("provider_installation {\n  "+method+"\n}\n"), 0o600))
	m.setenv("TF_CLI_CONFIG_FILE", settings)
	check.Must(m.t, os.RemoveAll(filepath.Join(m.directory, ".terraform")))
}

// From a directory and from a web server the CLI installs what the lock file
// names, and refuses an archive with another content.
func TestAccGuide_firewall(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "getting-started"))
	mirror := newMirror(t)
	fromDirectory := fmt.Sprintf("filesystem_mirror {\n    path = %q\n  }", mirror.directory)
	m.installFrom(fromDirectory)
	m.follow("firewall", t.TempDir(), "/srv/mirror", mirror.directory, "linux_amd64", runtime.GOOS+"_"+runtime.GOARCH)
	check.Contains(t, "the lock file", m.read(".terraform.lock.hcl"), `"h1:`)

	server := httptest.NewTLSServer(http.FileServer(http.Dir(mirror.directory)))
	t.Cleanup(server.Close)
	certificate := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	check.Must(t, os.WriteFile(filepath.Join(m.directory, "ca.pem"), certificate, 0o600))
	m.setenv("SSL_CERT_FILE", filepath.Join(m.directory, "ca.pem"))
	m.installFrom(fmt.Sprintf("network_mirror {\n    url = %q\n  }", server.URL+"/"))
	m.run("init")
	check.Contains(t, "the plan", m.run("plan"), "1 to add, 0 to change, 0 to destroy")

	mirror.pack("changed")
	m.installFrom(fromDirectory)
	said, code := m.try("init", "-no-color")
	refused := code != 0 && strings.Contains(said, "checksums")
	check.True(t, "another archive is refused", refused, code, said)
}

// The state that the other CLI wrote has an address of its own for the provider.
// Terraform needs the commands of the guide, OpenTofu none; neither buys anything.
func TestAccGuide_opentofuToTerraform(t *testing.T) {
	tier.Long(t, "the commands of a guide")
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "getting-started"))
	method := fmt.Sprintf("filesystem_mirror {\n    path = %q\n  }", newMirror(t).directory)
	m.installFrom(method)
	m.run("init")
	m.run("apply", "-auto-approve")
	own := registries[0]
	others := registries[1]
	if m.isOpenTofu() {
		own, others = others, own
	}
	m.replace("terraform.tfstate", own, others)
	m.replace(".terraform.lock.hcl", own, others)
	m.installFrom(method)
	if m.isOpenTofu() {
		m.run("init")
		m.wantNoChanges()
		m.run("apply", "-auto-approve")
	} else {
		said := m.follow("opentofu-to-terraform", t.TempDir())
		m.wantSays(said, "replaced provider for 1 resources", "No changes")
	}
	for _, file := range []string{"terraform.tfstate", ".terraform.lock.hcl"} {
		content := m.read(file)
		isAlone := strings.Contains(content, own) && !strings.Contains(content, others)
		check.True(t, file+" has the CLI's own address alone", isAlone, content)
	}
	m.wantRequests(map[string]int{mockserver.RouteBatch: 1})
}

// What the guide runs needs no service.
func TestAccGuide_editors(t *testing.T) {
	t.Parallel()
	m := newTerminal(t, newExampleService(t), filepath.Join(examples, "getting-started"))
	m.unsetenv("MEDIAGEN_BASE_URL")
	m.unsetenv("MEDIAGEN_API_KEY")
	m.wantSays(m.follow("editors", t.TempDir()), "The configuration is valid")
	m.replace("main.tf", "postcondition", "postconditions")
	_, code := m.try("validate")
	check.True(t, "a misspelt name is an error", code != 0)
}

package release_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// clis are variables that name a CLI, and the registry of an address that names
// none.
var clis = map[string]string{"TERRAFORM": "registry.terraform.io", "TOFU": "registry.opentofu.org"}

type terminal struct {
	cli, directory string
	environment    []string
}

func newTerminal(t *testing.T, s snapshot, cli, source, settings string) *terminal {
	t.Helper()
	service := acctest.NewService(t)
	service.AddCharacter(mockserver.CharacterSeed{ID: "char_ada", Name: "Ada"})
	m := &terminal{cli: os.Getenv(cli), directory: t.TempDir()}
	if m.cli == "" {
		t.Fatalf("%s is not set: use make test-release", cli)
	}
	configuration := fmt.Sprintf(`
terraform {
  required_providers {
    mediagen = {
      source  = %q
      version = %q
    }
  }
}

resource "mediagen_character" "ada" {
  id = "char_ada"
}
`, source, s.version)
	rc := filepath.Join(t.TempDir(), "cli.tfrc")
	for file, text := range map[string]string{filepath.Join(m.directory, "main.tf"): configuration, rc: settings} {
		check.Must(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "TF_") {
			m.environment = append(m.environment, variable)
		}
	}
	m.environment = append(m.environment, "TF_CLI_CONFIG_FILE="+rc, "CHECKPOINT_DISABLE=1", "TF_IN_AUTOMATION=1",
		"MEDIAGEN_BASE_URL="+service.URL, "MEDIAGEN_API_KEY="+acctest.APIKey)
	return m
}

func (m *terminal) run(t *testing.T, arguments ...string) (output string, err error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), m.cli, append(arguments, "-no-color", "-input=false")...)
	command.Dir = m.directory
	command.Env = m.environment
	printed, err := command.CombinedOutput()
	return string(printed), err
}

func (m *terminal) wantInstalled(t *testing.T, installed string) {
	t.Helper()
	output, err := m.run(t, "init")
	if err != nil || !strings.Contains(output, installed) {
		t.Fatalf("init: %v, want %q in\n%s", err, installed, output)
	}
	output, err = m.run(t, "plan")
	check.True(
		t,
		"the plan",
		err == nil && strings.Contains(output, "Plan: 1 to add, 0 to change, 0 to destroy."),
		err,
		output,
	)
}

// The archive in a directory is all that a machine without network needs.
func TestReleaseInstalls_fromMirror(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	for cli, registry := range clis {
		t.Run(cli, func(t *testing.T) {
			t.Parallel()
			mirror := t.TempDir()
			packed := filepath.Join(mirror, registry, "mediagen", "mediagen")
			check.Must(t, os.MkdirAll(packed, 0o700))
			s.candidate(t).wantAccepted(t)
			name := s.archive()
			check.Must(t, os.Symlink(filepath.Join(s.directory, name), filepath.Join(packed, name)))
			settings := fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", mirror)
			newTerminal(t, s, cli, "mediagen/mediagen", settings).
				wantInstalled(t, "Installed mediagen/mediagen v"+s.version)
		})
	}
}

// registry serves a release that both registries accept.
type registry struct {
	snapshot
	files http.Handler
	key   string // armored
	id    string
	sum   string // of the archive
}

func newSettings(t *testing.T, s snapshot, key *openpgp.Entity, files http.Handler) (registry, string) {
	t.Helper()
	s.candidate(t).wantAccepted(t)
	public, err := armored(openpgp.PublicKeyType, key.Serialize)
	check.Must(t, err)
	archive, err := os.ReadFile(filepath.Join(s.directory, s.archive()))
	check.Must(t, err)
	sum := sha256.Sum256(archive)
	r := registry{s, files, public, key.PrimaryKey.KeyIdString(), hex.EncodeToString(sum[:])}
	server := httptest.NewServer(r.handler(t))
	t.Cleanup(server.Close)
	return r, fmt.Sprintf(
		"host \"registry.example.com\" {\n  services = {\n    \"providers.v1\" = \"%s/v1/\"\n  }\n}\n",
		server.URL,
	)
}

func (r registry) handler(t *testing.T) http.Handler {
	t.Helper()
	protocols := r.protocols(t)
	type object = map[string]any
	platform := object{"os": runtime.GOOS, "arch": runtime.GOARCH}
	versions := object{
		"versions": []object{{"version": r.version, "protocols": protocols, "platforms": []object{platform}}},
	}
	name := project + "_" + r.version
	download := object{
		"os": runtime.GOOS, "arch": runtime.GOARCH, "protocols": protocols,
		"filename": r.archive(), "download_url": "/files/" + r.archive(), "shasum": r.sum,
		"shasums_url": "/files/" + name + "_SHA256SUMS", "shasums_signature_url": "/files/" + name + "_SHA256SUMS.sig",
		"signing_keys": object{"gpg_public_keys": []object{{"key_id": r.id, "ascii_armor": r.key}}},
	}
	mux := http.NewServeMux()
	reply := func(path string, value object) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(value)
		})
	}
	reply("/v1/mediagen/mediagen/versions", versions)
	reply(fmt.Sprintf("/v1/mediagen/mediagen/%s/download/%s/%s", r.version, runtime.GOOS, runtime.GOARCH), download)
	mux.Handle("/files/", http.StripPrefix("/files/", r.files))
	return mux
}

// The CLI verifies the release with the registry's key, and speaks the
// manifest's protocol.
func TestReleaseInstalls_fromRegistry(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	for cli := range clis {
		t.Run(cli, func(t *testing.T) {
			t.Parallel()
			r, settings := newSettings(t, s, s.signer, http.FileServer(http.Dir(s.directory)))
			newTerminal(t, s, cli, "registry.example.com/mediagen/mediagen", settings).wantInstalled(t, r.id)
		})
	}
}

func TestReleaseRefused(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	stranger, err := newSigner()
	check.Must(t, err)
	whole := http.FileServer(http.Dir(s.directory))
	changed := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "_SHA256SUMS") {
			_, _ = w.Write(append(s.read(t, "_SHA256SUMS"), "\n"...))
			return
		}
		whole.ServeHTTP(w, r)
	})
	for name, test := range map[string]struct {
		key   *openpgp.Entity
		files http.Handler
		want  string
	}{
		"another key":       {stranger, whole, "authentication signature from unknown issuer"},
		"changed checksums": {s.signer, changed, "signature"},
	} {
		for cli := range clis {
			t.Run(name+"/"+cli, func(t *testing.T) {
				t.Parallel()
				_, settings := newSettings(t, s, test.key, test.files)
				output, err := newTerminal(t, s, cli, "registry.example.com/mediagen/mediagen", settings).run(t, "init")
				check.True(
					t,
					"init",
					err != nil && strings.Contains(strings.Join(strings.Fields(output), " "), test.want),
					err,
					test.want,
					output,
				)
			})
		}
	}
}

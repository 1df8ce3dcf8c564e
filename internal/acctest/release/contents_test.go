package release_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

func TestReleaseChecksums(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	sums := s.read(t, "_SHA256SUMS")
	signature := s.read(t, "_SHA256SUMS.sig")
	check.NoError(
		t,
		check.ErrorOf(
			openpgp.CheckDetachedSignature(
				openpgp.EntityList{s.signer},
				bytes.NewReader(sums),
				bytes.NewReader(signature),
				nil,
			),
		),
	)
	want := []string{s.archive(), project + "_" + s.version + "_manifest.json"}
	slices.Sort(want)
	sum := checksums(t, sums)
	got := slices.Sorted(maps.Keys(sum))
	check.True(t, "what the checksums are of", slices.Equal(got, want), got, want)
	for name, want := range sum {
		file := filepath.Join(s.directory, name)
		if strings.HasSuffix(name, "_manifest.json") { // published from where it is
			file = filepath.Join(filepath.Dir(s.directory), "terraform-registry-manifest.json")
		}
		content, err := os.ReadFile(file)
		check.Must(t, err)
		got := sha256.Sum256(content)
		check.True(t, "the checksum of "+name, hex.EncodeToString(got[:]) == want)
	}
}

func checksums(t *testing.T, text []byte) map[string]string {
	t.Helper()
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok {
			t.Fatalf("checksums: %q", line)
		}
		sums[name] = sum
	}
	return sums
}

// A list says which modules the provider is built from, with their versions.
func TestReleaseComponents(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	info, err := buildinfo.ReadFile(s.unpack(t))
	check.Must(t, err)
	var list struct {
		Components []struct{ Name, Version string }
	}
	document := s.read(t, "_"+runtime.GOOS+"_"+runtime.GOARCH+".cdx.json")
	check.Must(t, json.Unmarshal(document, &list))
	listed := map[string]string{}
	for _, component := range list.Components {
		listed[component.Name] = component.Version
	}
	want := map[string]string{"std": strings.TrimPrefix(info.GoVersion, "go")}
	for _, module := range info.Deps {
		want[module.Path] = module.Version
	}
	listed["std"] = strings.TrimPrefix(strings.TrimPrefix(listed["std"], "v"), "go")
	check.True(t, "what the provider is built from", maps.Equal(listed, want), listed, want)
}

// Another build of the commit, elsewhere and without a cache, makes the same
// archive.
func TestReleaseReproducible(t *testing.T) {
	t.Parallel()
	one := newSnapshot(t)
	two, err := build("another-name", "GOCACHE="+t.TempDir())
	check.Must(t, err)
	first := checksums(t, one.read(t, "_SHA256SUMS"))
	second := checksums(t, two.read(t, "_SHA256SUMS"))
	check.Equal(t, "the archive and the manifest", len(first), 2)
	for name, sum := range first {
		check.True(t, name+" is the same in two builds of a commit", second[name] == sum)
	}
}

func TestReleaseManifest(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	ctx, stop := context.WithCancel(t.Context())
	provider := exec.CommandContext(ctx, s.unpack(t))
	// What a CLI that knows both protocols sets.
	provider.Env = append(
		os.Environ(),
		"PLUGIN_PROTOCOL_VERSIONS=5,6",
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
	)
	out, err := provider.StdoutPipe()
	check.Must(t, err)
	check.Must(t, provider.Start())
	line, err := bufio.NewReader(out).ReadString('\n') // core|protocol|network|address|…
	stop()
	_ = provider.Wait() // it was killed
	fields := strings.Split(line, "|")
	if err != nil || len(fields) < 2 {
		t.Fatalf("the provider says %q: %v", line, err)
	}
	protocols := s.protocols(t)
	check.True(
		t,
		"the protocols of the manifest",
		slices.Equal(protocols, []string{fields[1] + ".0"}),
		protocols,
		fields[1],
	)
}

// manifest is the text that is published as …_manifest.json.
func (s snapshot) manifest(t *testing.T) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.directory), "terraform-registry-manifest.json"))
	check.Must(t, err)
	return text
}

func (s snapshot) protocols(t *testing.T) []string {
	t.Helper()
	var manifest struct {
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		}
	}
	check.Must(t, json.Unmarshal(s.manifest(t), &manifest))
	return manifest.Metadata.Protocols
}

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
)

// TestReleaseChecksums: the checksums are signed, right, and name everything
// that is published.
func TestReleaseChecksums(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	sums, signature := s.read(t, "_SHA256SUMS"), s.read(t, "_SHA256SUMS.sig")
	if _, err := openpgp.CheckDetachedSignature(openpgp.EntityList{s.signer}, bytes.NewReader(sums), bytes.NewReader(signature), nil); err != nil {
		t.Errorf("signature: %s", err)
	}
	platform := "_" + s.version + "_" + runtime.GOOS + "_" + runtime.GOARCH
	want := []string{
		"mediagen-mockserver" + platform + ".zip",
		project + platform + ".mockserver.cdx.json",
		project + platform + ".provider.cdx.json",
		project + platform + ".zip",
		project + "_" + s.version + "_manifest.json",
	}
	slices.Sort(want)
	sum := checksums(t, sums)
	if got := slices.Sorted(maps.Keys(sum)); !slices.Equal(got, want) {
		t.Errorf("the checksums are of %q, want %q", got, want)
	}
	for name, want := range sum {
		file := filepath.Join(s.directory, name)
		if strings.HasSuffix(name, "_manifest.json") { // published from where it is
			file = filepath.Join(filepath.Dir(s.directory), "terraform-registry-manifest.json")
		}
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := sha256.Sum256(content); hex.EncodeToString(got[:]) != want {
			t.Errorf("the checksum of %s is wrong", name)
		}
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

// TestReleaseComponents: for each binary there is a list of the modules that it
// is built from, with their versions.
func TestReleaseComponents(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	for id, file := range map[string]string{
		"provider":   s.unpack(t, s.archive(project), project+"_v"+s.version),
		"mockserver": s.unpack(t, s.archive("mediagen-mockserver"), "mediagen-mockserver"),
	} {
		info, err := buildinfo.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct {
			Components []struct{ Name, Version string }
		}
		document := s.read(t, "_"+runtime.GOOS+"_"+runtime.GOARCH+"."+id+".cdx.json")
		if err := json.Unmarshal(document, &list); err != nil {
			t.Fatal(err)
		}
		listed := map[string]string{}
		for _, component := range list.Components {
			listed[component.Name] = component.Version
		}
		want := map[string]string{"std": strings.TrimPrefix(info.GoVersion, "go")}
		for _, module := range info.Deps {
			want[module.Path] = module.Version
		}
		listed["std"] = strings.TrimPrefix(strings.TrimPrefix(listed["std"], "v"), "go")
		if !maps.Equal(listed, want) {
			t.Errorf("%s lists %v, and is built from %v", id, listed, want)
		}
	}
}

// TestReleaseMockServer: the second binary starts and tells its version.
func TestReleaseMockServer(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	binary := s.unpack(t, s.archive("mediagen-mockserver"), "mediagen-mockserver")
	output, err := exec.CommandContext(t.Context(), binary, "-version").CombinedOutput()
	if err != nil || strings.TrimSpace(string(output)) != "mediagen-mockserver "+s.version {
		t.Errorf("-version: %v\n%s", err, output)
	}
}

// TestReleaseReproducible: another build of the commit, at another place and
// without the first one's cache, makes the same archives.
func TestReleaseReproducible(t *testing.T) {
	t.Parallel()
	one := newSnapshot(t)
	two, err := build("another-name", "GOCACHE="+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	first, second := checksums(t, one.read(t, "_SHA256SUMS")), checksums(t, two.read(t, "_SHA256SUMS"))
	compared := 0
	for name, sum := range first {
		if strings.HasSuffix(name, ".cdx.json") { // tells when it was made
			continue
		}
		compared++
		if second[name] != sum {
			t.Errorf("%s differs between two builds of a commit", name)
		}
	}
	if compared != 3 {
		t.Errorf("%d files were compared, want both archives and the manifest", compared)
	}
}

// TestReleaseManifest: the protocol that the manifest names to the registries is
// the one that the provider offers.
func TestReleaseManifest(t *testing.T) {
	t.Parallel()
	s := newSnapshot(t)
	ctx, stop := context.WithCancel(t.Context())
	provider := exec.CommandContext(ctx, s.unpack(t, s.archive(project), project+"_v"+s.version))
	// What a CLI that knows both protocols sets.
	provider.Env = append(os.Environ(), "PLUGIN_PROTOCOL_VERSIONS=5,6",
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2")
	out, err := provider.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := provider.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n') // core|protocol|network|address|…
	stop()
	_ = provider.Wait() // it was killed
	fields := strings.Split(line, "|")
	if err != nil || len(fields) < 2 {
		t.Fatalf("the provider says %q: %v", line, err)
	}
	if protocols := s.protocols(t); !slices.Equal(protocols, []string{fields[1] + ".0"}) {
		t.Errorf("the manifest names the protocols %q, and the provider offers %s", protocols, fields[1])
	}
}

// protocols are those of the manifest.
func (s snapshot) protocols(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(s.directory), "terraform-registry-manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Metadata.Protocols
}

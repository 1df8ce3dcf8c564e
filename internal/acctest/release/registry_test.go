package release_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

// draft is a release in the making: each change of what it lists is signed anew.
type draft struct {
	candidate
	list map[string]string // checksums by name
}

// put adds a file to the release, and lists it.
func (d *draft) put(name string, content []byte) {
	sum := sha256.Sum256(content)
	d.files[name] = content
	d.list[name] = hex.EncodeToString(sum[:])
}

// drop removes a file from the release and from its list.
func (d *draft) drop(name string) {
	delete(d.files, name)
	delete(d.list, name)
}

func (d *draft) seal(t *testing.T, signer *openpgp.Entity) {
	t.Helper()
	var sums, signature bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(d.list)) {
		fmt.Fprintf(&sums, "%s  %s\n", d.list[name], name)
	}
	young := &packet.Config{Time: func() time.Time { return signer.PrimaryKey.CreationTime }}
	check.Must(t, openpgp.DetachSign(&signature, signer, bytes.NewReader(sums.Bytes()), young))
	d.files[d.file("SHA256SUMS")] = sums.Bytes()
	d.files[d.file("SHA256SUMS.sig")] = signature.Bytes()
}

// here is the archive of this machine.
func (d *draft) here() string { return d.file(runtime.GOOS + "_" + runtime.GOARCH + ".zip") }

// executable is a small program of this platform.
var executable = sync.OnceValues(func() ([]byte, error) {
	source := filepath.Join(workspace, "main.go")
	if err := os.WriteFile(source, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		return nil, err
	}
	program := filepath.Join(workspace, "program")
	output, err := exec.Command("go", "build", "-buildvcs=false", "-o", program, source).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, output)
	}
	return os.ReadFile(program)
})

func packed(t *testing.T, name string) []byte {
	t.Helper()
	content, err := executable()
	check.Must(t, err)
	var archive bytes.Buffer
	writer := zip.NewWriter(&archive)
	file, err := writer.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	check.Must(t, err)
	check.Must(t, check.ErrorOf(file.Write(content)))
	check.Must(t, writer.Close())
	return archive.Bytes()
}

var registered = sync.OnceValues(newSigner)

func newDraft(t *testing.T) *draft {
	t.Helper()
	key, err := registered()
	check.Must(t, err)
	d := &draft{candidate{"v1.2.3", map[string][]byte{}, key}, map[string]string{}}
	d.put(d.here(), packed(t, binaryHere))
	d.put(d.file("manifest.json"), []byte(`{"version":1,"metadata":{"protocol_versions":["6.0"]}}`))
	return d
}

var binaryHere = project + "_v1.2.3" + map[bool]string{true: ".exe"}[runtime.GOOS == "windows"]

func newKey(t *testing.T, config packet.Config) *openpgp.Entity {
	t.Helper()
	key, err := openpgp.NewEntity("Release test", "", "release@example.com", &config)
	check.Must(t, err)
	return key
}

// breach is a release that breaks a rule: changed before it is signed, or after.
type breach struct {
	rule          string
	before, after func(t *testing.T, d *draft)
}

func manifest(text string) func(*testing.T, *draft) {
	return func(_ *testing.T, d *draft) { d.put(d.file("manifest.json"), []byte(text)) }
}

// listed lists a second archive of the provider under a name.
func listed(rest, binary string) func(*testing.T, *draft) {
	return func(t *testing.T, d *draft) {
		t.Helper()
		d.put(d.file(rest), packed(t, binary))
	}
}

// otherHere is the only archive, with a binary of this platform under a name.
func otherHere(binary string) func(*testing.T, *draft) {
	return func(t *testing.T, d *draft) {
		t.Helper()
		d.put(d.here(), packed(t, binary))
	}
}

// renamed gives a release a tag, and its files the names that follow from it.
func renamed(tag string) func(*testing.T, *draft) {
	return func(t *testing.T, d *draft) {
		t.Helper()
		old := d.candidate
		d.tag = tag
		for _, rest := range []string{runtime.GOOS + "_" + runtime.GOARCH + ".zip", "manifest.json"} {
			content := old.files[old.file(rest)]
			d.drop(old.file(rest))
			d.put(d.file(rest), content)
		}
	}
}

var breaches = map[string]breach{
	"no v":              {rule: "tag", before: renamed("1.2.3")},
	"two numbers":       {rule: "tag", before: renamed("v1.2")},
	"a word":            {rule: "tag", before: renamed("vnext")},
	"no checksums":      {rule: "files", after: func(_ *testing.T, d *draft) { d.drop(d.file("SHA256SUMS")) }},
	"no signature":      {rule: "files", after: func(_ *testing.T, d *draft) { d.drop(d.file("SHA256SUMS.sig")) }},
	"an elliptic curve": {rule: "key", before: withKey(packet.Config{Algorithm: packet.PubKeyAlgoEd25519})},
	"an expired key":    {rule: "expired key", before: withKey(expired)},
	"a stranger's":      {rule: "signature", after: signedByAnother},
	"an armored":        {rule: "signature", after: armoredSignature},
	"changed checksums": {rule: "signature", after: changedSums},
	"a zip of the mock": {rule: "listed", before: mockArchive},
	"components":        {rule: "listed", before: listed("linux_amd64.cdx.json", "components")},
	"a plan 9":          {rule: "platform", before: listed("plan9_mips.zip", binaryHere)},
	"another's name":    {rule: "platform", before: mockArchive},
	"not published":     {rule: "sums", after: func(_ *testing.T, d *draft) { delete(d.files, d.here()) }},
	"another file":      {rule: "sums", after: func(_ *testing.T, d *draft) { d.files[d.here()] = []byte("zip") }},
	"no archive":        {rule: "archives", before: func(_ *testing.T, d *draft) { d.drop(d.here()) }},
	"256 MiB": {
		rule:   "size",
		before: func(_ *testing.T, d *draft) { d.files[d.here()] = make([]byte, maxArchive+1) },
	},
	"no zip":             {rule: "binary", before: func(_ *testing.T, d *draft) { d.put(d.here(), []byte("tar")) }},
	"a name without v":   {rule: "binary", before: otherHere(project + "_1.2.3")},
	"a mock's binary":    {rule: "binary", before: otherHere("mediagen-mockserver")},
	"no .exe":            {rule: "binary", before: listed("windows_arm64.zip", project+"_v1.2.3")},
	"another platform's": {rule: "binary's platform", before: listed("solaris_386.zip", project+"_v1.2.3")},
	"no manifest":        {rule: "manifest", before: func(_ *testing.T, d *draft) { d.drop(d.file("manifest.json")) }},
	"unlisted": {
		rule:   "manifest",
		before: func(_ *testing.T, d *draft) { delete(d.list, d.file("manifest.json")) },
	},
	"no protocol":      {rule: "manifest", before: manifest(`{"version":1,"metadata":{"protocol_versions":[]}}`)},
	"a protocol alone": {rule: "manifest", before: manifest(`{"version":1,"metadata":{"protocol_versions":["6"]}}`)},
	"a manifest's format": {
		rule:   "manifest",
		before: manifest(`{"version":2,"metadata":{"protocol_versions":["6.0"]}}`),
	},
	"no JSON": {rule: "manifest", before: manifest(`protocol_versions: 6.0`)},
}

// expired is a key that two years ago was made for one.
var expired = packet.Config{
	Algorithm:       packet.PubKeyAlgoRSA,
	RSABits:         2048,
	KeyLifetimeSecs: uint32((365 * 24 * time.Hour).Seconds()),
	Time:            func() time.Time { return time.Now().AddDate(-2, 0, 0) },
}

func withKey(config packet.Config) func(*testing.T, *draft) {
	return func(t *testing.T, d *draft) {
		t.Helper()
		d.key = newKey(t, config)
	}
}

func signedByAnother(t *testing.T, d *draft) {
	t.Helper()
	d.seal(t, newKey(t, packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: 2048}))
}

func armoredSignature(t *testing.T, d *draft) {
	t.Helper()
	var text bytes.Buffer
	out, err := armor.Encode(&text, openpgp.SignatureType, nil)
	check.Must(t, err)
	check.Must(t, check.ErrorOf(out.Write(d.files[d.file("SHA256SUMS.sig")])))
	check.Must(t, out.Close())
	d.files[d.file("SHA256SUMS.sig")] = text.Bytes()
}

func changedSums(_ *testing.T, d *draft) {
	name := d.file("SHA256SUMS")
	d.files[name] = append(slices.Clone(d.files[name]), '\n')
}

func mockArchive(t *testing.T, d *draft) {
	t.Helper()
	d.put("mediagen-mockserver_1.2.3_linux_amd64.zip", packed(t, "mediagen-mockserver"))
}

func TestRegistry_accepts(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*testing.T, *draft){
		"a release":           func(*testing.T, *draft) {},
		"protocols 5 and 6":   manifest(`{"version":1,"metadata":{"protocol_versions":["5.0","6.0"]}}`),
		"other files beside":  func(_ *testing.T, d *draft) { d.files[d.file("linux_amd64.cdx.json")] = []byte("{}") },
		"a release candidate": candidateOfRelease,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDraft(t)
			change(t, d)
			d.seal(t, d.key)
			d.wantAccepted(t)
		})
	}
}

func candidateOfRelease(t *testing.T, d *draft) {
	t.Helper()
	renamed("v1.2.3-rc1")(t, d)
	otherHere(strings.Replace(binaryHere, "1.2.3", "1.2.3-rc1", 1))(t, d)
}

func (c candidate) wantAccepted(t *testing.T) {
	t.Helper()
	for _, registry := range both {
		check.NoError(t, check.ErrorOf(c.refusal(registry)))
	}
}

// Each registry refuses what breaks one of its rules, for that rule; and no rule
// is without a release that breaks it.
func TestRegistry_refuses(t *testing.T) {
	t.Parallel()
	for name, breach := range breaches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDraft(t)
			if breach.before != nil {
				breach.before(t, d)
			}
			d.seal(t, d.key)
			if breach.after != nil {
				breach.after(t, d)
			}
			for _, registry := range ruleOf(t, breach.rule).registries {
				broken, err := d.refusal(registry)
				check.True(t, registry+" refuses", broken == breach.rule, breach.rule, err)
			}
		})
	}
	for _, rule := range rules {
		broken := slices.ContainsFunc(slices.Collect(maps.Values(breaches)), func(b breach) bool {
			return b.rule == rule.name
		})
		check.True(t, rule.name+" is broken by a release", broken)
	}
}

func ruleOf(t *testing.T, name string) rule {
	t.Helper()
	for _, rule := range rules {
		if rule.name == name {
			return rule
		}
	}
	t.Fatalf("no rule is called %q", name)
	return rule{}
}

// candidate is the release as the registries will see it: GoReleaser publishes
// the manifest from where it is, under another name.
func (s snapshot) candidate(t *testing.T) candidate {
	t.Helper()
	c := candidate{"v" + s.version, map[string][]byte{}, s.signer}
	for _, rest := range []string{"SHA256SUMS", "SHA256SUMS.sig", runtime.GOOS + "_" + runtime.GOARCH + ".zip"} {
		c.files[c.file(rest)] = s.read(t, "_"+rest)
	}
	c.files[c.file("manifest.json")] = s.manifest(t)
	return c
}

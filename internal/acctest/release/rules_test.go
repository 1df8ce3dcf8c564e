package release_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
	"github.com/hashicorp/go-version"
)

// The registries that a release is for.
const (
	terraformRegistry = "registry.terraform.io"
	openTofuRegistry  = "registry.opentofu.org"
)

// candidate is what a registry sees of a release: its tag, its files by name,
// and the key that its namespace has registered.
type candidate struct {
	tag   string
	files map[string][]byte
	key   *openpgp.Entity
}

// rule is a reason for which a registry refuses a release, or would install
// something else than the release means. Its function says where the registry
// says so.
type rule struct {
	name       string
	registries []string
	broken     func(candidate) error
}

var (
	both  = []string{terraformRegistry, openTofuRegistry}
	rules = []rule{
		{"tag", both, brokenTag},
		{"files", both, missingFile},
		{"key", []string{terraformRegistry}, unacceptedKey},
		{"expired key", []string{openTofuRegistry}, expiredKey},
		{"signature", both, brokenSignature},
		{"listed", []string{terraformRegistry}, unexpectedName},
		{"platform", []string{openTofuRegistry}, unknownPlatform},
		{"size", []string{openTofuRegistry}, tooLarge},
		{"sums", both, brokenSum},
		{"archives", both, noArchive},
		{"binary", both, misnamedBinary},
		{"binary's platform", both, binaryOfAnotherPlatform},
		{"manifest", both, brokenManifest},
	}
)

// refusal is the first rule of a registry that a release breaks, and how; or
// nothing.
func (c candidate) refusal(registry string) (broken string, err error) {
	for _, rule := range rules {
		if !slices.Contains(rule.registries, registry) {
			continue
		}
		if err := rule.broken(c); err != nil {
			return rule.name, fmt.Errorf("%s: %s: %w", registry, rule.name, err)
		}
	}
	return "", nil
}

func (c candidate) file(rest string) string {
	return project + "_" + strings.TrimPrefix(c.tag, "v") + "_" + rest
}

// sums are the checksums by name, in the order of their file.
func (c candidate) sums() (names []string, sum map[string]string) {
	sum = map[string]string{}
	for line := range strings.Lines(string(c.files[c.file("SHA256SUMS")])) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		names = append(names, fields[1])
		sum[fields[1]] = fields[0]
	}
	return names, sum
}

// archives are the listed files that a registry takes for a platform.
func (c candidate) archives() (names []string) {
	listed, _ := c.sums()
	for _, name := range listed {
		if strings.HasSuffix(name, ".zip") {
			names = append(names, name)
		}
	}
	return names
}

// platform is what the name of an archive says of it. Each registry builds or
// reads the name as terraform-provider-NAME_VERSION_OS_ARCH.zip.
func (c candidate) platform(archive string) (system, architecture string, ok bool) {
	match := regexp.MustCompile(`^` + regexp.QuoteMeta(c.file("")) + `([a-z0-9]+)_([a-z0-9]+)\.zip$`).
		FindStringSubmatch(archive)
	if match == nil {
		return "", "", false
	}
	return match[1], match[2], true
}

// "The tag must be a valid Semantic Version preceded with a v":
// developer.hashicorp.com/terraform/registry/providers/publishing. OpenTofu's
// takes no other as a version either (opentofu/registry,
// src/internal/provider/update.go), with the v or without.
func brokenTag(c candidate) error {
	number, ok := strings.CutPrefix(c.tag, "v")
	if !ok {
		return fmt.Errorf("the tag %q does not begin with v", c.tag)
	}
	_, err := version.NewSemver(number)
	if err != nil || strings.Count(strings.SplitN(number, "-", 2)[0], ".") != 2 {
		return fmt.Errorf("the tag %q is no semantic version: %w", c.tag, err)
	}
	return nil
}

// Both look for the checksums and their signature by name: "There is a
// terraform-provider-{NAME}_{VERSION}_SHA256SUMS file", with ".sig" for its
// signature (HashiCorp's page on publishing, "Manually Preparing a Release");
// opentofu/registry, src/internal/provider/version.go, skips a release without.
func missingFile(c candidate) error {
	for _, rest := range []string{"SHA256SUMS", "SHA256SUMS.sig"} {
		if _, ok := c.files[c.file(rest)]; !ok {
			return fmt.Errorf("the release has no %s", c.file(rest))
		}
	}
	return nil
}

// HashiCorp's page, "Preparing and Adding a Signing Key": the registry accepts
// RSA and DSA keys, and not the elliptic curves that gpg makes by default.
func unacceptedKey(c candidate) error {
	switch c.key.PrimaryKey.PubKeyAlgo {
	case packet.PubKeyAlgoRSA, packet.PubKeyAlgoDSA:
		return nil
	default:
		return fmt.Errorf("the key's algorithm is %d, neither RSA nor DSA", c.key.PrimaryKey.PubKeyAlgo)
	}
}

// tofu says of an expired key that it "will fail in future versions of
// OpenTofu" (opentofu/opentofu#2475, #1769), so that no release is signed by it.
func expiredKey(c candidate) error {
	identity := c.key.PrimaryIdentity()
	if c.key.PrimaryKey.KeyExpired(identity.SelfSignature, time.Now()) {
		return fmt.Errorf("the key %s has expired", c.key.PrimaryKey.KeyIdString())
	}
	return nil
}

// HashiCorp's page: a "valid GPG binary (not ASCII armored) signature of the
// SHA256SUMS file". The CLIs verify no other (getproviders,
// package_authentication.go, in both); opentofu/registry does in
// src/internal/gpg/verify.go.
func brokenSignature(c candidate) error {
	_, err := openpgp.CheckDetachedSignature(
		openpgp.EntityList{c.key},
		bytes.NewReader(c.files[c.file("SHA256SUMS")]),
		bytes.NewReader(c.files[c.file("SHA256SUMS.sig")]),
		nil,
	)
	return err
}

// The Terraform registry takes each listed zip for a platform, and waits for it
// in vain: "Could not find all platform assets for this release yet … missing
// release asset for fakeserver_…" (Mastercard/terraform-provider-restapi#85).
// Under a name with the right platform it installs the wrong archive
// (hashicorp/terraform#26282, datastax/terraform-provider-astra#465). This holds
// for more than the registry is known to refuse: nothing else is listed.
func unexpectedName(c candidate) error {
	listed, _ := c.sums()
	for _, name := range listed {
		_, _, isArchive := c.platform(name)
		if !isArchive && name != c.file("manifest.json") {
			return fmt.Errorf("the checksums list %s, which is neither an archive nor the manifest", name)
		}
	}
	return nil
}

// OpenTofu's registry reads no names: it builds them from its lists of systems
// and architectures (opentofu/registry, src/internal/provider/version.go), and
// leaves out what is named by another.
func unknownPlatform(c candidate) error {
	systems := []string{"darwin", "freebsd", "linux", "windows", "openbsd", "solaris"}
	architectures := []string{"386", "amd64", "arm", "arm64"}
	for _, name := range c.archives() {
		system, architecture, ok := c.platform(name)
		if !ok || !slices.Contains(systems, system) || !slices.Contains(architectures, architecture) {
			return fmt.Errorf("no user would find %s", name)
		}
	}
	return nil
}

// What is listed is a file of the release (Mastercard/terraform-provider-restapi
// #85 again) with this very sum: "checksum list has unexpected SHA-256 hash"
// (smutel/terraform-provider-netbox#8). OpenTofu's registry downloads and
// compares (opentofu/registry, src/internal/provider/hashes.go).
func brokenSum(c candidate) error {
	names, sum := c.sums()
	for _, name := range names {
		content, ok := c.files[name]
		if !ok {
			return fmt.Errorf("missing release asset for %s", name)
		}
		got := sha256.Sum256(content)
		if hex.EncodeToString(got[:]) != sum[name] {
			return fmt.Errorf("%s has another checksum", name)
		}
	}
	return nil
}

// "no valid platform assets found" (tenstad/terraform-provider-remote#119);
// opentofu/registry, src/internal/provider/validate.go: "empty targets list".
func noArchive(c candidate) error {
	if len(c.archives()) == 0 {
		return errors.New("the release has no archive")
	}
	return nil
}

// opentofu/registry, src/internal/provider/hashes.go: "256MB max".
func tooLarge(c candidate) error {
	for _, name := range c.archives() {
		if len(c.files[name]) > maxArchive {
			return fmt.Errorf("%s has %d bytes", name, len(c.files[name]))
		}
	}
	return nil
}

const maxArchive = 256 << 20

// HashiCorp's page: "The binary name is terraform-provider-{NAME}_v{VERSION}",
// in a "zip file containing the built provider binary for a single
// architecture". The CLIs of both look for a file that begins with
// terraform-provider-NAME (providercache, cached_provider.go). On Windows the
// name ends with .exe.
func misnamedBinary(c candidate) error {
	for _, name := range c.archives() {
		if _, err := c.binary(name); err != nil {
			return err
		}
	}
	return nil
}

func (c candidate) binary(archive string) ([]byte, error) {
	want := project + "_" + c.tag
	if strings.Contains(archive, "_windows_") {
		want += ".exe"
	}
	content := c.files[archive]
	packed, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	file, err := packed.Open(want)
	if err != nil {
		return nil, fmt.Errorf("%s has no %s: %w", archive, want, err)
	}
	defer file.Close()
	return io.ReadAll(file)
}

// No registry looks into the binary. A user would be the first to see that it is
// of another platform than its archive's name says: see unexpectedName.
func binaryOfAnotherPlatform(c candidate) error {
	for _, name := range c.archives() {
		content, err := c.binary(name)
		if err != nil {
			return err
		}
		info, err := buildinfo.Read(bytes.NewReader(content))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		settings := map[string]string{}
		for _, setting := range info.Settings {
			settings[setting.Key] = setting.Value
		}
		built := c.file(settings["GOOS"] + "_" + settings["GOARCH"] + ".zip")
		if name != built {
			return fmt.Errorf("the binary in %s belongs into %s", name, built)
		}
	}
	return nil
}

// The Terraform registry wants the manifest in the checksums too: without, a
// release is ignored (ngrok/terraform-provider-ngrok#61, hashicorp/terraform-registry-support#28).
// A release without a manifest is taken for one of protocol 5
// (opentofu/registry, src/internal/provider/version.go), so that no CLI could
// run this provider. OpenTofu's knows these protocols
// (src/internal/provider/validate.go).
func brokenManifest(c candidate) error {
	name := c.file("manifest.json")
	listed, _ := c.sums()
	text, ok := c.files[name]
	if !ok || !slices.Contains(listed, name) {
		return fmt.Errorf("%s is missing, in the release or in the checksums", name)
	}
	var manifest struct {
		Version  int
		Metadata struct {
			Protocols []string `json:"protocol_versions"`
		}
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if manifest.Version != 1 || len(manifest.Metadata.Protocols) == 0 {
		return fmt.Errorf("%s has version %d and no protocol", name, manifest.Version)
	}
	for _, protocol := range manifest.Metadata.Protocols {
		if !slices.Contains([]string{"4.0", "5.0", "6.0"}, protocol) {
			return fmt.Errorf("%s names the protocol %q", name, protocol)
		}
	}
	return nil
}

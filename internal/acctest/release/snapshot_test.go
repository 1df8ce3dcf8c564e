package release_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
)

const project = "terraform-provider-mediagen"

var workspace string

func TestMain(m *testing.M) {
	var err error
	workspace, err = os.MkdirTemp("", "mediagen-release-")
	if err != nil {
		log.Fatal(err)
	}
	code := m.Run()
	os.RemoveAll(workspace)
	os.Exit(code)
}

type snapshot struct {
	directory string
	version   string
	signer    *openpgp.Entity
}

var theSnapshot = sync.OnceValues(func() (snapshot, error) { return build("one") })

func newSnapshot(t *testing.T) snapshot {
	t.Helper()
	if os.Getenv("TF_ACC") == "" {
		t.Skip("release tests need TF_ACC, see CONTRIBUTING.md")
	}
	built, err := theSnapshot()
	check.Must(t, err)
	return built
}

func build(name string, environment ...string) (snapshot, error) {
	signer, err := newSigner()
	if err != nil {
		return snapshot{}, err
	}
	secret, err := armored(openpgp.PrivateKeyType, func(w io.Writer) error { return signer.SerializePrivate(w, nil) })
	if err != nil {
		return snapshot{}, err
	}
	clone := filepath.Join(workspace, name)
	source, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		return snapshot{}, err
	}
	if output, err := exec.Command("git", "clone", "--quiet", "--shared", source, clone).CombinedOutput(); err != nil {
		return snapshot{}, fmt.Errorf("git clone: %w\n%s", err, output)
	}
	command := exec.Command("make", "-C", clone, "release-snapshot")
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "MAKE") && !strings.HasPrefix(variable, "MFLAGS") {
			command.Env = append(command.Env, variable)
		}
	}
	command.Env = append(append(command.Env, "GPG_PRIVATE_KEY="+secret, "PASSPHRASE="), environment...)
	if output, err := command.CombinedOutput(); err != nil {
		return snapshot{}, fmt.Errorf("make release-snapshot: %w\n%s", err, output)
	}
	built := snapshot{directory: filepath.Join(clone, "dist"), signer: signer}
	built.version, err = readVersion(built.directory)
	return built, err
}

func newSigner() (*openpgp.Entity, error) {
	return openpgp.NewEntity(
		"Release test",
		"",
		"release@example.com",
		&packet.Config{Algorithm: packet.PubKeyAlgoRSA, RSABits: 2048},
	)
}

func armored(kind string, serialize func(io.Writer) error) (string, error) {
	var text bytes.Buffer
	out, err := armor.Encode(&text, kind, nil)
	if err != nil {
		return "", err
	}
	err = errors.Join(serialize(out), out.Close())
	return text.String(), err
}

func readVersion(directory string) (string, error) {
	text, err := os.ReadFile(filepath.Join(directory, "metadata.json"))
	if err != nil {
		return "", err
	}
	var metadata struct{ Version string }
	if err := json.Unmarshal(text, &metadata); err != nil {
		return "", err
	}
	if metadata.Version == "" {
		return "", errors.New("metadata.json names no version")
	}
	return metadata.Version, nil
}

func (s snapshot) read(t *testing.T, rest string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.directory, project+"_"+s.version+rest))
	check.Must(t, err)
	return text
}

// archive is the name of the provider's archive for this machine.
func (s snapshot) archive() string {
	return fmt.Sprintf("%s_%s_%s_%s.zip", project, s.version, runtime.GOOS, runtime.GOARCH)
}

// unpack writes the provider of the archive to a file.
func (s snapshot) unpack(t *testing.T) string {
	t.Helper()
	executable := project + "_v" + s.version
	reader, err := zip.OpenReader(filepath.Join(s.directory, s.archive()))
	check.Must(t, err)
	defer reader.Close()
	packed, err := reader.Open(executable)
	check.Must(t, err)
	defer packed.Close()
	file := filepath.Join(t.TempDir(), executable)
	out, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY, 0o700)
	check.Must(t, err)
	check.Must(t, check.ErrorOf(io.Copy(out, packed)))
	check.Must(t, out.Close())
	return file
}

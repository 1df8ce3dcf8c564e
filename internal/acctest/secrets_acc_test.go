package acctest_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

const proof = "the-proof-that-nobody-may-see-0123456789"

const tokenProviderFile = `
provider "mediagen" {
  token_provider = {
    url     = %q
    headers = { X-Mock-User = %q, X-Proof = var.proof }
  }
}
`

const dataSourcesFile = `
data "mediagen_character" "c" { id = "char_ada" }
data "mediagen_characters" "c" {}
data "mediagen_assets" "a" { character_id = "char_ada" }
data "mediagen_dataset_images" "d" { character_id = "char_ada" }
data "mediagen_generation" "g" { id = "gen_000001" }
data "mediagen_generation_capabilities" "c" { character_id = "char_ada" }
data "mediagen_training_status" "t" { character_id = "char_ada" }
`

// Credentials are in nothing that the main job leaves behind at TF_LOG=TRACE.
// Fault F27.
func TestAccPipeline_secrets(t *testing.T) {
	tier.Long(t, "the main example once more")
	t.Parallel()
	for name, setUp := range map[string]func(*terminal){
		"key from the environment": func(*terminal) {},
		"token from the environment": func(m *terminal) {
			m.unsetenv("MEDIAGEN_API_KEY")
			m.setenv("MEDIAGEN_ACCESS_TOKEN", m.IssueToken(""))
		},
		"token provider from the environment": func(m *terminal) {
			m.unsetenv("MEDIAGEN_API_KEY")
			m.setenv("MEDIAGEN_TOKEN_PROVIDER_URL", m.Host+"/token-provider")
			m.setenv(
				"MEDIAGEN_TOKEN_PROVIDER_HEADERS",
				`{"X-Mock-User": "`+mockserver.User+`", "X-Proof": "`+proof+`"}`,
			)
		},
		"token provider from an ephemeral variable": func(m *terminal) {
			m.unsetenv("MEDIAGEN_API_KEY")
			m.setenv("TF_VAR_proof", proof)
			m.write("proof.tf", "variable \"proof\" {\n  type      = string\n  ephemeral = true\n}\n")
			m.write("provider_override.tf", fmt.Sprintf(tokenProviderFile, m.Host+"/token-provider", mockserver.User))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if strings.HasPrefix(name, "token provider") {
				tier.OneCLI(t, "how the provider obtains a token")
			}
			m := newPipeline(t)
			setUp(m)
			m.write("data.tf", dataSourcesFile)
			m.trace()
			m.run("plan", "-out=first.plan")
			m.run("apply", "first.plan")
			m.run("plan", "-out=second.plan", extraPrompts)
			m.run("apply", "second.plan")
			m.run("show", "-json")
			m.run("output", "-json")
			m.Fault(mockserver.Fault{Route: mockserver.RouteStatus, Status: 401})
			_, code := m.try("plan")
			check.True(t, "the exit code of a plan whose reads are refused", code == 1, code)
			m.ClearFaults()
			m.run("destroy", "-auto-approve", extraPrompts)
			m.wantNoSecrets("terraform.tfstate", "trace.log", "first.plan", "first.plan/tfplan", "second.plan/tfstate")
		})
	}
}

func (m *terminal) trace() {
	m.setenv("TF_LOG", "TRACE")
	m.setenv("TF_LOG_PATH", filepath.Join(m.directory, "trace.log"))
}

// secrets are all credentials of this test's requests, its runs' identities,
// and parts of tokens.
func (m *terminal) secrets() []string {
	secrets := map[string]bool{acctest.APIKey: true, proof: true, acctest.RequestToken: true}
	var tokens []string
	for _, request := range m.Journal() {
		tokens = append(tokens, strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer "))
	}
	if m.issuer != nil {
		tokens = append(tokens, m.issuer.Issued()...)
	}
	for _, token := range tokens {
		for i, part := range strings.Split(token, ".") {
			if i > 0 { // the first is the same for all
				secrets[part] = true
			}
		}
	}
	delete(secrets, "")
	return slices.Sorted(maps.Keys(secrets))
}

// wantNoSecrets searches what was printed and is left, plan files too. The
// expected must be there.
func (m *terminal) wantNoSecrets(expected ...string) {
	m.t.Helper()
	secrets := m.secrets()
	if used := len(m.Journal()) > m.Count(mockserver.RouteToken); used && len(secrets) < 4 {
		m.t.Fatalf("the service has seen %d secrets only", len(secrets))
	}
	texts := map[string][]byte{"what the CLI printed": m.transcript.Bytes()}
	err := filepath.WalkDir(m.directory, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() { // the installed provider is a link
			return err
		}
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		texts[file] = content
		return unzip(file, content, texts)
	})
	check.Must(m.t, err)
	for _, file := range expected {
		check.True(m.t, file+" is there to be searched", len(texts[filepath.Join(m.directory, file)]) != 0)
	}
	for name, text := range texts {
		for _, secret := range secrets {
			if at := bytes.Index(text, []byte(secret)); at >= 0 {
				m.t.Errorf("%s holds %q: …%s…", name, secret, text[max(at-200, 0):min(at+100, len(text))])
			}
		}
	}
}

func unzip(file string, content []byte, texts map[string][]byte) error {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if errors.Is(err, zip.ErrFormat) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, member := range archive.File {
		reader, err := member.Open()
		if err != nil {
			return err
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			return err
		}
		texts[filepath.Join(file, member.Name)] = text
	}
	return nil
}

// A token that another provider gets at TF_LOG=TRACE is in nothing that is left
// behind. Fault F27.
func TestAccAccessToken_secrets(t *testing.T) {
	tier.Long(t, "a token in each place it must not be")
	t.Parallel()
	m := newExample(t, "ephemeral-resources/mediagen_access_token", "")
	m.trace()
	for _, file := range []string{"first.plan", "second.plan"} {
		m.run("plan", "-out="+file)
		m.run("apply", file)
	}
	m.WantCount(t, mockserver.RouteCharacters, 2)
	m.wantNoSecrets("terraform.tfstate", "trace.log", "first.plan/tfplan", "second.plan/tfstate")
}

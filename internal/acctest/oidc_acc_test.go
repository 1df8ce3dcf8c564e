package acctest_test

import (
	"bufio"
	"cmp"
	"context"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"go.yaml.in/yaml/v4"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/tier"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
	"github.com/mediagen/terraform-provider-mediagen/internal/repotest"
)

const acceptedRun = "repo:studio/media:environment:production"

// tokenProvider starts the token provider of the examples behind a server, as its comment
// asks for, and returns its address. It accepts proofs for an audience, or for that address,
// of runs for some branches.
func (m *terminal) tokenProvider(audience, refs string) (address string) {
	m.t.Helper()
	m.issuer = acctest.NewIssuer(m.t, time.Now)
	var program atomic.Pointer[url.URL]
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(program.Load())
	}})
	m.t.Cleanup(front.Close)
	address = front.URL + "/mediagen/token"
	program.Store(m.startTokenProvider(cmp.Or(audience, address), refs))
	return address
}

func (m *terminal) startTokenProvider(audience, refs string) *url.URL {
	m.t.Helper()
	program := exec.CommandContext(
		context.WithoutCancel(m.t.Context()),
		filepath.Join(goBuild(m.t, "./examples/ci/token-provider"), "token-provider"),
	)
	program.Env = append(
		os.Environ(),
		"OIDC_ISSUER="+m.issuer.URL,
		"OIDC_AUDIENCE="+audience,
		"OIDC_SUBJECTS=another,"+acceptedRun,
		"OIDC_REFS="+refs,
		"MEDIAGEN_AUTH_URL="+m.Host,
		"MEDIAGEN_API_KEY="+acctest.APIKey,
		"LISTEN=127.0.0.1:0",
	)
	log, err := program.StderrPipe()
	check.Must(m.t, err)
	check.Must(m.t, program.Start())
	m.t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if _, address, found := strings.Cut(lines.Text(), "listening on "); found {
			go func() {
				for lines.Scan() { // a full pipe would stop the program
				}
			}()
			return &url.URL{Scheme: "http", Host: address}
		}
	}
	m.t.Fatal("the token provider has not started")
	return nil
}

func readYAML(t *testing.T, file string, into any) {
	t.Helper()
	check.Must(t, yaml.Unmarshal([]byte(readFile(t, filepath.Join(examples, file))), into))
}

// platforms set the environment and do the CI system's part; they return its
// jobs' commands.
var platforms = map[string]func(t *testing.T, m *terminal, stored *strings.Replacer) (commands []string){
	"GitHub": func(t *testing.T, m *terminal, stored *strings.Replacer) (commands []string) {
		var workflow struct {
			Permissions, Env map[string]string
			Jobs             struct {
				Apply struct{ Steps []githubStep }
			}
		}
		readYAML(t, filepath.Join("ci", "github-oidc.yml"), &workflow)
		for name, value := range workflow.Env {
			m.setenv(name, stored.Replace(value))
		}
		if workflow.Permissions["id-token"] == "write" {
			m.setenv("ACTIONS_ID_TOKEN_REQUEST_URL", m.issuer.URL+"/id-token?api-version=2.0")
			m.setenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN", acctest.RequestToken)
		}
		for _, step := range workflow.Jobs.Apply.Steps {
			if step.Run != "" {
				commands = append(commands, step.Run)
			}
			if step.With.Role != "" {
				m.environment = append(m.environment, credentialsOf(roles[step.With.Role])...)
			}
		}
		return commands
	},
	"GitLab": func(t *testing.T, m *terminal, stored *strings.Replacer) []string {
		var pipeline struct {
			Default struct {
				Before []string `yaml:"before_script"`
			}
			Variables   map[string]string
			Plan, Apply gitlabJob
		}
		readYAML(t, filepath.Join("ci", "gitlab", ".gitlab-ci.yml"), &pipeline)
		for name, value := range pipeline.Variables {
			m.setenv(name, stored.Replace(value))
		}
		for name, token := range pipeline.Apply.Tokens {
			m.setenv(name, m.issuer.Token(stored.Replace(token.Aud)))
		}
		m.setenv("AWS_OIDC_TOKEN", cloudToken)
		m.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", filepath.Join(m.directory, "aws-token"))
		m.environment = append(m.environment, credentialsOf(logRole)...)
		m.write("report.jq", repotest.PolicyFile(t, "report.jq"))
		return slices.Concat(pipeline.Default.Before, pipeline.Plan.Script, pipeline.Apply.Script)
	},
	"HCP Terraform": func(t *testing.T, m *terminal, stored *strings.Replacer) []string {
		content := readFile(t, filepath.Join(examples, "ci", "hcp-terraform", "workspace.env"))
		for line := range strings.Lines(content) {
			name, value, isVariable := strings.Cut(strings.TrimSpace(line), "=")
			if name == "TFC_AWS_RUN_ROLE_ARN" {
				m.environment = append(m.environment, credentialsOf(value)...)
			}
			if tag, asks := strings.CutPrefix(name, "TFC_WORKLOAD_IDENTITY_AUDIENCE"); asks {
				m.setenv("TFC_WORKLOAD_IDENTITY_TOKEN"+tag, m.issuer.Token(value))
			} else if isVariable && !strings.Contains(name, "_URL") && !strings.HasPrefix(name, "#") {
				m.setenv(name, value)
			}
		}
		return []string{"terraform init", "terraform plan -out=mediagen.tfplan", "terraform apply mediagen.tfplan"}
	},
}

// branches are what CI systems call the branch of a run. HCP Terraform has none.
var branches = map[string][]string{
	"GitHub": {"refs/heads/main"},
	"GitLab": {"main"},
}

// claimsOf are those of a run for a protected branch, or for none.
func claimsOf(branch []string) jwt.MapClaims {
	if len(branch) == 0 {
		return jwt.MapClaims{"ref": nil, "ref_protected": nil}
	}
	return jwt.MapClaims{"ref": branch[0], "ref_protected": "true"}
}

// CI systems need no stored secret, with the token provider of the examples.
// Nothing that opens something is in what runs leave behind at TF_LOG=TRACE.
// Fault F27.
func TestAccWithoutSecrets(t *testing.T) {
	tier.Long(t, "tokens exchanged on two hosts")
	tier.OneCLI(t, "how a token is exchanged")
	t.Parallel()
	for name, prepare := range platforms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newTerminal(t, newExampleService(t), filepath.Join(examples, "resources", "mediagen_character"))
			for _, file := range []string{"import-by-identity.tf", "import-by-string-id.tf"} {
				m.remove(file)
			}
			m.write("versions.tf", versions)
			audience := "https://backend.example.com/mediagen/token"
			address := m.tokenProvider(audience, strings.Join(branches[name], ","))
			m.issuer.Claims = claimsOf(branches[name])
			m.installable()
			m.onPath(ciTools(t))
			m.unsetenv("MEDIAGEN_API_KEY")
			m.trace()
			bucket := newCloud(t)
			m.reachable(bucket)
			commands := prepare(t, m, strings.NewReplacer(
				"${{ vars.MEDIAGEN_BASE_URL }}",
				m.URL,
				"${{ vars.MEDIAGEN_TOKEN_PROVIDER_URL }}",
				audience,
				"$MEDIAGEN_TOKEN_PROVIDER_URL",
				audience,
			))
			m.setenv("MEDIAGEN_TOKEN_PROVIDER_URL", address)
			if len(commands) < 3 {
				t.Fatalf("the jobs run %q", commands)
			}
			for _, command := range commands {
				m.shell("sh", "-ec", command)
			}
			check.True(
				t,
				"tokens and reads",
				m.Count(mockserver.RouteToken) >= 2 && m.Count(mockserver.RouteCharacters) != 0,
				m.Story(),
			)

			check.Contains(t, "the purchase log", bucket.lines(), `"type":"log"`)
			bucket.wantObedience()

			before := m.Count("")
			m.fails(
				"There is no OIDC token for the audience",
				"MEDIAGEN_OIDC_AUDIENCE=aws",
				"MEDIAGEN_OIDC_TOKEN="+m.issuer.Token(audience),
			)
			m.fails("There is no OIDC token for the audience", "MEDIAGEN_OIDC_TOKEN="+m.issuer.Token("aws"))
			m.fails("expired at 1970", "MEDIAGEN_OIDC_TOKEN="+m.issuer.Token(audience, jwt.MapClaims{"exp": 1}))
			m.fails(
				"its subject may not have a token",
				"MEDIAGEN_OIDC_TOKEN="+m.issuer.Token(audience, jwt.MapClaims{"sub": acceptedRun + "2"}),
			)
			m.fails("which cannot be read", "MEDIAGEN_OIDC_TOKEN=", "MEDIAGEN_OIDC_TOKEN_FILE_PATH=none/such")
			m.WantCount(t, "", before)
			m.wantNoSecrets("terraform.tfstate", "trace.log", "mediagen.tfplan/tfplan")
		})
	}
}

func (m *terminal) fails(says string, variables ...string) {
	m.t.Helper()
	usual := m.environment
	m.environment = slices.Concat(usual, variables)
	m.refuses([]string{says}, "plan")
	m.environment = usual
}

package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

// audience has what must be escaped in an address.
const audience = "https://tokens.example.com/mediagen?a=b&c d"

// job is one of a CI system: with an issuer, and a token provider that believes
// it.
type job struct {
	scenario
	issuer *acctest.Issuer
	tokens *acctest.TokenProvider
}

func newJob(t *testing.T, change ...func(*mockserver.Options)) job {
	t.Helper()
	b := newScenario(t, change...)
	issuer := acctest.NewIssuer(t, b.Clock.Now)
	j := job{b, issuer, acctest.NewTokenProvider(t, b.Service, issuer, audience)}
	j.setenv(j.environmentOf(""))
	j.setenv(map[string]string{
		"MEDIAGEN_TOKEN_PROVIDER_URL": j.tokens.URL, "MEDIAGEN_USE_OIDC": "true", "MEDIAGEN_OIDC_AUDIENCE": audience,
	})
	return j
}

func (j job) file(token string) string {
	j.T.Helper()
	file := filepath.Join(j.T.TempDir(), "token")
	check.Must(j.T, os.WriteFile(file, []byte(token), 0o600))
	return file
}

func (j job) github(query string) map[string]string {
	return map[string]string{
		"ACTIONS_ID_TOKEN_REQUEST_URL":   j.issuer.URL + "/id-token" + query,
		"ACTIONS_ID_TOKEN_REQUEST_TOKEN": acctest.RequestToken,
	}
}

func (j job) given(environment map[string]string, config core.Object) core.Object {
	j.setenv(environment)
	return config
}

func (j job) atGitHub(environment map[string]string, config core.Object) core.Object {
	j.setenv(j.github("?v=1"))
	return j.given(environment, config)
}

func (j job) wantNothingLeaked(said core.Diagnostics) {
	j.T.Helper()
	secrets := append(j.issuer.Issued(), acctest.RequestToken)
	for _, token := range j.issuer.Issued() {
		secrets = append(secrets, strings.Split(token, ".")[1:]...)
	}
	for _, secret := range secrets {
		check.True(j.T, "no secret in a message", !strings.Contains(said.String(), secret), secret, said)
	}
}

// Each is used if those before it are not set, or do not fit where a CI system
// leaves them.
func TestOIDC_sources(t *testing.T) {
	t.Parallel()
	const ours, theirs = "TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN", "TFC_WORKLOAD_IDENTITY_TOKEN"
	for name, test := range map[string]struct {
		// set sets the sources, and gives the configuration; right is what the
		// right one has.
		set   func(j job, right string) core.Object
		asked int
	}{
		"token": {func(_ job, right string) core.Object { return core.Object{"oidc_token": right} }, 0},
		"token from the environment": {func(j job, right string) core.Object {
			return j.given(map[string]string{"MEDIAGEN_OIDC_TOKEN": right + "\n"}, nil)
		}, 0},
		"token over the environment's": {func(j job, right string) core.Object {
			return j.given(map[string]string{"MEDIAGEN_OIDC_TOKEN": " not a token"}, core.Object{"oidc_token": right})
		}, 0},
		"token before a file": {func(j job, right string) core.Object {
			return core.Object{"oidc_token": right, "oidc_token_file_path": "none/such"}
		}, 0},
		"file": {func(j job, right string) core.Object {
			return core.Object{"oidc_token_file_path": j.file(right + "\n")}
		}, 0},
		"file from the environment": {func(j job, right string) core.Object {
			return j.given(map[string]string{"MEDIAGEN_OIDC_TOKEN_FILE_PATH": j.file(right)}, nil)
		}, 0},
		"file over the environment's": {func(j job, right string) core.Object {
			return j.given(
				map[string]string{"MEDIAGEN_OIDC_TOKEN_FILE_PATH": "none/such"},
				core.Object{"oidc_token_file_path": j.file(right)},
			)
		}, 0},
		"file before what is there for anybody": {func(j job, right string) core.Object {
			return j.atGitHub(
				map[string]string{ours: j.issuer.Token(audience), theirs: j.issuer.Token(audience)},
				core.Object{"oidc_token_file_path": j.file(right)},
			)
		}, 0},
		"HCP Terraform's for us": {func(j job, right string) core.Object {
			return j.atGitHub(map[string]string{ours: right, theirs: j.issuer.Token(audience)}, nil)
		}, 0},
		"HCP Terraform's": {
			func(j job, right string) core.Object { return j.given(map[string]string{theirs: right}, nil) },
			0,
		},
		"HCP Terraform's, the one for us is for others": {func(j job, right string) core.Object {
			return j.given(map[string]string{ours: j.issuer.Token("aws"), theirs: right}, nil)
		}, 0},
		"one of several audiences": {func(j job, _ string) core.Object {
			return j.given(map[string]string{theirs: j.issuer.Token([]string{"aws", audience})}, nil)
		}, 0},
		"without an expiry it is for the token provider to judge": {func(j job, _ string) core.Object {
			j.tokens.Answer = func(w http.ResponseWriter, _ int) bool {
				fmt.Fprintf(w, `{"accessToken": %q}`, j.IssueToken(""))
				return true
			}
			return core.Object{"oidc_token": j.issuer.Token(audience, jwt.MapClaims{"exp": nil})}
		}, 0},
		"GitHub": {func(j job, _ string) core.Object { j.setenv(j.github("")); return nil }, 1},
		"GitHub, with a query": {
			func(j job, _ string) core.Object { j.setenv(j.github("?api-version=2.0")); return nil },
			1,
		},
		"GitHub, others expired": {func(j job, _ string) core.Object {
			return j.atGitHub(map[string]string{ours: j.issuer.Token(audience, jwt.MapClaims{"exp": 1})}, nil)
		}, 1},
		"GitHub, others for somebody else": {func(j job, _ string) core.Object {
			return j.atGitHub(map[string]string{ours: "opaque-token", theirs: j.issuer.Token("aws")}, nil)
		}, 1},
		"all from the configuration": {func(j job, right string) core.Object {
			j.setenv(map[string]string{
				"MEDIAGEN_TOKEN_PROVIDER_URL": "http://127.0.0.1:1",
				"MEDIAGEN_USE_OIDC":           "false",
				"MEDIAGEN_OIDC_AUDIENCE":      "aws",
				"MEDIAGEN_API_KEY":            "wrong",
			})
			return core.Object{"url": j.tokens.URL, "use_oidc": true, "oidc_audience": audience, "oidc_token": right}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			right := j.issuer.Token(audience)
			if config := test.set(j, right); config != nil {
				j.Workspace.Provider(core.Object{"token_provider": config})
			}
			j.works()
			proofs := j.tokens.Proofs()
			asked := j.issuer.Asked()
			if len(proofs) != 1 || len(asked) != test.asked {
				t.Fatalf(
					"%d requests to the token provider and %d to the issuer, want 1 and %d",
					len(proofs),
					len(asked),
					test.asked,
				)
			}
			for _, request := range asked {
				query := request.URL.Query()
				check.True(
					t,
					"what it is asked",
					query.Get("audience") == audience &&
						request.Header.Get("Authorization") == "Bearer "+acctest.RequestToken,
					request.URL,
					request.Header,
				)
			}
			j.wantExchanges("access_token") // none at the service
		})
	}
}

// A proof that may open something else, or cannot be read, is never sent.
// Fault F27.
func TestOIDC_neverSent(t *testing.T) {
	t.Parallel()
	const ours, theirs = "TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN", "TFC_WORKLOAD_IDENTITY_TOKEN"
	for name, test := range map[string]struct {
		set  func(j job) core.Object
		says []string
	}{
		"none": {func(job) core.Object { return nil }, []string{
			"oidc_token (MEDIAGEN_OIDC_TOKEN) is not set", "MEDIAGEN_OIDC_TOKEN_FILE_PATH) is not set",
			ours + " is not set", theirs + " is not set",
			"GitHub (ACTIONS_ID_TOKEN_REQUEST_URL, with the permission id-token: write) is not set",
			`for the audience "https://tokens.example.com/mediagen`,
		}},
		"half of GitHub's": {func(j job) core.Object {
			return j.given(map[string]string{"ACTIONS_ID_TOKEN_REQUEST_URL": j.issuer.URL + "/id-token"}, nil)
		}, []string{"id-token: write) is not set"}},
		"a token for somebody else": {func(j job) core.Object {
			j.setenv(map[string]string{ours: j.issuer.Token(audience)}) // what was set explicitly is meant
			return core.Object{
				"oidc_token":           j.issuer.Token("sts.amazonaws.com"),
				"oidc_token_file_path": j.file(j.issuer.Token(audience)),
			}
		}, []string{
			`oidc_token (MEDIAGEN_OIDC_TOKEN) is for the audience "sts.amazonaws.com", and may open something else`,
		}},
		"a file for somebody else": {func(j job) core.Object {
			j.setenv(map[string]string{ours: j.issuer.Token(audience)})
			return core.Object{"oidc_token_file_path": j.file(j.issuer.Token([]string{"aws", "azure"}))}
		}, []string{`MEDIAGEN_OIDC_TOKEN_FILE_PATH) is for the audience "aws, azure"`}},
		"all for somebody else": {func(j job) core.Object {
			return j.given(map[string]string{ours: j.issuer.Token("aws"), theirs: j.issuer.Token("azure")}, nil)
		}, []string{ours + ` is for the audience "aws"`, theirs + ` is for the audience "azure"`, "oidc_token " +
			"(MEDIAGEN_OIDC_TOKEN) is not set"}},
		"almost the audience": {
			func(j job) core.Object { return core.Object{"oidc_token": j.issuer.Token(audience + "/")} },
			[]string{"may open something else"},
		},
		"no audience": {
			func(j job) core.Object { return core.Object{"oidc_token": j.issuer.Token(nil)} },
			[]string{`is for the audience ""`},
		},
		"an odd one": {
			func(j job) core.Object { return core.Object{"oidc_token": j.issuer.Token(5)} },
			[]string{`is for the audience ""`},
		},
		"no JWT": {
			func(job) core.Object { return core.Object{"oidc_token": "an-opaque-secret"} },
			[]string{"JWT"},
		},
		"almost a JWT": {
			func(j job) core.Object { return core.Object{"oidc_token": j.issuer.Token(audience) + ".x"} },
			[]string{"JWT"},
		},
		"two lines": {func(j job) core.Object {
			return core.Object{"oidc_token_file_path": j.file(j.issuer.Token(audience) + "\nX: y")}
		}, []string{"JWT"}},
		"an empty file": {
			func(j job) core.Object { return core.Object{"oidc_token_file_path": j.file("")} },
			[]string{"JWT"},
		},
		"no file": {
			func(job) core.Object { return core.Object{"oidc_token_file_path": "none/such"} },
			[]string{`names the file "none/such", which cannot be read: ` + check.Refusal(t, "none/such")},
		},
		"a directory": {
			func(job) core.Object { return core.Object{"oidc_token_file_path": "testdata"} },
			[]string{"cannot be read: " + check.Refusal(t, "testdata")},
		},
		"expired": {func(j job) core.Object {
			return core.Object{"oidc_token": j.issuer.Token(audience, jwt.MapClaims{"exp": 1})}
		}, []string{"expired at 1970-01-01T00:00:01Z (a run reads such a value once", "oidc_token_file_path"}},
		"an expired file": {func(j job) core.Object {
			return core.Object{
				"oidc_token_file_path": j.file(j.issuer.Token(audience, jwt.MapClaims{"exp": j.Clock.Now().Unix()})),
			}
		}, []string{"MEDIAGEN_OIDC_TOKEN_FILE_PATH) expired at 20"}},
		"GitHub's for somebody else": {func(j job) core.Object {
			j.setenv(j.github(""))
			j.issuer.Answer = func(w http.ResponseWriter, _ *http.Request) bool {
				fmt.Fprintf(w, `{"value":%q}`, j.issuer.Token("aws"))
				return true
			}
			return nil
		}, []string{`id-token: write) is for the audience "aws"`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			if config := test.set(j); config != nil {
				j.Workspace.Provider(core.Object{"token_provider": config})
			}
			said := j.read()
			for _, says := range append(test.says, "Unable to Obtain Access Token", "There is no OIDC token for the "+
				"audience") {
				j.wantOneError(said, "", says)
			}
			check.True(t, "no token in the error", !strings.Contains(said.String(), "opaque"), said)
			j.wantNothingLeaked(said)
			check.Equal(t, "proofs sent", len(j.tokens.Proofs()), 0)
			j.WantCount(t, "", 0)
		})
	}
}

// Fault F26.
func TestOIDC_badSettings(t *testing.T) {
	t.Parallel()
	on := func(more core.Object) core.Object {
		config := core.Object{"use_oidc": true, "oidc_audience": audience}
		maps.Copy(config, more)
		return config
	}
	for name, test := range map[string]struct {
		config          core.Object
		environment     map[string]string
		attribute, says string
	}{
		"no audience": {
			core.Object{"use_oidc": true},
			nil,
			"token_provider.oidc_audience",
			"MEDIAGEN_OIDC_AUDIENCE",
		},
		"a blank audience": {
			core.Object{"use_oidc": true, "oidc_audience": " "},
			nil,
			"token_provider.oidc_audience",
			"blank",
		},
		"a blank token": {on(core.Object{"oidc_token": ""}), nil, "token_provider.oidc_token", "blank"},
		"a token in a line": {
			on(core.Object{"oidc_token": "s3cret\n"}),
			nil,
			"token_provider.oidc_token",
			"white space",
		},
		"a token in quotes": {
			on(nil), map[string]string{"MEDIAGEN_OIDC_TOKEN": "\"s3cret\"\n"},
			"token_provider.oidc_token", "is in quotes",
		},
		"a token with a scheme": {
			on(core.Object{"oidc_token": "Bearer s3cret"}),
			nil,
			"token_provider.oidc_token",
			`begins with "Bearer"`,
		},
		"a blank file": {
			on(core.Object{"oidc_token_file_path": ""}),
			nil,
			"token_provider.oidc_token_file_path",
			"blank",
		},
		"a file of a shell": {
			on(nil), map[string]string{"MEDIAGEN_OIDC_TOKEN_FILE_PATH": "~/token"},
			"token_provider.oidc_token_file_path", "begins with ~",
		},
		"a file at an address": {
			on(core.Object{"oidc_token_file_path": "file:///var/token"}), nil,
			"token_provider.oidc_token_file_path", "file: address",
		},
		"audience, not on": {
			core.Object{"oidc_audience": audience},
			nil,
			"token_provider.oidc_audience",
			"needs use_oidc",
		},
		"token, not on": {core.Object{"oidc_token": "s3cret"}, nil, "token_provider.oidc_token", "needs use_oidc"},
		"file, not on": {
			core.Object{"oidc_token_file_path": "f"},
			nil,
			"token_provider.oidc_token_file_path",
			"needs use_oidc",
		},
		"neither on nor off": {
			on(core.Object{"use_oidc": nil}), map[string]string{"MEDIAGEN_USE_OIDC": "perhaps"},
			"token_provider.use_oidc", "comes from the environment variable MEDIAGEN_USE_OIDC",
		},
		"two identities": {
			on(core.Object{"headers": core.Object{"authorization": "Bearer s3cret"}}), nil,
			"token_provider.headers", "has authorization, which use_oidc sends too",
		},
		"two identities from the environment": {
			on(nil), map[string]string{"MEDIAGEN_TOKEN_PROVIDER_HEADERS": `{"AUTHORIZATION":"s3cret"}`},
			"token_provider.headers", "MEDIAGEN_TOKEN_PROVIDER_HEADERS",
		},
		"an issuer in clear": {
			on(nil),
			map[string]string{
				"ACTIONS_ID_TOKEN_REQUEST_URL":   "http://ci.example.com/id",
				"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "s3cret",
			},
			"token_provider.use_oidc", "comes from the environment variable ACTIONS_ID_TOKEN_REQUEST_URL",
		},
		"an issuer nowhere": {
			on(nil),
			map[string]string{
				"ACTIONS_ID_TOKEN_REQUEST_URL":   "ci.example.com",
				"ACTIONS_ID_TOKEN_REQUEST_TOKEN": "s3cret",
			},
			"token_provider.use_oidc", "has no https://",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			j.setenv(map[string]string{"MEDIAGEN_USE_OIDC": "", "MEDIAGEN_OIDC_AUDIENCE": ""})
			j.setenv(test.environment)
			j.Workspace.Provider(core.Object{"token_provider": test.config})
			said := j.read()
			j.wantOneError(said, test.attribute, test.says)
			check.True(t, "no secret in the error", !strings.Contains(said.String(), "s3cret"), said)
			check.True(t, "nothing is sent", len(j.tokens.Proofs())+len(j.issuer.Asked()) == 0)
			j.WantCount(t, "", 0)
		})
	}
}

// Switched off, or beside another credential, nothing of it has an effect.
func TestOIDC_off(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment map[string]string
		config      core.Object
	}{
		"by the configuration": {nil, core.Object{"use_oidc": false, "oidc_token": "opaque"}},
		"by the environment": {
			map[string]string{"MEDIAGEN_USE_OIDC": "false"},
			core.Object{"oidc_token": "opaque", "oidc_audience": "a"},
		},
		"not switched on": {
			map[string]string{"MEDIAGEN_USE_OIDC": "", "MEDIAGEN_OIDC_TOKEN": "opaque\n"},
			core.Object{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			j.setenv(test.environment)
			config := core.Object{
				"url":     j.Host + "/token-provider",
				"headers": core.Object{"X-Mock-User": "alice", "Authorization": "Basic 0123456789"},
			}
			maps.Copy(config, test.config)
			j.Workspace.Provider(core.Object{"token_provider": config})
			j.works()
			check.Equal(
				t,
				"the token provider sent",
				j.Requests(mockserver.RouteTokenProvider)[0].Header.Get("Authorization"),
				"Basic 0123456789",
			)
		})
	}
	j := newJob(t)
	j.setenv(map[string]string{"MEDIAGEN_USE_OIDC": "perhaps", "MEDIAGEN_OIDC_TOKEN": "opaque\n"})
	j.Workspace.Provider(core.Object{"api_key": acctest.APIKey})
	j.works()
}

func (j job) trains() core.Diagnostics {
	j.T.Helper()
	j.SetCharacter("ch_1", func(seed *mockserver.CharacterSeed) { seed.CanTrain = new(true) })
	j.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "ch_1"})
	return j.Apply().Diagnostics
}

func shortTokens(o *mockserver.Options) { o.TokenLifetime = 5 * time.Minute }

// Each renewal of the service's token has a new proof, where there can be one.
// Fault F1.
func TestOIDC_renewals(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(j job){
		"file": func(j job) {
			file := j.file(j.issuer.Token(audience))
			j.setenv(map[string]string{"MEDIAGEN_OIDC_TOKEN_FILE_PATH": file})
			j.tokens.Answer = func(http.ResponseWriter, int) bool { // the CI system writes the next one
				next := j.issuer.Token(audience, jwt.MapClaims{"exp": j.Clock.Now().Add(8 * time.Minute).Unix()})
				check.NoError(t, os.WriteFile(file, []byte(next), 0o600))
				return false
			}
		},
		"GitHub": func(j job) { j.setenv(j.github("?v=1")) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t, shortTokens)
			set(j)
			check.Equal(t, "the apply says", j.trains().String(), "")
			proofs := map[string]bool{}
			for _, proof := range j.tokens.Proofs() {
				proofs[proof] = true
			}
			sent := len(j.tokens.Proofs())
			check.True(t, "different proofs", sent >= 5 && len(proofs) == sent, len(proofs), sent)
			j.WantCount(t, mockserver.RouteStartTraining, 1)
		})
	}
}

// A variable is sent again as long as it may be. Then the wait for what was
// bought ends with a warning that says so, and the next run resumes it.
// Fault F1.
func TestOIDC_variableThatExpires(t *testing.T) {
	t.Parallel()
	j := newJob(t, shortTokens)
	expiry := j.Clock.Now().Add(12 * time.Minute)
	j.setenv(
		map[string]string{
			"TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN": j.issuer.Token(audience, jwt.MapClaims{"exp": expiry.Unix()}),
		},
	)
	said := j.trains()
	for _, says := range []string{
		"TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN expired at " + expiry.UTC().Format(time.RFC3339),
		"it must outlive the run",
		"oidc_token_file_path",
	} {
		check.True(t, "a warning that says", !said.HasErrors() && strings.Contains(said.String(), says), says, said)
	}
	j.wantNothingLeaked(said)
	check.True(
		t,
		"proofs sent, and the id",
		len(j.tokens.Proofs()) >= 3 && j.Value("mediagen_body_lora_training.t", "id") != nil,
		j.tokens.Proofs(),
	)
	j.setenv(
		map[string]string{
			"TFC_WORKLOAD_IDENTITY_TOKEN_MEDIAGEN": j.issuer.Token(
				audience,
				jwt.MapClaims{"exp": expiry.Add(time.Hour).Unix()},
			),
		},
	)
	j.Apply().Must()
	j.Plan().Must().WantEmpty()
	j.WantCount(t, mockserver.RouteStartTraining, 1)
}

// A rejected identity is told and not repeated; a fault is retried, with a new
// proof.
func TestOIDC_tokenProviderThatRefuses(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	j.setenv(j.github(""))
	j.tokens.Answer = func(w http.ResponseWriter, n int) bool {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"the run may not have a token: %s"}`, j.tokens.Proofs()[n-1])
		return true
	}
	said := j.read()
	j.wantOneError(said, "", "Rejected by the Token Provider (401)")
	j.wantOneError(said, "", "The run may not have a token: [redacted]")
	j.wantNothingLeaked(said)
	check.Equal(t, "requests to the token provider", len(j.tokens.Proofs()), 1)

	j.tokens.Answer = func(w http.ResponseWriter, n int) bool {
		if n <= 3 {
			w.WriteHeader(http.StatusInternalServerError)
		}
		return n <= 3
	}
	j.works()
	proofs := j.tokens.Proofs()
	check.True(
		t,
		"proofs sent, and asked for",
		len(proofs) == 4 && proofs[2] != proofs[3] && len(j.issuer.Asked()) == 4,
		len(proofs),
		len(j.issuer.Asked()),
	)
}

// The request for an identity is retried like one for a token, and its token goes
// nowhere else. What GitHub answers is told as GitHub's.
func TestOIDC_gitHubThatFails(t *testing.T) {
	t.Parallel()
	stranger := acctest.NewIssuer(t, time.Now)
	for name, test := range map[string]struct {
		status, times int
		says          string
		asked         int
	}{
		"a passing fault": {503, 2, "", 3},
		"a limit":         {429, 2, "", 3},
		"down":            {503, 100, "503 Service Unavailable, GET http://127.0.0.1:", 5},
		"forbidden":       {403, 100, "(403 Forbidden, GET ", 1},
		"unauthorized":    {401, 100, "(401 Unauthorized, GET ", 1},
		"redirected":      {307, 100, "/id-token was not followed", 1},
		"no value":        {200, 100, "the reply has no value", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJob(t)
			j.setenv(j.github("?secret-of-the-address=0123456789"))
			j.issuer.Answer = func(w http.ResponseWriter, r *http.Request) bool {
				if len(j.issuer.Asked()) > test.times {
					return false
				}
				w.Header().Set("Location", stranger.URL+"/id-token")
				w.WriteHeader(test.status)
				fmt.Fprintf(w, `{"message":"said with %s"}`, r.Header.Get("Authorization"))
				return true
			}
			if test.says == "" {
				j.works()
			} else {
				said := j.read()
				j.wantOneError(said, "", "Unable to Obtain Access Token")
				j.wantOneError(said, "", test.says)
				j.wantNothingLeaked(said)
				check.True(
					t,
					"no secret, and no proofs",
					!strings.Contains(said.String(), "secret-of-the-address") && len(j.tokens.Proofs()) == 0,
					len(j.tokens.Proofs()),
					said,
				)
			}
			check.True(
				t,
				"asked, and asked elsewhere",
				len(j.issuer.Asked()) == test.asked && len(stranger.Asked()) == 0,
				len(j.issuer.Asked()),
				len(stranger.Asked()),
			)
		})
	}
}

// Proofs differ in every run, the caller does not: what one has seen is gone
// for the next. Fault F13.
func TestOIDC_everyRunIsTheSameCaller(t *testing.T) {
	t.Parallel()
	j := newJob(t)
	j.setenv(j.github(""))
	group := j.group(1)
	delete(group, "character_id") // whose organization would say who asks
	j.Resource("mediagen_generation_group.g", group)
	j.Apply().Must()
	j.Plan().Must().WantEmpty()
	id, _ := j.Value("mediagen_generation_group.g", `generations["p0"].id`).(string)
	j.DeleteGenerationBehindTheBack(id)
	j.WantWarning(j.Plan().Must().Diagnostics, "Generation Group Is Gone")
	proofs := j.tokens.Proofs()
	check.True(t, "runs", len(proofs) >= 3 && proofs[0] != proofs[len(proofs)-1], len(proofs))
}

package provider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var alice = core.Object{"X-Mock-User": mockserver.User}

func (b scenario) credentials() map[string]core.Object {
	return map[string]core.Object{
		"api_key":        {"api_key": acctest.APIKey},
		"access_token":   {"access_token": b.IssueToken("")},
		"token_provider": {"token_provider": core.Object{"url": b.Host + "/token-provider", "headers": alice}},
	}
}

// exchanges are the requests for a token that each way costs.
var exchanges = map[string]map[string]int{
	"api_key":        {mockserver.RouteToken: 1, mockserver.RouteTokenProvider: 0},
	"access_token":   {mockserver.RouteToken: 0, mockserver.RouteTokenProvider: 0},
	"token_provider": {mockserver.RouteToken: 0, mockserver.RouteTokenProvider: 1},
}

func (b scenario) environmentOf(credential string) map[string]string {
	all := map[string]string{
		"MEDIAGEN_API_KEY":                "",
		"MEDIAGEN_ACCESS_TOKEN":           "",
		"MEDIAGEN_TOKEN_PROVIDER_URL":     "",
		"MEDIAGEN_TOKEN_PROVIDER_HEADERS": "",
	}
	switch credential {
	case "api_key":
		all["MEDIAGEN_API_KEY"] = acctest.APIKey
	case "access_token":
		all["MEDIAGEN_ACCESS_TOKEN"] = b.IssueToken("")
	case "token_provider":
		all["MEDIAGEN_TOKEN_PROVIDER_URL"] = b.Host + "/token-provider"
		all["MEDIAGEN_TOKEN_PROVIDER_HEADERS"] = `{"X-Mock-User": "` + mockserver.User + `"}`
	}
	return all
}

func (b scenario) wantExchanges(credential string) {
	b.T.Helper()
	for route, want := range exchanges[credential] {
		b.WantCount(b.T, route, want)
	}
}

func TestProvider_eachCredential(t *testing.T) {
	t.Parallel()
	for credential := range exchanges {
		t.Run(credential, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.setenv(b.environmentOf(credential))
			b.works()
			b.wantExchanges(credential)

			// One in the configuration silences those of the environment, even
			// wrong ones.
			b.ResetJournal()
			b.setenv(map[string]string{
				"MEDIAGEN_API_KEY":            "wrong\nkey",
				"MEDIAGEN_ACCESS_TOKEN":       "wrong",
				"MEDIAGEN_TOKEN_PROVIDER_URL": "wrong",
			})
			b.Workspace.Provider(b.credentials()[credential])
			b.works()
			b.wantExchanges(credential)
		})
	}
}

func TestProvider_tokenProviderInHalves(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		inConfiguration string
		environment     []string
	}{
		"address from the environment": {"headers", []string{"MEDIAGEN_TOKEN_PROVIDER_URL"}},
		"headers from the environment": {"url", []string{"MEDIAGEN_TOKEN_PROVIDER_HEADERS"}},
		"both from the environment": {
			"",
			[]string{"MEDIAGEN_TOKEN_PROVIDER_URL", "MEDIAGEN_TOKEN_PROVIDER_HEADERS"},
		},
		"the configuration's headers":   {"headers", []string{"MEDIAGEN_TOKEN_PROVIDER_URL", "wrong headers"}},
		"the configuration's address":   {"url", []string{"wrong address", "MEDIAGEN_TOKEN_PROVIDER_HEADERS"}},
		"beside a key that is silenced": {"headers", []string{"MEDIAGEN_TOKEN_PROVIDER_URL", "MEDIAGEN_API_KEY"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			right := b.environmentOf("token_provider")
			right["MEDIAGEN_API_KEY"] = acctest.APIKey
			b.setenv(b.environmentOf(""))
			for _, variable := range test.environment {
				switch variable {
				case "wrong headers":
					b.setenv(map[string]string{"MEDIAGEN_TOKEN_PROVIDER_HEADERS": `{"X-Mock-User": "mallory"}`})
				case "wrong address":
					b.setenv(map[string]string{"MEDIAGEN_TOKEN_PROVIDER_URL": b.Host + "/nowhere"})
				default:
					b.setenv(map[string]string{variable: right[variable]})
				}
			}
			whole, _ := b.credentials()["token_provider"]["token_provider"].(core.Object)
			part := core.Object{"use_oidc": false} // an object without anything in it is refused
			if test.inConfiguration != "" {
				part[test.inConfiguration] = whole[test.inConfiguration]
			}
			b.Workspace.Provider(core.Object{"token_provider": part})
			b.works()
			b.wantExchanges("token_provider")
		})
	}
}

func TestProvider_twoCredentials(t *testing.T) {
	t.Parallel()
	pairs := [][2]string{{"api_key", "access_token"}, {"api_key", "token_provider"}, {"access_token", "token_provider"}}
	for _, pair := range pairs {
		t.Run(pair[0]+" and "+pair[1], func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			one := b.credentials()[pair[0]]
			other := b.credentials()[pair[1]]
			b.Workspace.Provider(core.Object{pair[0]: one[pair[0]], pair[1]: other[pair[1]]})
			b.refuses(pair[0], "cannot be specified when")

			b.Workspace.Provider(core.Object{})
			b.setenv(b.environmentOf(pair[0]))
			for variable, value := range b.environmentOf(pair[1]) {
				if value != "" {
					b.setenv(map[string]string{variable: value})
				}
			}
			variable := map[string]string{
				"api_key":        "MEDIAGEN_API_KEY",
				"access_token":   "MEDIAGEN_ACCESS_TOKEN",
				"token_provider": "MEDIAGEN_TOKEN_PROVIDER_URL",
			}
			b.refuses("", variable[pair[0]]+" and "+variable[pair[1]])
		})
	}
}

func TestProvider_badCredentials(t *testing.T) {
	t.Parallel()
	for value, says := range map[string]string{
		"":                    "blank",
		" \t":                 "blank",
		"s3cret\n":            "white space",
		" s3cret":             "white space",
		"s3\r\ncret":          "control characters",
		"s3\u0000cret":        "control characters",
		"s3\u007fcret":        "control characters",
		"Bearer s3cret":       `begins with "Bearer"`,
		"bearer\ts3cret":      `begins with "Bearer"`,
		"\ufeffs3cret":        "byte order mark",
		"s3cret\ufeff":        "byte order mark",
		"\ufeffBearer s3cret": "byte order mark",
		`"s3cret"`:            "is in quotes",
		"'s3cret'":            "is in quotes",
		"`s3cret`":            "is in quotes",
		"\u201cs3cret\u201d":  "is in quotes",
		`"Bearer s3cret"`:     "is in quotes",
	} {
		for _, attribute := range []string{"api_key", "access_token"} {
			b := newScenario(t)
			b.Workspace.Provider(core.Object{attribute: value})
			diagnostics := b.read()
			b.wantOneError(diagnostics, attribute, says)
			if value != "" { // an empty variable counts as not set
				b.Workspace.Provider(core.Object{})
				b.setenv(b.environmentOf(""))
				b.setenv(map[string]string{"MEDIAGEN_" + strings.ToUpper(attribute): value})
				fromEnvironment := b.read()
				b.wantOneError(fromEnvironment, attribute, says)
				diagnostics = append(diagnostics, fromEnvironment...)
			}
			check.True(t, "no credential in the error", !strings.Contains(diagnostics.String(), "cret"), diagnostics)
			b.WantCount(t, "", 0)
		}
	}
}

func (b scenario) existing() {
	b.Resource("mediagen_character.c", core.Object{"id": "ch_1"})
	b.Resource("mediagen_body_lora_training.t", core.Object{"character_id": "ch_1", "wait_for_completion": false})
	b.Resource("mediagen_generation_group.g", b.group(1))
	b.SetCharacter("ch_1", func(seed *mockserver.CharacterSeed) { seed.CanTrain = new(true) })
	b.Apply().Must()
	b.ResetJournal()
}

// What is missing is told once, whatever there is to read.
func TestProvider_withoutCredential(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.existing()
	b.setenv(b.environmentOf(""))
	check.Equal(t, "validate", b.Validate().String(), "")
	for _, options := range [][]core.PlanOption{nil, {core.Refresh(false)}, {core.Destroying()}} {
		b.WantError(b.Plan(options...).Diagnostics, "Missing Credential", "MEDIAGEN_API_KEY", "token_provider")
	}
	b.WantCount(t, "", 0)
}

// What is set of a token provider without an address is named, and what is
// missing.
func TestProvider_halfOfACredential(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.setenv(b.environmentOf(""))
	b.setenv(map[string]string{"MEDIAGEN_USE_OIDC": "true", "MEDIAGEN_OIDC_AUDIENCE": "mediagen"})
	b.Resource("mediagen_generation_group.g", b.group(1))
	b.WantError(
		b.Plan().Diagnostics,
		"Missing Credential",
		"MEDIAGEN_TOKEN_PROVIDER_URL is missing, and MEDIAGEN_USE_OIDC and MEDIAGEN_OIDC_AUDIENCE configure a token "+
			"provider.",
	)
	b.WantCount(t, "", 0)
}

// Without the service, what needs no refresh can be planned, whatever else the environment
// has: a project's variables may win over a job's, which can then unset none.
func TestProvider_offline(t *testing.T) {
	t.Parallel()
	for _, besides := range []string{"", "api_key", "token_provider"} {
		t.Run(besides, func(t *testing.T) {
			t.Parallel()
			wantPlansOffline(t, besides)
		})
	}
}

func wantPlansOffline(t *testing.T, besides string) {
	t.Helper()
	b := newScenario(t)
	b.existing()
	b.setenv(b.environmentOf(besides))
	b.setenv(map[string]string{"MEDIAGEN_USE_OIDC": "true"})
	b.setenv(map[string]string{"MEDIAGEN_ACCESS_TOKEN": "offline", "MEDIAGEN_BASE_URL": "http://127.0.0.1:1/v2"})
	b.Plan(core.Refresh(false)).Must().WantEmpty()
	b.Plan(core.Refresh(false), core.Destroying()).Must()
	b.Resource("mediagen_generation_group.g", b.group(2))
	b.Plan(core.Refresh(false)).Must()
	b.WantCount(t, "", 0)
}

// What has to ask the service says that it needs a credential, and asks nothing: no service
// has rejected anything.
func TestProvider_offlineAsksNothing(t *testing.T) {
	t.Parallel()
	const says = "This Needs a Credential"
	b := newScenario(t)
	b.existing()
	b.setenv(b.environmentOf(""))
	b.setenv(map[string]string{"MEDIAGEN_ACCESS_TOKEN": "offline"})
	b.WantError(b.read(), says)
	for _, object := range []string{`character "ch_1"`, `training "job_000001"`, `group "grp_000001"`} {
		b.WantMessage(b.Plan().Diagnostics.Errors(), "", object)
	}
	b.Resource("mediagen_generation_group.g", b.group(2))
	b.WantError(b.Apply(core.Refresh(false)).Diagnostics, says, "Submit Generation Batch", "it was not sent")
	b.Resource("mediagen_character.new", core.Object{"id": "ada"})
	b.WantError(b.Import("mediagen_character.new", "ada").Diagnostics, says, "Object: character \"ada\"")
	b.WantCount(t, "", 0)
}

// What is rejected is named, and asked for once.
func TestProvider_rejectedCredentials(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config   func(scenario) core.Object
		requests int
		says     []string
	}{
		"api_key": {
			func(scenario) core.Object { return core.Object{"api_key": "wrong-secret"} },
			1, []string{"401", "The API key is not valid", "api_key"},
		},
		"access_token": {
			func(scenario) core.Object { return core.Object{"access_token": "wrong-secret"} },
			1, []string{"401", "The access token is not valid", "did not accept the provider's access_token"},
		},
		"token_provider": {
			func(b scenario) core.Object {
				headers := core.Object{"X-Mock-User": "wrong-secret"}
				return core.Object{"token_provider": core.Object{"url": b.Host + "/token-provider", "headers": headers}}
			},
			1, []string{"401", "The user is not logged in", "The token provider"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.Workspace.Provider(test.config(b))
			diagnostics := b.read()
			for _, says := range test.says {
				b.wantOneError(diagnostics, "", says)
			}
			check.True(
				t,
				"no credential in the error",
				!strings.Contains(diagnostics.String(), "wrong-secret"),
				diagnostics,
			)
			b.WantCount(t, "", test.requests)
		})
	}
}

func TestProvider_tokenProviderThatFails(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.Workspace.Provider(b.credentials()["token_provider"])
	b.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteTokenProvider,
			Times:  2,
			Status: http.StatusInternalServerError,
			Body:   `{"error": "token generation failed"}`,
		},
	)
	b.works()
	b.WantCount(t, mockserver.RouteTokenProvider, 3)

	b.ClearFaults()
	b.ResetJournal()
	b.Fault(
		mockserver.Fault{
			Route:  mockserver.RouteTokenProvider,
			Status: http.StatusInternalServerError,
			Body:   `{"error": "token generation failed"}`,
		},
	)
	b.wantOneError(b.read(), "", "Token generation failed")
	b.WantCount(t, mockserver.RouteTokenProvider, 5)
	b.WantCount(t, mockserver.RouteCharacters, 0)
}

// The query of the token provider's address is its owner's; the request is a
// POST without body.
func TestProvider_tokenProviderWithQuery(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		check.True(
			t,
			"the request",
			r.Method == http.MethodPost && r.URL.String() == "/token?team=media" && r.ContentLength == 0 &&
				r.Header.Get("Content-Type") == "",
			r.Method,
			r.URL,
			r.ContentLength,
			r.Header.Get("Content-Type"),
		)
		check.True(
			t,
			"no credential of the service for the token provider",
			r.Header.Get("apikey") == "" && r.Header.Get("Authorization") == "",
		)
		fmt.Fprintf(w, `{"accessToken": %q}`, b.IssueToken(""))
	}))
	t.Cleanup(backend.Close)
	b.setenv(map[string]string{"MEDIAGEN_API_KEY": ""})
	b.Workspace.Provider(core.Object{"token_provider": core.Object{"url": backend.URL + "/token?team=media"}})
	b.works()
}

package provider_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
	"github.com/mediagen/terraform-provider-mediagen/internal/mockserver"
)

var badAddresses = map[string]string{
	"api.example.com/v2":                      "has no https://",
	"//api.example.com/v2":                    "has no https://",
	"/v2":                                     "has no https://",
	"file:///etc/passwd":                      "start with https://",
	"ftp://api.example.com/v2":                "start with https://",
	"127.0.0.1:8780/v2":                       "has no https://",
	"localhost:8780/v2":                       "has no https://",
	"user:secret@api.example.com/v2":          "has no https://",
	"javascript:alert(1)":                     "has no https://",
	"https:///v2":                             "names no host",
	"https://:443/v2":                         "names no host",
	"https://user:secret@api.example.com/v2":  "password",
	"https://secret@api.example.com/v2":       "password",
	"https://api.example.com/v2#fragment":     "fragment",
	"https://api.example.com/v2#":             "fragment",
	"https://api.example.com/v2\n":            "cannot be read",
	"https://api.example.com:port/v2":         "cannot be read",
	"https://[::1/v2":                         "cannot be read",
	"https://api.example.com/%zz/v2":          "cannot be read",
	" https://api.example.com/v2":             "cannot be read",
	"https://api.example.com/\u0000/v2":       "cannot be read",
	"http://api.example.com/v2":               "would send credentials",
	"http://10.0.0.1/v2":                      "would send credentials",
	"http://localhost.example.com/v2":         "would send credentials",
	"http://[2001:db8::1]/v2":                 "would send credentials",
	"https://user:secret@api.example.com/v2 ": "password",
}

// badPlainAddresses are wrong where no query is allowed.
var badPlainAddresses = map[string]string{
	"https://api.example.com/v2?key=secret": "query",
	"https://api.example.com/v2?":           "query",
}

// badBaseAddresses are wrong for base_url alone.
var badBaseAddresses = map[string]string{
	"https://api.example.com":         "service's version",
	"https://api.example.com/":        "service's version",
	"https://api.example.com/v":       "service's version",
	"https://api.example.com/v2beta":  "service's version",
	"https://api.example.com/v2/chat": "service's version",
	"https://api.example.com/v2/v2":   "version twice",
	"https://api.example.com/v2//v2":  "version twice",
	"https://api.example.com/v1/v2/":  "version twice",
}

// Fault F26.
func TestProvider_badAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		attribute, variable string
		config              func(address string) core.Object
		bad                 []map[string]string
	}{
		{
			"base_url", "MEDIAGEN_BASE_URL",
			func(address string) core.Object { return core.Object{"base_url": address} },
			[]map[string]string{badAddresses, badPlainAddresses, badBaseAddresses},
		},
		{
			"auth_url", "MEDIAGEN_AUTH_URL",
			func(address string) core.Object { return core.Object{"auth_url": address} },
			[]map[string]string{badAddresses, badPlainAddresses},
		},
		{
			"token_provider.url", "MEDIAGEN_TOKEN_PROVIDER_URL",
			func(address string) core.Object {
				return core.Object{"token_provider": core.Object{"url": address}}
			},
			[]map[string]string{badAddresses},
		},
	} {
		for _, table := range test.bad {
			for address, says := range table {
				t.Run(test.attribute+" "+address, func(t *testing.T) {
					t.Parallel()
					b := newScenario(t)
					b.Workspace.Provider(test.config(address))
					diagnostics := b.read()
					b.wantOneError(diagnostics, test.attribute, says)
					check.True(
						t,
						"no secret in the error",
						!strings.Contains(diagnostics.String(), "secret"),
						diagnostics,
					)
					b.Workspace.Provider(core.Object{})
					b.setenv(
						map[string]string{
							"MEDIAGEN_API_KEY":            "",
							"MEDIAGEN_TOKEN_PROVIDER_URL": b.Host + "/token-provider",
						},
					)
					b.setenv(map[string]string{test.variable: address})
					diagnostics = b.read()
					b.wantOneError(diagnostics, test.attribute, says)
					b.wantOneError(diagnostics, test.attribute, test.variable)
					b.WantCount(t, "", 0)
				})
			}
		}
	}
}

func TestProvider_missingAddress(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	b.setenv(map[string]string{"MEDIAGEN_BASE_URL": ""})
	b.refuses("base_url", "MEDIAGEN_BASE_URL")
	b.Workspace.Provider(core.Object{"base_url": ""})
	b.refuses("base_url", "has no https://")
	b.Workspace.Provider(core.Object{"base_url": b.URL, "token_provider": core.Object{"use_oidc": false}})
	b.refuses("token_provider.url", "MEDIAGEN_TOKEN_PROVIDER_URL")
}

func TestProvider_toleratedAddresses(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"/", "//"} {
		b := newScenario(t)
		b.Workspace.Provider(core.Object{"base_url": b.URL + suffix, "auth_url": b.Host + suffix})
		b.works()
	}
	// The other names of loopback, which the test cannot listen on everywhere.
	for _, host := range []string{"localhost", "LOCALHOST", "[::1]", "127.0.0.2", "[::ffff:127.0.0.1]"} {
		b := newScenario(t)
		b.Workspace.Provider(
			core.Object{"base_url": "http://" + host + ":1/v2", "max_retries": int64(0), "api_key": acctest.APIKey},
		)
		diagnostics := b.read()
		check.True(t, host+" is loopback", len(diagnostics.At("base_url")) == 0, diagnostics)
	}
}

func TestProvider_baseWithoutVersionNeedsAuthURL(t *testing.T) {
	t.Parallel()
	b := newScenario(t)
	// A gateway that serves the interface under another path.
	gateway := httptest.NewServer(
		http.StripPrefix("/media-service", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL.Path = "/v2" + r.URL.Path
			b.ServeHTTP(w, r)
		})),
	)
	t.Cleanup(gateway.Close)
	b.Workspace.Provider(core.Object{"base_url": gateway.URL + "/media-service"})
	b.refuses("base_url", "needs auth_url too")
	b.Workspace.Provider(
		core.Object{"base_url": gateway.URL + "/media-service", "auth_url": b.Host, "api_key": acctest.APIKey},
	)
	b.works()
	b.WantCount(t, mockserver.RouteToken, 1)

	// An access token is not exchanged, wherever it comes from.
	b.ResetJournal()
	b.Workspace.Provider(core.Object{"base_url": gateway.URL + "/media-service", "access_token": b.IssueToken("")})
	b.works()
	b.Workspace.Provider(core.Object{"base_url": gateway.URL + "/media-service"})
	b.setenv(
		map[string]string{
			"MEDIAGEN_BASE_URL":     gateway.URL,
			"MEDIAGEN_API_KEY":      "",
			"MEDIAGEN_ACCESS_TOKEN": b.IssueToken(""),
		},
	)
	b.works()
	b.WantCount(t, mockserver.RouteToken, 0)
}

func TestProvider_insecureHTTP(t *testing.T) {
	t.Parallel()
	// Nobody answers there: the address is refused or tried, never found.
	const host = "http://mediagen.invalid"
	for name, test := range map[string]struct {
		config      core.Object
		environment map[string]string
		warned      []string
	}{
		"configuration": {
			core.Object{"base_url": host + "/v2", "allow_insecure_http": true, "api_key": "of-the-block"},
			nil,
			[]string{"base_url"},
		},
		"environment": {
			nil,
			map[string]string{"MEDIAGEN_BASE_URL": host + "/v2", "MEDIAGEN_ALLOW_INSECURE_HTTP": "1"},
			[]string{"base_url"},
		},
		"every address": {
			core.Object{
				"base_url": host + "/v2", "auth_url": host, "allow_insecure_http": true,
				"token_provider": core.Object{"url": host + "/token"},
			}, nil, []string{"base_url", "auth_url", "token_provider.url"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			b.setenv(test.environment)
			b.Workspace.Provider(test.config)
			b.Resource("mediagen_character.c", core.Object{"id": "ch_1"})
			plan := b.Plan()
			b.WantError(plan.Diagnostics, "Unreachable", "mediagen.invalid")
			check.True(t, "warnings", len(plan.Warnings()) == len(test.warned), test.warned, plan)
			for _, attribute := range test.warned {
				warnings := plan.Warnings().At(attribute)
				check.True(
					t,
					"a warning on the attribute",
					len(warnings) == 1 && warnings[0].Summary == "Insecure Address",
					attribute,
					plan,
				)
			}
		})
	}
	b := newScenario(t)
	b.Workspace.Provider(core.Object{"base_url": host + "/v2", "allow_insecure_http": false})
	b.setenv(map[string]string{"MEDIAGEN_ALLOW_INSECURE_HTTP": "true"})
	b.refuses("base_url", "would send credentials")
}

package provider_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/mediagen/terraform-provider-mediagen/internal/acctest"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/check"
	"github.com/mediagen/terraform-provider-mediagen/internal/acctest/core"
)

// Who may change a configuration that somebody else plans, as in a pull request,
// must not get the credential of that person's environment by another address.
// Fault F32.
func TestProvider_credentialIsPinned(t *testing.T) {
	t.Parallel()
	environment := func(credential, authURL string) func(scenario) map[string]string {
		return func(b scenario) map[string]string {
			named := b.environmentOf(credential)
			named["MEDIAGEN_AUTH_URL"] = authURL
			return named
		}
	}
	open := func(b scenario) map[string]string {
		return map[string]string{"MEDIAGEN_API_KEY": "", "MEDIAGEN_TOKEN_PROVIDER_URL": b.Host + "/token-provider"}
	}
	identity := func(scenario) map[string]string {
		return map[string]string{
			"MEDIAGEN_OIDC_TOKEN":    "header.payload.signature",
			"MEDIAGEN_OIDC_AUDIENCE": "mediagen",
		}
	}
	elsewhere := func(other *acctest.Service) core.Object { return core.Object{"base_url": other.URL} }
	authElsewhere := func(other *acctest.Service) core.Object { return core.Object{"auth_url": other.Host} }
	bothElsewhere := func(other *acctest.Service) core.Object {
		return core.Object{"base_url": other.URL, "auth_url": other.Host}
	}
	tokens := func(other *acctest.Service) core.Object {
		return core.Object{"token_provider": core.Object{"url": other.Host + "/token-provider"}}
	}
	identified := func(other *acctest.Service) core.Object {
		return core.Object{"token_provider": core.Object{"url": other.Host + "/token-provider", "use_oidc": true}}
	}
	ownToken := func(other *acctest.Service) core.Object {
		return core.Object{"token_provider": core.Object{
			"url": other.Host + "/token-provider", "use_oidc": true, "oidc_audience": "mediagen",
			"oidc_token": "header.payload.signature",
		}}
	}
	ownFile := func(other *acctest.Service) core.Object {
		return core.Object{"token_provider": core.Object{
			"url": other.Host + "/token-provider", "use_oidc": true, "oidc_audience": "mediagen",
			"oidc_token_file_path": "testdata/face.png",
		}}
	}
	headersElsewhere := func(headers core.Object) func(other *acctest.Service) core.Object {
		return func(other *acctest.Service) core.Object {
			return core.Object{"base_url": other.URL, "token_provider": core.Object{"headers": headers}}
		}
	}
	ownTokenElsewhere := func(other *acctest.Service) core.Object {
		return core.Object{"base_url": other.URL, "token_provider": core.Object{
			"use_oidc": true, "oidc_audience": "mediagen", "oidc_token": "header.payload.signature",
		}}
	}
	for name, test := range map[string]struct {
		// environment and config are made of the service that the environment
		// trusts, and another.
		environment func(trusted scenario) map[string]string
		config      func(other *acctest.Service) core.Object
		attribute   string
	}{
		"key, another service":                 {environment("api_key", ""), elsewhere, "base_url"},
		"key, another authentication service":  {environment("api_key", ""), authElsewhere, "auth_url"},
		"token":                                {environment("access_token", ""), elsewhere, "base_url"},
		"headers":                              {environment("token_provider", ""), tokens, "token_provider.url"},
		"token of an open provider":            {open, elsewhere, "base_url"},
		"workload identity":                    {identity, identified, "token_provider.url"},
		"headers beside the block's own token": {environment("token_provider", ""), ownToken, "token_provider.url"},
		"a file of the machine":                {open, ownFile, "token_provider.url"},
		"a token got without headers": {
			environment("token_provider", ""),
			headersElsewhere(core.Object{}),
			"base_url",
		},
		"a token got with the block's headers": {
			environment("token_provider", ""),
			headersElsewhere(alice),
			"base_url",
		},
		"a token got with the block's identity": {open, ownTokenElsewhere, "base_url"},
		"an address that is none trusts nobody": {environment("api_key", "nonsense"), bothElsewhere, "base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			other := acctest.NewService(t)
			b.setenv(map[string]string{"MEDIAGEN_BASE_URL": b.URL})
			b.setenv(test.environment(b))
			b.Workspace.Provider(test.config(other))
			diagnostics := b.read()
			found := diagnostics.At(test.attribute)
			if len(found) != 1 || found[0].Summary != "Credential of Another Address" {
				t.Fatalf("want one error on %s, got:\n%s", test.attribute, diagnostics)
			}
			for _, text := range []string{b.Host, other.Host, "MEDIAGEN_BASE_URL", "Give the block its own " +
				"credential"} {
				check.True(t, "the error names", strings.Contains(found[0].Detail, text), text, diagnostics)
			}
			b.WantNoRequests(t)
			other.WantNoRequests(t)
		})
	}
}

// The environment pins nothing by an address that it does not name, no credential
// that is the block's own, and no other way to write its own address.
func TestProvider_credentialIsNotPinned(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		environment func(b scenario) map[string]string
		config      func(b scenario) core.Object
	}{
		"no address in the environment": {
			func(b scenario) map[string]string { return b.environmentOf("api_key") },
			func(b scenario) core.Object { return core.Object{"base_url": b.URL} },
		},
		"the block's own credential": {
			func(scenario) map[string]string {
				return map[string]string{
					"MEDIAGEN_BASE_URL": "https://api.example.com/v2",
					"MEDIAGEN_API_KEY":  "of-another",
				}
			},
			func(b scenario) core.Object { return core.Object{"base_url": b.URL, "api_key": acctest.APIKey} },
		},
		"the block's own headers": {
			func(scenario) map[string]string {
				return map[string]string{"MEDIAGEN_BASE_URL": "https://api.example.com/v2"}
			},
			func(b scenario) core.Object {
				return core.Object{
					"base_url":       b.URL,
					"token_provider": core.Object{"url": b.Host + "/token-provider", "headers": alice},
				}
			},
		},
		"the same address, written otherwise": {
			func(b scenario) map[string]string {
				named := b.environmentOf("api_key")
				named["MEDIAGEN_BASE_URL"] = strings.Replace(b.URL, "http://", "HTTP://", 1) + "/"
				return named
			},
			func(b scenario) core.Object { return core.Object{"base_url": b.URL, "auth_url": b.Host + "/"} },
		},
		"an address that only the variable names": {
			func(b scenario) map[string]string {
				named := b.environmentOf("api_key")
				named["MEDIAGEN_BASE_URL"] = "https://api.example.com/v2"
				named["MEDIAGEN_AUTH_URL"] = b.Host
				return named
			},
			func(b scenario) core.Object { return core.Object{"base_url": b.URL} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newScenario(t)
			maps.DeleteFunc(b.Environment, func(string, string) bool { return true })
			b.setenv(test.environment(b))
			b.Workspace.Provider(test.config(b))
			b.works()
		})
	}
}

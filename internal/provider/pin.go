package provider

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/credential"
)

// pin refuses to send a credential of the environment to an origin that the environment does not
// name, if it names any: whoever changes a configuration would receive the key of whoever plans it.
func (s settings) pin(config *api.Config, credential string) {
	var origins, pins []string
	for _, variable := range []string{"MEDIAGEN_BASE_URL", "MEDIAGEN_AUTH_URL", "MEDIAGEN_TOKEN_PROVIDER_URL"} {
		if text := s.environment(variable); text != "" {
			origins, pins = append(origins, originOf(text)), append(pins, variable+" ("+originOf(text)+")")
		}
	}
	if credential == "" || len(origins) == 0 {
		return
	}
	check := func(attribute path.Path, address *url.URL) {
		if used := originOf(address.String()); !slices.Contains(origins, used) {
			s.fail(attribute, "", "Credential of Another Address", fmt.Errorf(
				"is at %s, and the credential comes from the environment (%s), which goes only where the environment says: %s. Nothing was sent. "+
					"Give the block its own credential, or name this address in the environment", used, credential, strings.Join(pins, ", ")))
		}
	}
	check(path.Root("base_url"), config.BaseURL)
	switch { // where a token for it comes from
	case config.TokenProvider != nil:
		check(path.Root("token_provider").AtName("url"), config.TokenProvider.URL)
	case config.APIKey != "":
		check(path.Root("auth_url"), config.AuthURL)
	}
}

// originOf returns scheme, host and port of an address: nothing else of it may be shown. What is no
// address is an origin that no address has.
func originOf(text string) string {
	address, err := parseAddress(text, true)
	if err != nil {
		return "no address"
	}
	standard := map[string]string{"https": ":443", "http": ":80"}[address.Scheme]
	return address.Scheme + "://" + strings.TrimSuffix(strings.ToLower(address.Host), standard)
}

// environmentOf names what the environment gives to authenticate a token provider; empty if the
// block has all of it.
func (s settings) environmentOf(provider *credential.TokenProvider) string {
	attributes := s.config.TokenProvider.Attributes()
	isSet := func(attribute string) bool { value := attributes[attribute]; return value != nil && !value.IsNull() }
	switch {
	case provider == nil:
		return ""
	case provider.OIDC != nil && isSet("oidc_token"), provider.OIDC == nil && isSet("headers"):
		return ""
	case provider.OIDC != nil:
		return "a workload identity"
	case s.environment("MEDIAGEN_TOKEN_PROVIDER_HEADERS") != "":
		return "MEDIAGEN_TOKEN_PROVIDER_HEADERS"
	case !isSet("url"):
		return "MEDIAGEN_TOKEN_PROVIDER_URL"
	}
	return ""
}

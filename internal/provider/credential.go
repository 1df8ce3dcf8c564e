package provider

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// credential sets the only credential of the block, or else of the environment.
// It returns the parts that the environment gives.
func (s settings) credential(config *evidence.Config, insecure setting[bool]) []credentialPart {
	switch {
	case !s.config.APIKey.IsNull():
		config.APIKey = s.config.APIKey.ValueString()
		return nil
	case !s.config.AccessToken.IsNull():
		config.AccessToken = s.config.AccessToken.ValueString()
		return nil
	case !s.config.TokenProvider.IsNull():
		return s.tokenProvider(config, insecure)
	default:
		return s.environmentCredential(config, insecure)
	}
}

// environmentCredential sets the only credential that the environment names.
// Without any, or with more than one, it is an error, because nobody can know
// which is meant. transport.Offline takes precedence: nothing is sent then,
// whatever else a CI system gives its jobs.
func (s settings) environmentCredential(config *evidence.Config, insecure setting[bool]) []credentialPart {
	key := variableOf("api_key")
	token := variableOf("access_token")
	provider := variableOf("token_provider.url")
	set := s.environmentHas(key, token, provider)
	if s.environment(token) == transport.Offline {
		set = []string{token}
	}
	switch {
	case len(set) == 0:
		s.diags.Append(credentialIsMissing(s.withoutProvider()))
		return nil
	case len(set) > 1:
		s.diags.Append(severalCredentials(set))
		return nil
	case set[0] == key:
		config.APIKey = s.environmentSecret("api_key")
		return []credentialPart{{name: key, goesTo: []string{"auth_url", "base_url"}}}
	case set[0] == token:
		config.AccessToken = s.environmentSecret("access_token")
		return []credentialPart{{name: token, goesTo: []string{"base_url"}}}
	default:
		return s.tokenProvider(config, insecure)
	}
}

// environmentHas returns the variables that are set.
func (s settings) environmentHas(variables ...string) []string {
	var set []string
	for _, variable := range variables {
		if s.environment(variable) != "" {
			set = append(set, variable)
		}
	}
	return set
}

// withoutProvider names the environment's variables of a token provider whose
// address is missing.
func (s settings) withoutProvider() string {
	set := s.environmentHas(
		"MEDIAGEN_USE_OIDC", "MEDIAGEN_OIDC_AUDIENCE", "MEDIAGEN_OIDC_TOKEN", "MEDIAGEN_OIDC_TOKEN_FILE_PATH",
		"MEDIAGEN_TOKEN_PROVIDER_HEADERS",
	)
	switch len(set) {
	case 0:
		return ""
	case 1:
		return "MEDIAGEN_TOKEN_PROVIDER_URL is missing, and " + set[0] + " configures a token provider. "
	default:
		return "MEDIAGEN_TOKEN_PROVIDER_URL is missing, and " + strings.Join(
			set,
			" and ",
		) + " configure a token provider. "
	}
}

func (s settings) environmentSecret(attribute string) string {
	secret := s.text(types.StringNull(), attribute)
	if err := credentialValue().Check(secret.value); err != nil {
		s.fail(pathTo(attribute), secret.variable, "Invalid Credential", err)
	}
	return secret.value
}

// providerAttribute returns an attribute of the block's token_provider, or its
// zero value if the block has none.
func providerAttribute[T any](s settings, attribute string) T {
	_, name, _ := strings.Cut(attribute, ".")
	value, _ := s.config.TokenProvider.Attributes()[name].(T)
	return value
}

var errNoTokenProvider = errors.New("is not set. Set it, or MEDIAGEN_TOKEN_PROVIDER_URL, to the address of your " +
	"token provider")

package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

const (
	defaultMaxRetries         = 4
	mostRetries               = 100
	defaultRequestTimeout     = 60 * time.Second
	defaultPaidRequestTimeout = 10 * time.Minute
)

// settings resolves each setting: configuration, then environment, then
// default.
type settings struct {
	config      configuration
	environment func(variable string) string
	diags       *diag.Diagnostics
}

func variableOf(attribute string) string { return "MEDIAGEN_" + strings.ToUpper(attribute) }

func (s settings) client() api.Config {
	var config api.Config
	config.MaxRequestsPerMinute = s.number(s.config.MaxRequestsPerMinute, "max_requests_per_minute", 1, math.MaxInt64, 0)
	config.MaxRetries = s.number(s.config.MaxRetries, "max_retries", 0, mostRetries, defaultMaxRetries)
	config.RequestTimeout = s.duration(s.config.RequestTimeout, "request_timeout", defaultRequestTimeout)
	config.PaidRequestTimeout = s.duration(s.config.PaidRequestTimeout, "paid_request_timeout", defaultPaidRequestTimeout)
	config.MaxCredits = s.credits(s.config.MaxCredits, "max_credits")
	config.MaxPurchases = s.purchases(s.config.MaxPurchases, "max_purchases")
	config.PurchaseLog, _ = s.text(s.config.PurchaseLog, "purchase_log")
	config.TrustNotFound = s.flag(s.config.TrustNotFound, "trust_not_found")
	insecure := s.flag(s.config.AllowInsecureHTTP, "allow_insecure_http")
	config.BaseURL, config.AuthURL = s.addresses(insecure)
	s.credential(&config, insecure)
	return config
}

// text returns the configured value, else the environment's; an empty variable
// counts as not set.
func (s settings) text(value types.String, attribute string) (text string, fromEnvironment bool) {
	if !value.IsNull() {
		return value.ValueString(), false
	}
	return s.environment(variableOf(attribute)), true
}

func (s settings) fail(attribute path.Path, fromEnvironment bool, variable, summary string, err error) {
	attributeError(s.diags, attribute, fromEnvironment, variable, summary, err)
}

func (s settings) number(value types.Int64, attribute string, least, most, otherwise int64) int64 {
	if !value.IsNull() {
		return value.ValueInt64()
	}
	text := s.environment(variableOf(attribute))
	if text == "" {
		return otherwise
	}
	number, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || number < least || number > most {
		s.fail(path.Root(attribute), true, variableOf(attribute), "Invalid Number", fmt.Errorf("is %q, and must be a whole number from %d to %d", text, least, most))
	}
	return number
}

// credits returns nil for no limit, which differs from 0.
func (s settings) credits(value types.Float64, attribute string) *float64 {
	if !value.IsNull() {
		return value.ValueFloat64Pointer()
	}
	text := s.environment(variableOf(attribute))
	if text == "" {
		return nil
	}
	credits, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(credits >= 0) || math.IsInf(credits, 0) {
		s.fail(path.Root(attribute), true, variableOf(attribute), "Invalid Number", fmt.Errorf("is %q, and must be a number of at least 0", text))
	}
	return &credits
}

// purchases returns nil for no limit, which differs from 0.
func (s settings) purchases(value types.Int64, attribute string) *int64 {
	if value.IsNull() && s.environment(variableOf(attribute)) == "" {
		return nil
	}
	purchases := s.number(value, attribute, 0, math.MaxInt64, 0)
	return &purchases
}

func (s settings) flag(value types.Bool, attribute string) bool {
	if !value.IsNull() {
		return value.ValueBool()
	}
	text := s.environment(variableOf(attribute))
	if text == "" {
		return false
	}
	set, err := strconv.ParseBool(strings.TrimSpace(text))
	if err != nil {
		s.fail(path.Root(attribute), true, variableOf(attribute), "Invalid Flag", fmt.Errorf("is %q, which is neither true nor false", text))
	}
	return set
}

func (s settings) duration(value types.String, attribute string, otherwise time.Duration) time.Duration {
	text, fromEnvironment := s.text(value, attribute)
	if text == "" {
		return otherwise
	}
	duration, err := parseDuration(text)
	if err != nil {
		s.fail(path.Root(attribute), fromEnvironment, variableOf(attribute), "Invalid Duration", err)
	}
	return duration
}

// addresses returns base_url and auth_url, both nil after an error.
func (s settings) addresses(insecure bool) (base, auth *url.URL) {
	text, fromEnvironment := s.text(s.config.BaseURL, "base_url")
	if text == "" {
		s.fail(path.Root("base_url"), false, "", "Missing Address", errors.New("is not set. Set it, or MEDIAGEN_BASE_URL, to the address of the service, as in https://api.example.com/v2"))
		return nil, nil
	}
	base = s.address(path.Root("base_url"), text, fromEnvironment, variableOf("base_url"), false, insecure)
	authText, authFromEnvironment := s.text(s.config.AuthURL, "auth_url")
	if authText != "" {
		auth = s.address(path.Root("auth_url"), authText, authFromEnvironment, variableOf("auth_url"), false, insecure)
	} else if base != nil {
		derived, err := authAddress(base)
		if err != nil {
			s.fail(path.Root("base_url"), fromEnvironment, variableOf("base_url"), "Invalid Address", err)
		}
		auth = derived
	}
	return base, auth
}

func (s settings) address(attribute path.Path, text string, fromEnvironment bool, variable string, query, insecure bool) *url.URL {
	address, err := parseAddress(text, query)
	if err != nil {
		s.fail(attribute, fromEnvironment, variable, "Invalid Address", err)
		return nil
	}
	if address.Scheme == "http" && !isLoopback(address) {
		if !insecure {
			s.fail(attribute, fromEnvironment, variable, "Insecure Address",
				errors.New("is an http address, which would send credentials and prompts in clear. Use https, or set allow_insecure_http for a mock service in another container"))
			return nil
		}
		s.diags.AddAttributeWarning(attribute, "Insecure Address", "Credentials and prompts travel in clear, because allow_insecure_http is set and the address is http.")
	}
	return address
}

// credential takes the one credential of the configuration, else of the
// environment. Without one the first request fails, not Configure: validate and
// plan -refresh=false need none.
func (s settings) credential(config *api.Config, insecure bool) {
	switch {
	case !s.config.APIKey.IsNull():
		config.APIKey = s.config.APIKey.ValueString()
	case !s.config.AccessToken.IsNull():
		config.AccessToken = s.config.AccessToken.ValueString()
	case !s.config.TokenProvider.IsNull():
		config.TokenProvider = s.tokenProvider(insecure)
	default:
		s.environmentCredential(config, insecure)
	}
}

func (s settings) environmentCredential(config *api.Config, insecure bool) {
	var set []string
	for _, variable := range []string{"MEDIAGEN_API_KEY", "MEDIAGEN_ACCESS_TOKEN", "MEDIAGEN_TOKEN_PROVIDER_URL"} {
		if s.environment(variable) != "" {
			set = append(set, variable)
		}
	}
	if len(set) > 1 {
		s.diags.AddError("Ambiguous Credentials", "Exactly one credential must be set, but the environment has "+strings.Join(set, " and ")+". Unset all but one, or choose one in the provider's configuration.")
		return
	}
	config.APIKey = s.environmentSecret("api_key")
	config.AccessToken = s.environmentSecret("access_token")
	if s.environment("MEDIAGEN_TOKEN_PROVIDER_URL") != "" {
		config.TokenProvider = s.tokenProvider(insecure)
	}
}

func (s settings) environmentSecret(attribute string) string {
	text := s.environment(variableOf(attribute))
	if text == "" {
		return ""
	}
	if err := checkHeaderText(text); err != nil {
		s.fail(path.Root(attribute), true, variableOf(attribute), "Invalid Credential", err)
	}
	return text
}

func (s settings) tokenProvider(insecure bool) *transport.TokenProvider {
	attributes := s.config.TokenProvider.Attributes()
	root := path.Root("token_provider")
	address, _ := attributes["url"].(types.String)
	text, fromEnvironment := s.text(address, "token_provider_url")
	if text == "" {
		s.fail(root.AtName("url"), false, "", "Missing Address", errors.New("is not set. Set it, or MEDIAGEN_TOKEN_PROVIDER_URL, to the address of your token provider"))
		return nil
	}
	provider := &transport.TokenProvider{
		URL:     s.address(root.AtName("url"), text, fromEnvironment, "MEDIAGEN_TOKEN_PROVIDER_URL", true, insecure),
		Headers: map[string]string{},
	}
	if headers, ok := attributes["headers"].(types.Map); ok && !headers.IsNull() {
		for name, value := range headers.Elements() {
			if text, known := knownText(value); known {
				provider.Headers[name] = text
			}
		}
		return provider
	}
	s.environmentHeaders(root.AtName("headers"), provider.Headers)
	return provider
}

func (s settings) environmentHeaders(attribute path.Path, headers map[string]string) {
	const variable = "MEDIAGEN_TOKEN_PROVIDER_HEADERS"
	text := s.environment(variable)
	if text == "" {
		return
	}
	// The decoder's own error could repeat part of a secret.
	if err := json.Unmarshal([]byte(text), &headers); err != nil {
		s.fail(attribute, true, variable, "Invalid Headers", errors.New("must be a JSON object of strings"))
		return
	}
	for name, value := range headers {
		if err := checkHeader(name, value); err != nil {
			s.fail(attribute, true, variable, "Invalid Headers", err)
		}
	}
}

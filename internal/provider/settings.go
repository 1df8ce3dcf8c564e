package provider

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const defaultMaxRetries, maxMaxRetries = 4, 100

// settings resolves each setting: configuration, then environment, then default.
type settings struct {
	config      configuration
	environment func(variable string) string
	diags       *diag.Diagnostics
	within      path.Path // the object whose settings these are; empty is the block itself
}

func variableOf(attribute string) string { return "MEDIAGEN_" + strings.ToUpper(attribute) }

func (s settings) client() api.Config {
	var config api.Config
	config.MaxRequestsPerMinute = or(0, s.limit(s.config.MaxRequestsPerMinute, "max_requests_per_minute", 1))
	config.MaxRetries = or(defaultMaxRetries, s.number(s.config.MaxRetries, "max_retries", 0, maxMaxRetries))
	config.RequestTimeout = s.duration(s.config.RequestTimeout, "request_timeout")
	config.PaidRequestTimeout = s.duration(s.config.PaidRequestTimeout, "paid_request_timeout")
	config.MaxCredits = lower(s.config.MaxCredits.ValueFloat64Pointer(), s.credits("max_credits"))
	config.Prices = s.prices()
	config.MaxPurchases = s.limit(s.config.MaxPurchases, "max_purchases", 0)
	if log, _ := s.text(s.config.PurchaseLog, "purchase_log"); log != "" {
		config.PurchaseLogs = []string{log}
	}
	config.TrustNotFound = or(false, s.flag(s.config.TrustNotFound, "trust_not_found"))
	config.ExtendedReads = or(false, s.flag(s.config.ExtendedReads, "extended_reads"))
	insecure := or(false, s.flag(s.config.AllowInsecureHTTP, "allow_insecure_http"))
	variable := s.credential(&config, insecure)
	config.BaseURL, config.AuthURL = s.addresses(insecure, config.AccessToken == "")
	if !s.diags.HasError() {
		s.pin(&config, variable)
	}
	return config
}

// fail reports a wrong setting on its attribute, and says from which variable it comes, if from
// any. The error is a sentence without its subject.
func (s settings) fail(attribute path.Path, variable, summary string, err error) {
	detail := framework.Problem(attribute, err.Error())
	if variable != "" {
		detail += " The value comes from the environment variable " + variable + "."
	}
	s.diags.AddAttributeError(attribute, summary, detail)
}

// text returns the configured text, else the environment's and its variable. An empty variable is
// not set.
func (s settings) text(configured types.String, attribute string) (text, variable string) {
	if !configured.IsNull() {
		return configured.ValueString(), ""
	}
	return s.environment(variableOf(attribute)), variableOf(attribute)
}

// setting returns the configured value, else what parse makes of the environment's; nil if neither
// is set.
func setting[T any](s settings, configured *T, attribute, summary string, parse func(text string) (T, error)) *T {
	text := s.environment(variableOf(attribute))
	if configured != nil || text == "" {
		return configured
	}
	value, err := parse(text)
	if err != nil {
		s.fail(s.within.AtName(attribute), variableOf(attribute), summary, err)
	}
	return &value
}

// limit returns the lower of the configuration's number and the environment's.
func (s settings) limit(configured types.Int64, attribute string, least int64) *int64 {
	return lower(configured.ValueInt64Pointer(), s.number(types.Int64Null(), attribute, least, math.MaxInt64))
}

// lower returns the limit that holds: whoever owns the environment sets a ceiling that no
// configuration lifts.
func lower[T cmp.Ordered](configured, ceiling *T) *T {
	if configured == nil || ceiling != nil && *ceiling < *configured {
		return ceiling
	}
	return configured
}

func or[T any](standard T, value *T) T {
	if value == nil {
		return standard
	}
	return *value
}

func (s settings) number(configured types.Int64, attribute string, least, most int64) *int64 {
	return setting(s, configured.ValueInt64Pointer(), attribute, "Invalid Number", func(text string) (int64, error) {
		number, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || number < least || number > most {
			return 0, fmt.Errorf("is %q, and must be a whole number from %d to %d", text, least, most)
		}
		return number, nil
	})
}

func (s settings) credits(attribute string) *float64 {
	return setting(s, nil, attribute, "Invalid Number", func(text string) (float64, error) {
		credits, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(credits >= 0) || math.IsInf(credits, 0) {
			return 0, fmt.Errorf("is %q, and must be a number of at least 0", text)
		}
		return credits, nil
	})
}

func (s settings) prices() map[string]*float64 {
	var configured *map[string]*float64
	if !s.config.Prices.IsNull() {
		configured = &map[string]*float64{}
		for kind, price := range s.config.Prices.Attributes() {
			if price, ok := price.(types.Float64); ok {
				(*configured)[kind] = price.ValueFloat64Pointer()
			}
		}
	}
	return or(nil, setting(s, configured, "prices", "Invalid Prices", func(text string) (prices map[string]*float64, err error) {
		wrong := json.Unmarshal([]byte(text), &prices) != nil
		for kind, price := range prices {
			_, known := priceAttributes()[kind]
			wrong = wrong || !known || price == nil || *price < 0
		}
		if wrong {
			err = fmt.Errorf("is %q, and must be a JSON object of numbers of at least 0, as in {%q: 1, %q: 100}", text, purchases.KindGeneration, purchases.KindTraining)
		}
		return prices, err
	}))
}

func (s settings) flag(configured types.Bool, attribute string) *bool {
	return setting(s, configured.ValueBoolPointer(), attribute, "Invalid Flag", func(text string) (bool, error) {
		flag, err := strconv.ParseBool(strings.TrimSpace(text))
		if err != nil {
			return false, fmt.Errorf("is %q, which is neither true nor false", text)
		}
		return flag, nil
	})
}

// duration returns 0 if the setting has its default.
func (s settings) duration(configured types.String, attribute string) time.Duration {
	text, variable := s.text(configured, attribute)
	duration, err := framework.ParseDuration(text)
	if text != "" && err != nil {
		s.fail(path.Root(attribute), variable, "Invalid Duration", err)
	}
	return duration
}

// addresses returns base_url and auth_url, both nil after an error. What is not exchanged needs no
// auth_url.
func (s settings) addresses(insecure, exchanges bool) (base, auth *url.URL) {
	text, variable := s.text(s.config.BaseURL, "base_url")
	if text == "" {
		s.fail(path.Root("base_url"), "", "Missing Address", errors.New("is not set. Set it, or MEDIAGEN_BASE_URL, to the address of the service, as in https://api.example.com/v2"))
		return nil, nil
	}
	base = s.address(path.Root("base_url"), text, variable, false, insecure)
	if authText, authVariable := s.text(s.config.AuthURL, "auth_url"); authText != "" {
		return base, s.address(path.Root("auth_url"), authText, authVariable, false, insecure)
	}
	if base == nil || !exchanges {
		return base, nil
	}
	auth, err := authAddress(base)
	if err != nil {
		s.fail(path.Root("base_url"), variable, "Invalid Address", err)
	}
	return base, auth
}

func (s settings) address(attribute path.Path, text, variable string, query, insecure bool) *url.URL {
	address, err := parseAddress(text, query)
	if err != nil {
		s.fail(attribute, variable, "Invalid Address", err)
		return nil
	}
	if address.Scheme == "http" && !media.IsLoopback(address.Hostname()) {
		if !insecure {
			s.fail(attribute, variable, "Insecure Address",
				errors.New("is an http address, which would send credentials and prompts unencrypted. Use https, or set allow_insecure_http for a mock service in another container"))
			return nil
		}
		s.diags.AddAttributeWarning(attribute, "Insecure Address", "Credentials and prompts travel unencrypted, because allow_insecure_http is set and the address is http.")
	}
	return address
}

// credential takes the one credential of the configuration, else of the environment, and names what
// of it comes from the environment.
func (s settings) credential(config *api.Config, insecure bool) (variable string) {
	switch {
	case !s.config.APIKey.IsNull():
		config.APIKey = s.config.APIKey.ValueString()
	case !s.config.AccessToken.IsNull():
		config.AccessToken = s.config.AccessToken.ValueString()
	case !s.config.TokenProvider.IsNull():
		config.TokenProvider = s.tokenProvider(insecure)
		return s.environmentOf(config.TokenProvider)
	default:
		return s.environmentCredential(config, insecure)
	}
	return ""
}

func (s settings) environmentCredential(config *api.Config, insecure bool) (variable string) {
	var set []string
	for _, variable := range []string{"MEDIAGEN_API_KEY", "MEDIAGEN_ACCESS_TOKEN", "MEDIAGEN_TOKEN_PROVIDER_URL"} {
		if s.environment(variable) != "" {
			set = append(set, variable)
		}
	}
	switch {
	case len(set) == 0:
		s.diags.AddError("Missing Credential", s.withoutProvider()+"Exactly one credential must be set: api_key, access_token or token_provider in the provider's configuration, or MEDIAGEN_API_KEY, MEDIAGEN_ACCESS_TOKEN or MEDIAGEN_TOKEN_PROVIDER_URL in the environment. "+
			"To plan with -refresh=false and without the service, MEDIAGEN_ACCESS_TOKEN=offline is enough.")
		return ""
	case len(set) > 1:
		s.diags.AddError("Ambiguous Credentials", "Exactly one credential must be set, but the environment has "+strings.Join(set, " and ")+". Unset all but one, or choose one in the provider's configuration.")
		return ""
	}
	config.APIKey = s.environmentSecret("api_key")
	config.AccessToken = s.environmentSecret("access_token")
	if s.environment("MEDIAGEN_TOKEN_PROVIDER_URL") != "" {
		config.TokenProvider = s.tokenProvider(insecure)
	}
	return set[0]
}

// withoutProvider names what the environment has of a token provider whose address is missing.
func (s settings) withoutProvider() string {
	set := slices.DeleteFunc([]string{
		"MEDIAGEN_USE_OIDC", "MEDIAGEN_OIDC_AUDIENCE", "MEDIAGEN_OIDC_TOKEN", "MEDIAGEN_OIDC_TOKEN_FILE_PATH", "MEDIAGEN_TOKEN_PROVIDER_HEADERS",
	}, func(variable string) bool { return s.environment(variable) == "" })
	switch len(set) {
	case 0:
		return ""
	case 1:
		return "MEDIAGEN_TOKEN_PROVIDER_URL is missing, and " + set[0] + " configures a token provider. "
	default:
		return "MEDIAGEN_TOKEN_PROVIDER_URL is missing, and " + strings.Join(set, " and ") + " configure a token provider. "
	}
}

func (s settings) environmentSecret(attribute string) string {
	text := s.environment(variableOf(attribute))
	if err := credentialValue().Check(text); text != "" && err != nil {
		s.fail(path.Root(attribute), variableOf(attribute), "Invalid Credential", err)
	}
	return text
}

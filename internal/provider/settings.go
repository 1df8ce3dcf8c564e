package provider

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/media"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const defaultMaxRetries, maxMaxRetries = 4, 100

// defaultLabels is the attribute of the labels of all purchases.
const defaultLabels = "default_labels"

// settings resolves each setting by policy from the block and the environment,
// or its default. A value of the block that is not known yet counts as not set.
type settings struct {
	config      configuration
	environment func(variable string) string
	diags       *diag.Diagnostics
}

// variableOf returns the variable of a setting. attribute is the setting's name
// in policy.
func variableOf(attribute string) string {
	if attribute == defaultLabels {
		return "MEDIAGEN_LABELS"
	}
	name, isNested := strings.CutPrefix(attribute, "token_provider.")
	if isNested && !strings.Contains(name, "oidc") {
		name = "token_provider_" + name
	}
	return "MEDIAGEN_" + strings.ToUpper(name)
}

func pathTo(attribute string) path.Path {
	root, nested, isNested := strings.Cut(attribute, ".")
	if isNested {
		return path.Root(root).AtName(nested)
	}
	return path.Root(root)
}

// resolve returns the configuration of the client and of what it buys: each
// setting from the block, the environment or its default.
func (s settings) resolve() (evidence.Config, purchases.Config) {
	var config evidence.Config
	buys := purchases.Config{Terms: s.terms()}
	perMinute := s.number(s.config.MaxRequestsPerMinute, "max_requests_per_minute", 1, math.MaxInt64)
	config.MaxRequestsPerMinute = perMinute.orDefault(0)
	retries := s.number(s.config.MaxRetries, "max_retries", 0, maxMaxRetries)
	config.MaxRetries = retries.orDefault(defaultMaxRetries)
	config.RequestTimeout = s.duration(s.config.RequestTimeout, "request_timeout")
	config.PaidRequestTimeout = s.duration(s.config.PaidRequestTimeout, "paid_request_timeout")
	config.TrustNotFound = s.flag(s.config.TrustNotFound, "trust_not_found").orDefault(false)
	config.ExtendedReads = s.flag(s.config.ExtendedReads, "extended_reads").orDefault(false)
	buys.Books = purchaseLogs(s.config.PurchaseLog.ValueString(), s.environmentBook())
	insecure := s.flag(s.config.AllowInsecureHTTP, "allow_insecure_http")
	ingredients := s.credential(&config, insecure)
	config.BaseURL, config.AuthURL = s.addresses(insecure, config.AccessToken == "")
	if !s.diags.HasError() {
		s.pin(&config, ingredients)
		s.needBook(buys)
	}
	return config, buys
}

// terms resolves the settings by which purchases are counted. A plan that does
// not know the whole block has only these.
func (s settings) terms() purchases.Terms {
	return purchases.Terms{
		MaxCredits:   s.credits(s.config.MaxCredits, "max_credits").pointer(),
		MaxPurchases: s.number(s.config.MaxPurchases, "max_purchases", 0, math.MaxInt64).pointer(),
		Prices:       s.prices(),

		MaxCreditsPerMonth: s.credits(s.config.MaxCreditsPerMonth, "max_credits_per_month").pointer(),
	}
}

// environmentBook returns the purchase log of the environment. The schema
// checks the purchase log of the block.
func (s settings) environmentBook() string {
	const attribute = "purchase_log"
	name := s.environment(variableOf(attribute))
	if name == "" {
		return ""
	}
	if err := checkBookName(name); err != nil {
		s.fail(pathTo(attribute), variableOf(attribute), "Invalid Purchase Log", err)
	}
	return name
}

// needBook refuses a monthly limit without a purchase log, which records what
// was spent.
func (s settings) needBook(buys purchases.Config) {
	if buys.Terms.MaxCreditsPerMonth != nil && len(buys.Books) == 0 {
		s.fail(path.Root("max_credits_per_month"), "", "Missing Purchase Log", errors.New(
			"needs purchase_log (MEDIAGEN_PURCHASE_LOG): only a log knows what the month has cost. Set it to a file, "+
				"or to a bucket that all who buy share"))
	}
}

// purchaseLogs returns the files and stores that get an entry of each purchase,
// without duplicates. The first log guards purchases: the block's log, if there
// is one.
func purchaseLogs(block, environment string) []string {
	switch {
	case block == "" && environment == "":
		return nil
	case block == "":
		return []string{environment}
	case environment == "", isSameBook(block, environment):
		return []string{block}
	default:
		return []string{block, environment}
	}
}

func isSameBook(one, other string) bool {
	whole := filepath.Abs
	if purchases.IsStore(one) && purchases.IsStore(other) {
		whole = purchases.BucketAddressName
	}
	oneWhole, oneErr := whole(one)
	otherWhole, otherErr := whole(other)
	return oneErr == nil && otherErr == nil && oneWhole == otherWhole
}

// fail reports a wrong setting on its attribute, and names the variable that it
// comes from, if any. The error is a sentence without its subject.
func (s settings) fail(attribute path.Path, variable, summary string, err error) {
	detail := framework.Problem(attribute, err.Error())
	if variable != "" {
		detail += " The value comes from the environment variable " + variable + "."
	}
	s.diags.AddAttributeError(attribute, summary, detail)
}

// known returns the value of an attribute of the block; nil if it is null, or
// not known yet.
func known[T any](configured attr.Value, value T) *T {
	if configured == nil || configured.IsNull() || configured.IsUnknown() {
		return nil
	}
	return &value
}

// text returns the block's text, else the environment's. An empty variable is
// not set.
func (s settings) text(configured types.String, attribute string) setting[string] {
	return choose(s, attribute, known(configured, configured.ValueString()), format[string]{
		parse: func(text string) (string, error) { return text, nil },
	})
}

// format says how settings of a type are read from a variable, and compared.
type format[T any] struct {
	wrong      string // the summary of an error
	parse      func(text string) (T, error)
	isStricter func(one, other T) bool // nil if the block's value always counts
}

func choose[T any](s settings, attribute string, block *T, as format[T]) setting[T] {
	if block != nil && blockReplaces(attribute) {
		return resolve(attribute, block, nil, as.isStricter)
	}
	return resolve(attribute, block, ofEnvironment(s, attribute, as), as.isStricter)
}

// ofEnvironment returns the value of a variable; nil if it is not set.
func ofEnvironment[T any](s settings, attribute string, as format[T]) *T {
	text := s.environment(variableOf(attribute))
	if text == "" {
		return nil
	}
	value, err := as.parse(text)
	if err != nil {
		s.fail(pathTo(attribute), variableOf(attribute), as.wrong, err)
	}
	return &value
}

// number resolves a whole number. The lower of the block's and the
// environment's number applies, so that a limit is never lifted.
func (s settings) number(configured types.Int64, attribute string, least, most int64) setting[int64] {
	return choose(s, attribute, known(configured, configured.ValueInt64()), format[int64]{
		wrong:      "Invalid Number",
		isStricter: isLower[int64],
		parse: func(text string) (int64, error) {
			number, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			if err != nil || number < least || number > most {
				return 0, fmt.Errorf("is %q, and must be a whole number from %d to %d", text, least, most)
			}
			return number, nil
		},
	})
}

// credits resolves a number of credits. The lower of the block's and the
// environment's number applies.
func (s settings) credits(configured types.Float64, attribute string) setting[float64] {
	return choose(s, attribute, known(configured, configured.ValueFloat64()), format[float64]{
		wrong:      "Invalid Number",
		isStricter: isLower[float64],
		parse: func(text string) (float64, error) {
			credits, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil || !(credits >= 0) || math.IsInf(credits, 0) {
				return 0, fmt.Errorf("is %q, and must be a number of at least 0", text)
			}
			return credits, nil
		},
	})
}

// prices resolves each price separately. If the environment limits credits, a
// block cannot name prices of its own: low prices would make the limit
// worthless.
func (s settings) prices() map[string]*float64 {
	environment := s.environmentPrices()
	isLimited := s.environment(variableOf("max_credits"))+s.environment(variableOf("max_credits_per_month")) != ""
	prices := map[string]*float64{}
	for kind := range priceAttributes() {
		block := s.blockPrice(kind)
		if isLimited && environment[kind] == nil {
			block = nil
		}
		prices[kind] = resolve("prices", block, environment[kind], isHigher).pointer()
	}
	return prices
}

// blockPrice returns 0 for a price that is not known yet, so that a plan counts
// at least the known prices.
func (s settings) blockPrice(kind string) *float64 {
	configured, _ := s.config.Prices.Attributes()[kind].(types.Float64)
	if s.config.Prices.IsUnknown() || configured.IsUnknown() {
		return new(0.0)
	}
	return known(configured, configured.ValueFloat64())
}

// environmentPrices returns the prices of MEDIAGEN_PRICES.
func (s settings) environmentPrices() map[string]*float64 {
	prices := ofEnvironment(s, "prices", format[map[string]*float64]{
		wrong: "Invalid Prices",
		parse: parsePrices,
	})
	if prices == nil {
		return nil
	}
	return *prices
}

// parsePrices reads prices by kind. An unknown kind is an error, because its
// price would silently be ignored.
func parsePrices(text string) (map[string]*float64, error) {
	prices, err := parseObject[*float64](text)
	if twice, is := errors.AsType[duplicateKeyError](err); is {
		return nil, twice
	}
	isWrong := err != nil
	for kind, price := range prices {
		_, isKind := priceAttributes()[kind]
		isWrong = isWrong || !isKind || price == nil || *price < 0
	}
	if isWrong {
		return nil, fmt.Errorf("is %q, and must be a JSON object of numbers of at least 0, as in {%q: 1, %q: 100}",
			text, purchases.KindGeneration, purchases.KindTraining)
	}
	return prices, nil
}

// labels returns the labels of the environment, overridden by the labels of the
// block.
func (s settings) labels() map[string]string {
	environment := ofEnvironment(s, defaultLabels, format[map[string]string]{
		wrong: "Invalid Labels",
		parse: parseLabels,
	})
	block := framework.TextsByKey(s.config.DefaultLabels)
	if environment == nil {
		return block
	}
	return framework.MergedLabels(*environment, block)
}

// parseLabels reads labels in the form that the schema accepts.
func parseLabels(text string) (map[string]string, error) {
	texts, err := parseObject[*string](text)
	if twice, is := errors.AsType[duplicateKeyError](err); is {
		return nil, twice
	}
	isWrong := err != nil
	labels := map[string]string{}
	for key, label := range texts {
		isWrong = isWrong || label == nil
		if label != nil {
			labels[key] = *label
		}
	}
	if isWrong {
		return nil, fmt.Errorf("is %q, and must be a JSON object of texts, as in {\"client\": \"acme\"}", text)
	}
	return labels, framework.LabelRules{}.Check(labels)
}

// parseObject reads a JSON object without nested objects. A duplicate key is an
// error: chance would decide its value.
func parseObject[T any](text string) (map[string]T, error) {
	var object map[string]T
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	_, _ = decoder.Token() // the text is JSON: no token is an error
	seen := map[string]bool{}
	for decoder.More() {
		token, _ := decoder.Token()
		key, _ := token.(string)
		if seen[key] {
			return nil, duplicateKeyError(key)
		}
		seen[key] = true
		_, _ = decoder.Token()
	}
	return object, nil
}

// duplicateKeyError is a key that occurs twice in a JSON object. Readers differ
// in which of the values they use.
type duplicateKeyError string

func (key duplicateKeyError) Error() string {
	return fmt.Sprintf("has the key %q twice, so that nobody can tell which value counts. Remove one", string(key))
}

// flag resolves true or false. If the block or the environment says false, the
// flag is off.
func (s settings) flag(configured types.Bool, attribute string) setting[bool] {
	return choose(s, attribute, known(configured, configured.ValueBool()), format[bool]{
		wrong:      "Invalid Flag",
		isStricter: isOff,
		parse: func(text string) (bool, error) {
			flag, err := strconv.ParseBool(strings.TrimSpace(text))
			if err != nil {
				return false, fmt.Errorf("is %q, which is neither true nor false", text)
			}
			return flag, nil
		},
	})
}

// duration returns 0 if the setting has its default.
func (s settings) duration(configured types.String, attribute string) time.Duration {
	text := s.text(configured, attribute)
	duration, err := framework.ParseDuration(text.value)
	if text.value != "" && err != nil {
		s.fail(path.Root(attribute), text.variable, "Invalid Duration", err)
	}
	return duration
}

// addresses returns base_url and auth_url, both nil after an error. A
// credential that is not exchanged needs no auth_url.
func (s settings) addresses(insecure setting[bool], exchanges bool) (base, auth *url.URL) {
	text := s.text(s.config.BaseURL, "base_url")
	if text.value == "" {
		s.fail(path.Root("base_url"), "", "Missing Address", errors.New("is not set. Set it, or MEDIAGEN_BASE_URL, "+
			"to the address of the service, as in https://api.example.com/v2"))
		return nil, nil
	}
	base = s.address(path.Root("base_url"), text, false, insecure)
	authText := s.text(s.config.AuthURL, "auth_url")
	if authText.value != "" {
		return base, s.address(path.Root("auth_url"), authText, false, insecure)
	}
	if base == nil || !exchanges {
		return base, nil
	}
	auth, err := authAddress(base)
	if err != nil {
		s.fail(path.Root("base_url"), text.variable, "Invalid Address", err)
	}
	return base, auth
}

// address parses an address to which credentials are sent: https, or http on
// this machine only.
func (s settings) address(attribute path.Path, text setting[string], query bool, insecure setting[bool]) *url.URL {
	address, err := parseAddress(text.value, query)
	if err != nil {
		s.fail(attribute, text.variable, "Invalid Address", err)
		return nil
	}
	if address.Scheme == "http" && !media.IsLoopback(address.Hostname()) {
		if !insecure.value {
			s.fail(attribute, text.variable, "Insecure Address", insecureAddress(insecure))
			return nil
		}
		s.diags.AddAttributeWarning(attribute, "Insecure Address",
			"Credentials and prompts travel unencrypted, because allow_insecure_http is set and the address is http.")
	}
	return address
}

// insecureAddress says who has to allow http. If the environment forbids it, no
// block can allow it.
func insecureAddress(allowed setting[bool]) error {
	const problem = "is an http address, which would send credentials and prompts unencrypted. Use https"
	if allowed.origin == fromEnvironment {
		return errors.New(
			problem + ": MEDIAGEN_ALLOW_INSECURE_HTTP forbids http, and a provider block cannot allow it then",
		)
	}
	return errors.New(problem + ", or set allow_insecure_http for a mock service in another container")
}

package provider

import "slices"

// origin says who gave a setting its value. The environment belongs to the
// person who runs a plan; the block belongs to everybody who may change the
// configuration, for example in a pull request.
type origin string

const (
	fromDefault     origin = ""
	fromBlock       origin = "block"
	fromEnvironment origin = "environment"
)

// setting is the resolved value of a setting, and its origin.
type setting[T any] struct {
	value    T
	origin   origin
	variable string // the environment variable, if the value comes from there
}

func (s setting[T]) isSet() bool { return s.origin != fromDefault }

// orDefault returns the value, or standard if nobody has set a value.
func (s setting[T]) orDefault(standard T) T {
	if s.isSet() {
		return s.value
	}
	return standard
}

// pointer returns nil if nobody has set the value.
func (s setting[T]) pointer() *T {
	if s.isSet() {
		return &s.value
	}
	return nil
}

// right is which of two values counts, the block's or the environment's.
type right int

const (
	blockCounts    right = iota // the block's, whatever the environment says
	stricterCounts              // the lower limit, the higher price, what is off
	bothCount                   // each label, and each log
)

// policy is what a block may do to each setting of the environment, in the words
// of the guide on limits and CI. What it does not have, the environment cannot
// set. The guide says of the last row that it has all other settings.
var policy = []struct {
	right    right
	mayDo    string
	settings []string
}{
	{
		right:    stricterCounts,
		mayDo:    "lower it: the lower one counts",
		settings: []string{"max_purchases", "max_credits", "max_credits_per_month", "max_requests_per_minute"},
	},
	{
		right: stricterCounts,
		mayDo: "raise each: the higher one counts. Beside a limit in credits only those that " +
			"`MEDIAGEN_PRICES` names count",
		settings: []string{"prices"},
	},
	{
		right:    bothCount,
		mayDo:    "add and change labels, key by key",
		settings: []string{"default_labels"},
	},
	{
		right:    stricterCounts,
		mayDo:    "not switch on what is `false`",
		settings: []string{"trust_not_found", "allow_insecure_http"},
	},
	{
		right:    bothCount,
		mayDo:    "add one, which then guards: both are written, and the month counts in both",
		settings: []string{"purchase_log"},
	},
	{
		right:    blockCounts,
		mayDo:    "use its own instead",
		settings: []string{"api_key", "access_token", "token_provider.headers", "token_provider.oidc_token"},
	},
	{
		right: blockCounts,
		mayDo: "change it",
		settings: []string{
			"base_url", "auth_url", "token_provider.url", "token_provider.use_oidc", "token_provider.oidc_audience",
			"token_provider.oidc_token_file_path", "max_retries", "request_timeout", "paid_request_timeout",
			"max_prompts_per_batch", "extended_reads",
		},
	},
}

func rightTo(attribute string) right {
	for _, row := range policy {
		if slices.Contains(row.settings, attribute) {
			return row.right
		}
	}
	panic("the policy has no " + attribute)
}

// resolve returns the value that takes precedence; nil is not set.
func resolve[T any](attribute string, block, environment *T, isStricter func(one, other T) bool) setting[T] {
	switch {
	case block == nil && environment == nil:
		return setting[T]{}
	case block == nil, environment != nil && !blockReplaces(attribute) && isStricter(*environment, *block):
		return setting[T]{
			value:    *environment,
			origin:   fromEnvironment,
			variable: variableOf(attribute),
		}
	default:
		return setting[T]{value: *block, origin: fromBlock}
	}
}

// blockReplaces reports whether a value of the block makes the environment's
// value irrelevant. The environment's value may then be invalid.
func blockReplaces(attribute string) bool { return rightTo(attribute) == blockCounts }

func isLower[T int64 | float64](one, other T) bool { return one < other }

func isHigher(one, other float64) bool { return one > other }

// isOff reports whether the first flag is off. An off flag stays off, and then
// counts as set by the environment.
func isOff(one, _ bool) bool { return !one }

package purchases

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parameter is an allowed parameter in the query of an address.
type parameter struct {
	// isPlace is true if a different value means a different store.
	isPlace bool
	// check returns the requirement that a value violates. Nil allows any
	// value.
	check func(value string) error
}

// parameters are the parameters of gocloud's drivers that choose the place of a
// store and its caller. Left out are parameters that hold a secret or the path
// of a private key (private_key_path), switch a safety off (disable_https,
// anonymous, access_id, request_checksum_calculation), answer from a cache that
// may be older than the store (cdn), or change how objects are kept (ssetype,
// kmskeyid: a bucket has a default encryption). gocloud's own prefix and key
// would name other objects.
var parameters = map[string]map[string]parameter{
	"s3": {
		"region":                  {},
		"endpoint":                {isPlace: true, check: isEndpoint},
		"hostname_immutable":      {check: isBoolean},
		"use_path_style":          {check: isBoolean},
		"s3ForcePathStyle":        {check: isBoolean},
		"accelerate":              {check: isBoolean},
		"dualstack":               {check: isBoolean},
		"fips":                    {check: isBoolean},
		"profile":                 {},
		"role":                    {check: isRole},
		"role_session_name":       {},
		"role_external_id":        {},
		"role_duration":           {check: isDuration},
		"web_identity_token_file": {},
	},
	"gs": {
		"universe_domain": {isPlace: true},
	},
	"azblob": {
		"storage_account": {isPlace: true},
		"domain":          {isPlace: true},
		"protocol":        {check: isProtocol},
		"localemu":        {check: isBoolean},
	},
}

// parseQuery accepts allowed parameters, each once and with a value. Of two
// values, some drivers take the first, and others the last.
func parseQuery(text string, allowed map[string]parameter) (url.Values, error) {
	query, err := url.ParseQuery(text)
	if err != nil {
		return nil, errors.New("must have a query of name=value, joined by &")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		known, isKnown := allowed[name]
		values := query[name]
		switch {
		case !isKnown:
			return nil, fmt.Errorf("must not have the parameter %q: there are %s", name, namesOf(allowed))
		case len(values) > 1:
			return nil, fmt.Errorf("must have the parameter %s once", name)
		case values[0] == "":
			return nil, fmt.Errorf("must have a value for the parameter %s, or leave it out", name)
		case known.check == nil:
			continue
		}
		if err := known.check(values[0]); err != nil {
			return nil, fmt.Errorf("must have a parameter %s that is %w", name, err)
		}
	}
	return query, nil
}

func namesOf(allowed map[string]parameter) string {
	return strings.Join(slices.Sorted(maps.Keys(allowed)), ", ")
}

// isEndpoint requires encrypted requests, unless they stay on this machine.
func isEndpoint(value string) error {
	address, err := url.Parse(value)
	switch {
	case err != nil:
		return errors.New("an https address")
	case address.Scheme != "https" && (address.Scheme != "http" || !isLoopback(address.Hostname())):
		return errors.New("an https address, or http on this machine")
	case address.Hostname() == "" || address.User != nil || address.RawQuery != "" || address.Fragment != "":
		return errors.New("the address of a server, without a user, a query and a fragment")
	}
	return nil
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.IsLoopback()
}

func isBoolean(value string) error {
	if _, err := strconv.ParseBool(value); err != nil {
		return errors.New("true or false")
	}
	return nil
}

func isDuration(value string) error {
	if duration, err := time.ParseDuration(value); err != nil || duration <= 0 {
		return errors.New("a duration, as in 1h")
	}
	return nil
}

func isRole(value string) error {
	if !strings.HasPrefix(value, "arn:") {
		return errors.New("an ARN")
	}
	return nil
}

// isProtocol allows http too: azureblob accepts it only on this machine.
func isProtocol(value string) error {
	if value != "http" && value != "https" {
		return errors.New("https, or http on this machine")
	}
	return nil
}

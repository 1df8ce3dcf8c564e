package same

import (
	"net/url"
	"slices"
	"strings"
)

// Address reports whether two addresses name the same object, regardless of
// their signatures: a signature is made anew each time somebody asks for the
// address.
func Address(a, b string) bool {
	if a == b {
		return true
	}
	return ButQuery(a, b) && slices.Equal(unsignedParameters(a), unsignedParameters(b))
}

// ButQuery reports whether two addresses differ at most in their queries.
func ButQuery(a, b string) bool {
	before, _, fragment := split(a)
	other, _, otherFragment := split(b)
	return before == other && fragment == otherFragment
}

// Unsigned returns a text that is equal for addresses that name the same
// object, and for no others.
func Unsigned(address string) string {
	unsigned, _, fragment := split(address)
	if parameters := unsignedParameters(address); len(parameters) > 0 {
		unsigned += "?" + strings.Join(parameters, "&")
	}
	if fragment != "" {
		unsigned += "#" + fragment
	}
	return unsigned
}

// AddressKey returns a text that is equal for addresses that name the same
// object, and for addresses that differ only in the query.
func AddressKey(address string) string {
	before, _, _ := split(address)
	return before
}

// split splits an address. A data URI has no query.
func split(address string) (before, query, fragment string) {
	if scheme, _, _ := strings.Cut(address, ":"); strings.EqualFold(scheme, "data") {
		return address, "", ""
	}
	address, fragment, _ = strings.Cut(address, "#")
	before, query, _ = strings.Cut(address, "?")
	return before, query, fragment
}

// unsignedParameters returns the parameters of the query without signatures.
// They are sorted, because signers change their order.
func unsignedParameters(address string) (parameters []string) {
	_, query, _ := split(address)
	for parameter := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(parameter, "=")
		if parameter != "" && !isSignature(name) {
			parameters = append(parameters, parameter)
		}
	}
	slices.Sort(parameters)
	return parameters
}

// signatures are the parameters by which storages and networks sign addresses,
// in lower case.
var signatures = map[string]bool{
	// Amazon S3 and CloudFront, and Google's older form.
	"awsaccesskeyid": true, "googleaccessid": true,
	"signature": true, "expires": true, "policy": true, "key-pair-id": true, "hash-algorithm": true,
	// Azure's shared access signatures.
	"sig": true, "se": true, "st": true, "sp": true, "sv": true, "sr": true, "ss": true, "srt": true, "spr": true,
	"sip": true, "sdd": true, "skoid": true, "sktid": true, "skt": true, "ske": true, "sks": true, "skv": true,
	"saoid": true, "suoid": true, "scid": true, "ses": true,
	// Networks that deliver media.
	"token": true, "hdnea": true,
}

func isSignature(name string) bool {
	if plain, err := url.QueryUnescape(name); err == nil {
		name = plain
	}
	name = strings.ToLower(name)
	return signatures[name] || strings.HasPrefix(name, "x-amz-") || strings.HasPrefix(name, "x-goog-")
}

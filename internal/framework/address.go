package framework

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// maxAddress is the size of the longest address that is stored. A service may
// return whole files as data URIs. A state that is too large for a gRPC message
// can be neither planned nor destroyed.
const maxAddress = 64 << 10

// omittedPrefix begins the text that replaces an address that is too long.
const omittedPrefix = "omitted:"

var omittedAddress = regexp.MustCompile(omittedPrefix + `[^;"]+;size=\d+;sha256=[0-9a-f]{64}`)

// AddressNote ends the documentation of a list of addresses.
const AddressNote = " An address over 64 KiB is stored as `omitted:` with its media type, size and SHA-256."

// BoundedAddress returns an address of at most 64 KiB unchanged. For a longer
// address it returns the media type, and the size in bytes and SHA-256 of the
// part that is equal at every read.
func BoundedAddress(address string) string {
	if len(address) <= maxAddress { // variant: media-inline-large
		return address
	}
	lasting := addressWithoutQuery(address)
	return fmt.Sprintf("omitted:%s;size=%d;sha256=%x", mediaType(address), len(lasting), sha256.Sum256([]byte(lasting)))
}

// mediaType returns the media type in a data URI, or "unknown" for any other
// address.
func mediaType(address string) string {
	header, _, found := strings.Cut(address, ",")
	header, isData := strings.CutPrefix(header, "data:")
	named, _, _ := strings.Cut(header, ";")
	switch parsed, _, err := mime.ParseMediaType(named); {
	case isData && found && named == "":
		return "text/plain"
	case !isData || !found || err != nil || len(parsed) > 127:
		return "unknown"
	default:
		return parsed
	}
}

// BoundedAddresses bounds each of the addresses; nil stays nil.
func BoundedAddresses(addresses []string) []string {
	bounded := slices.Clone(addresses)
	for i, address := range bounded {
		bounded[i] = BoundedAddress(address)
	}
	return bounded
}

// BoundedJSON shortens every text in a JSON object like an address.
func BoundedJSON(text string) string {
	if len(text) > maxAddress {
		if object, err := reply.DecodeObject([]byte(text)); err == nil {
			return reply.Normalise(boundedTexts(map[string]any(object)))
		}
	}
	return text
}

// boundedTexts shortens each text of a decoded JSON value.
func boundedTexts(value any) any {
	switch value := value.(type) {
	case string:
		return BoundedAddress(value)
	case []any:
		for i := range value {
			value[i] = boundedTexts(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = boundedTexts(value[name])
		}
	}
	return value
}

// WarnOfOmitted warns, once per object, of addresses that are newly left out of
// its state.
func WarnOfOmitted(diags *diag.Diagnostics, before, after tftypes.Value) {
	warnOfOmitted(diags, omittedIn(before), omittedIn(after))
}

func warnOfOmitted(diags *diag.Diagnostics, known, omitted []string) {
	added := slices.DeleteFunc(omitted, func(address string) bool { return slices.Contains(known, address) })
	if len(added) > 0 {
		diags.AddWarning(
			"Address Too Long for the State",
			fmt.Sprintf(
				"The service answered with addresses of more than %d KiB, as of whole files in data URIs. A state "+
					"with them could neither be planned nor destroyed, so that only their media type, size and "+
					"SHA-256 are kept (%s). Nothing is lost at the service: read the files there.",
				maxAddress>>10,
				added[0],
			),
		)
	}
}

// omittedIn finds shortened addresses in an object. They cannot be sent back.
func omittedIn(object tftypes.Value) (found []string) {
	_ = tftypes.Walk(object, func(_ *tftypes.AttributePath, value tftypes.Value) (bool, error) {
		var text string
		if value.Type().Is(tftypes.String) && value.As(&text) == nil {
			found = append(found, omittedAddress.FindAllString(text, -1)...)
		}
		return true, nil
	})
	return found
}

// SameAddress returns the stored address if the service's address differs only
// in its query string (a signature, new at every read). Otherwise it returns
// the service's address, shortened if it is too long.
func SameAddress(stored types.String, served *string) types.String {
	if served == nil {
		return types.StringNull()
	}
	return types.StringValue(SameAddresses([]string{stored.ValueString()}, []string{*served})[0])
}

// SameAddresses is SameAddress for a list: if one address differs, it returns
// the whole served list.
func SameAddresses(stored, served []string) []string {
	served = BoundedAddresses(served)
	if slices.EqualFunc(
		stored,
		served,
		func(a, b string) bool { return addressWithoutQuery(a) == addressWithoutQuery(b) },
	) {
		return stored
	}
	return served
}

// addressWithoutQuery returns the part of an address that is equal at every
// read. Signatures are in the query.
func addressWithoutQuery(address string) string {
	if strings.HasPrefix(address, "data:") {
		return address // it has no query
	}
	if end := strings.IndexAny(address, "?#"); end >= 0 { // variant: signed-urls
		return address[:end]
	}
	return address
}

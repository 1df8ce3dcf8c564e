package framework

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"mime"
	"net/url"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

const (
	// maxAddress is the size of the longest address that is stored. A service
	// may return whole files as data URIs, and a state that exceeds a gRPC
	// message can be neither planned nor destroyed.
	maxAddress = 64 << 10
	// omitted is the prefix of what is stored for a longer one.
	omitted = "omitted:"
)

// AddressNote is what the documentation of a list of addresses says about it.
const AddressNote = " Of one over 64 KiB only `omitted:`, media type, size and SHA-256 are kept."

// BoundedAddress returns the address, or for one over 64 KiB its media type,
// and the size in bytes and SHA-256 of what does not differ at every read.
func BoundedAddress(address string) string {
	if len(address) <= maxAddress { // variant: media-inline-large
		return address
	}
	lasting := addressWithoutQuery(address)
	return fmt.Sprintf("%s%s;size=%d;sha256=%x", omitted, mediaType(address), len(lasting), sha256.Sum256([]byte(lasting)))
}

// mediaType returns the media type of a data URI, if it states a valid one.
func mediaType(address string) string {
	header, _, found := strings.Cut(address, ",")
	header, isData := strings.CutPrefix(header, "data:")
	named, _, _ := strings.Cut(header, ";")
	switch parsed, _, err := mime.ParseMediaType(named); {
	case !isData || !found:
		return "unknown"
	case named == "":
		return "text/plain"
	case err != nil || len(parsed) > 127:
		return "unknown"
	default:
		return parsed
	}
}

// AddressValue returns an address as it is stored.
func AddressValue(served *string) types.String { return SameAddress(types.StringNull(), served) }

// BoundedAddresses bounds each of the addresses; nil stays nil.
func BoundedAddresses(addresses []string) []string {
	bounded := slices.Clone(addresses)
	for i, address := range bounded {
		bounded[i] = BoundedAddress(address)
	}
	return bounded
}

// BoundedJSON bounds every text in a JSON value like an address, and returns
// what is stored for those it shortened.
func BoundedJSON(text string) (bounded string, kept []string) {
	if len(text) <= maxAddress {
		return text, nil
	}
	var value any
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&value) != nil {
		return text, nil
	}
	value = boundedTexts(value, &kept)
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return text, nil
	}
	return strings.TrimSuffix(encoded.String(), "\n"), kept
}

func boundedTexts(value any, kept *[]string) any {
	switch value := value.(type) {
	case string:
		short := BoundedAddress(value)
		if short != value {
			*kept = append(*kept, short)
		}
		return short
	case []any:
		for i := range value {
			value[i] = boundedTexts(value[i], kept)
		}
	case map[string]any:
		for name := range value {
			value[name] = boundedTexts(value[name], kept)
		}
	}
	return value
}

// WarnOfOmitted warns, once per object, if addresses are left out of its state
// that were not left out before.
func WarnOfOmitted(diags *diag.Diagnostics, object string, before, after []string) {
	added := slices.DeleteFunc(slices.Clone(after), func(address string) bool {
		return !strings.HasPrefix(address, omitted) || slices.Contains(before, address)
	})
	if len(added) > 0 {
		diags.AddWarning("Address Too Long for the State",
			fmt.Sprintf("The service answered with addresses of more than %d KiB, as of whole files in data URIs.\nObject: %s\n\nA state with them could neither be planned nor destroyed, "+
				"so that only their media type, size and SHA-256 are kept (%s). Nothing is lost at the service: read the files there.", maxAddress>>10, object, added[0]))
	}
}

// SameAddress returns the stored address if the service's differs only in its
// query string (a signature, new at every read), else the service's; bounded.
func SameAddress(stored types.String, served *string) types.String {
	if served == nil {
		return types.StringNull()
	}
	if stored.IsNull() || stored.IsUnknown() {
		return types.StringValue(BoundedAddress(*served))
	}
	return types.StringValue(SameAddresses([]string{stored.ValueString()}, []string{*served})[0])
}

// SameAddresses returns a stored list of addresses if the served one differs
// only in query strings, else the served one; bounded.
func SameAddresses(stored, served []string) []string {
	served = BoundedAddresses(served)
	if len(stored) != len(served) {
		return served
	}
	for i := range stored {
		if addressWithoutQuery(stored[i]) != addressWithoutQuery(served[i]) {
			return served
		}
	}
	return stored
}

func addressWithoutQuery(address string) string {
	if strings.HasPrefix(address, "data:") {
		return address // it has no query
	}
	parsed, err := url.Parse(address)
	if err != nil {
		before, _, _ := strings.Cut(address, "?")
		return before
	}
	parsed.RawQuery, parsed.Fragment = "", "" // variant: signed-urls
	return parsed.String()
}

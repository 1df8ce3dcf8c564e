package purchases

// The address of the bucket of a purchase log. Parsing it needs no client of a
// cloud, so that a plan can check an address without one.

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Examples of addresses, for messages.
const (
	exampleS3    = "s3://bucket/prefix?region=eu-central-1"
	exampleGS    = "gs://bucket/prefix"
	exampleAzure = "azblob://container/prefix"
)

var bucketName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// BucketAddress is the parsed address of a store.
type BucketAddress struct {
	Bucket string
	Prefix string // without slashes around it; empty is the whole bucket
	scheme string
	query  url.Values
}

// CheckBucketAddress returns the problem with the address of a store, as in
// "must name a bucket". It sends nothing and reads no environment.
func CheckBucketAddress(text string) error {
	_, err := ParseBucketAddress(text)
	return err
}

// BucketAddressName returns a text that is equal for two spellings of a store's
// address. It leaves out a slash at the end, and the parameters that say who
// asks and on which way.
func BucketAddressName(text string) (string, error) {
	at, err := ParseBucketAddress(text)
	if err != nil {
		return "", err
	}
	named := url.Values{}
	for name, values := range at.query {
		if parameters[at.scheme][name].isPlace {
			named.Set(name, strings.TrimRight(values[0], "/"))
		}
	}
	return at.at("/"+at.Prefix, named), nil
}

// OfBucket returns the address that gocloud opens. It has no path, because
// gocloud takes a path for a part of the bucket's name, or ignores it.
func (a BucketAddress) OfBucket() string { return a.at("", a.query) }

// String returns the bucket and the prefix, for messages.
func (a BucketAddress) String() string { return a.at("/"+a.Prefix, nil) }

func (a BucketAddress) at(path string, query url.Values) string {
	address := url.URL{
		Scheme:   a.scheme,
		Host:     a.Bucket,
		Path:     strings.TrimSuffix(path, "/"),
		RawQuery: query.Encode(),
	}
	return address.String()
}

// ParseBucketAddress parses an address. No error repeats a part of the address
// that may be secret: a key that somebody has written into it would appear in
// the logs.
func ParseBucketAddress(text string) (BucketAddress, error) {
	parsed, err := url.Parse(text)
	if err != nil {
		return BucketAddress{}, fmt.Errorf("must be the address of a bucket, as in %s", exampleS3)
	}
	allowed, isKnown := parameters[parsed.Scheme]
	switch {
	case !isKnown:
		return BucketAddress{}, fmt.Errorf("must be an address as %s, %s or %s", exampleS3, exampleGS, exampleAzure)
	case parsed.User != nil:
		return BucketAddress{}, errors.New(
			"must not carry a user name or a password: credentials come from the environment, as for the cloud's own " +
				"tools",
		)
	case strings.Contains(text, "#"):
		return BucketAddress{}, errors.New("must not carry a fragment")
	case !bucketName.MatchString(parsed.Host):
		return BucketAddress{}, errors.New("must name a bucket after ://, without a port")
	}
	prefix := strings.TrimSuffix(strings.TrimPrefix(parsed.Path, "/"), "/")
	if prefix != "" && !isPrefix(prefix) {
		return BucketAddress{}, errors.New(
			`must have a prefix of names between single slashes, without spaces, control characters and any of "#%?\`,
		)
	}
	query, err := parseQuery(parsed.RawQuery, allowed)
	if err != nil {
		return BucketAddress{}, err
	}
	return BucketAddress{
		scheme: parsed.Scheme,
		Bucket: parsed.Host,
		Prefix: prefix,
		query:  query,
	}, nil
}

func isPrefix(prefix string) bool {
	for part := range strings.SplitSeq(prefix, "/") {
		if part == "" || part == "." || part == ".." || strings.ContainsFunc(part, isRewritten) {
			return false
		}
	}
	return utf8.ValidString(prefix)
}

// isRewritten reports whether a driver may change a character in a key; each
// driver changes different ones. Without such characters a prefix is equal in
// every tool.
func isRewritten(r rune) bool {
	return strings.ContainsRune(`"#%?\`, r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
}

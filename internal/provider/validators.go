package provider

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"golang.org/x/net/http/httpguts"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// serviceAddress rejects a text that cannot be the address of a service.
// Whether http is allowed depends on a second attribute: see settings.address.
func serviceAddress(query bool) validator.String {
	return framework.StringRule{
		Summary: "Invalid Address",
		Must:    "must be an https address",
		Check: func(text string) error {
			_, err := parseAddress(text, query)
			return err
		},
	}
}

// bookName rejects a text that is neither the path of a file nor the address of
// a bucket.
func bookName() validator.String {
	return framework.StringRule{
		Summary: "Invalid Purchase Log",
		Must:    "must be the path of a file, or the address of a bucket",
		Check:   checkBookName,
	}
}

func checkBookName(name string) error {
	scheme, _, _ := strings.Cut(name, "://")
	if slices.Contains([]string{"s3", "gs", "azblob"}, scheme) {
		return purchases.CheckBucketAddress(name)
	}
	return framework.LocalPath().Check(name)
}

// parseAddress parses an http(s) address without userinfo or fragment, and
// without a query unless allowed. It drops a trailing slash.
func parseAddress(text string, query bool) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case !strings.Contains(text, "://"):
		// Without it, a host with a port is parsed as a path, or as a scheme.
		return nil, errors.New(
			"has no https:// in front, as in https://api.example.com (or http://, for a service on loopback)",
		)
	case err != nil:
		// The parser's error repeats the text, which may contain a password.
		return nil, errors.New("cannot be read as a URL")
	case address.Scheme != "https" && address.Scheme != "http":
		return nil, errors.New("must start with https:// (or http:// on loopback)")
	case address.Hostname() == "":
		return nil, errors.New("names no host")
	case address.User != nil:
		return nil, errors.New("must not carry a user name or a password")
	case !query && (address.RawQuery != "" || address.ForceQuery):
		return nil, errors.New("must not carry a query")
	case address.Fragment != "" || strings.Contains(text, "#"):
		return nil, errors.New("must not carry a fragment")
	}
	address.Path = strings.TrimRight(address.Path, "/")
	address.RawPath = strings.TrimRight(address.RawPath, "/")
	return address, nil
}

var versionSegment = regexp.MustCompile(`/v[0-9]+$`)

// authAddress returns base_url without its version: the address where tokens
// are exchanged.
func authAddress(base *url.URL) (*url.URL, error) {
	if !versionSegment.MatchString(base.Path) {
		return nil, errors.New(
			"must end in the service's version, as in https://api.example.com/v2; an address without one needs " +
				"auth_url too, unless the credential is an access_token",
		)
	}
	auth := *base
	auth.RawPath = ""
	auth.Path = strings.TrimRight(versionSegment.ReplaceAllString(base.Path, ""), "/")
	if versionSegment.MatchString(auth.Path) {
		return nil, fmt.Errorf("ends in a version twice (%s)", base.Path)
	}
	return &auth, nil
}

// credentialValue rejects characters that no HTTP header can contain, and
// characters that were copied along with a credential. It never repeats the
// value.
func credentialValue() framework.StringRule {
	return framework.StringRule{
		Summary: "Invalid Credential",
		Must:    "must not contain line breaks or other control characters",
		Check: func(value string) error {
			switch {
			case strings.TrimSpace(value) == "":
				return errors.New("is empty or blank")
			case strings.TrimSpace(value) != value:
				return errors.New(
					"begins or ends with white space; a line break at the end often comes from reading it from a " +
						"file (use trimspace)",
				)
			}
			if err := checkCopied(value); err != nil {
				return err
			}
			return headerValue().Check(value)
		},
	}
}

var bearer = regexp.MustCompile(`(?i)^bearer\s`)

// checkCopied names characters around a credential that do not belong to it.
func checkCopied(value string) error {
	const mark = "\ufeff"
	switch {
	case strings.HasPrefix(value, mark), strings.HasSuffix(value, mark):
		return errors.New("has a byte order mark around it, which editors on Windows put into files. Save the file " +
			"as UTF-8 without one")
	case isQuoted(value):
		return errors.New("is in quotes, which would be sent as part of it. Remove them")
	case bearer.MatchString(value):
		return errors.New(`begins with "Bearer", which is not part of it: the provider sends that itself. Remove it`)
	default:
		return nil
	}
}

// isQuoted reports whether a value has quotes around it that a shell or a YAML
// file has left.
func isQuoted(value string) bool {
	for _, quotes := range []string{`""`, "''", "``", "“”", "‘’"} {
		pair := []rune(quotes)
		if strings.HasPrefix(value, string(pair[0])) && strings.HasSuffix(value, string(pair[1])) {
			return true
		}
	}
	return false
}

// headerName rejects an invalid name of an HTTP header.
func headerName() framework.StringRule {
	return framework.StringRule{
		Summary: "Invalid Header",
		Must:    "must be the name of an HTTP header",
		Check: func(name string) error {
			if !httpguts.ValidHeaderFieldName(name) {
				return fmt.Errorf("has %q, which is not the name of an HTTP header", name)
			}
			return nil
		},
	}
}

// headerValue rejects characters that no HTTP header can contain. It never
// repeats the value.
func headerValue() framework.StringRule {
	return framework.StringRule{
		Summary: "Invalid Header",
		Must:    "must not contain control characters",
		Check: func(value string) error {
			if !httpguts.ValidHeaderFieldValue(value) {
				return errors.New("holds control characters, so that it cannot be sent in a header")
			}
			return nil
		},
	}
}

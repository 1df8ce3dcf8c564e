package provider

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/net/http/httpguts"
)

// serviceAddress rejects what cannot be the address of a service. Whether http
// is allowed depends on another attribute; configure checks that.
type serviceAddress struct{ query bool }

func (serviceAddress) Description(context.Context) string { return "must be an https address" }

func (v serviceAddress) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v serviceAddress) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := parseAddress(req.ConfigValue.ValueString(), v.query); err != nil {
		attributeError(&resp.Diagnostics, req.Path, false, "", "Invalid Address", err)
	}
}

// parseAddress parses an http(s) address without userinfo or fragment, and
// without a query unless allowed. It drops a trailing slash.
func parseAddress(text string, query bool) (*url.URL, error) {
	address, err := url.Parse(text)
	switch {
	case !strings.Contains(text, "://"):
		// Without it, a host with a port reads as a path, or as a scheme.
		return nil, errors.New("has no https:// in front (or http://, for a service on loopback)")
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

func isLoopback(address *url.URL) bool {
	if strings.EqualFold(address.Hostname(), "localhost") {
		return true
	}
	ip := net.ParseIP(address.Hostname())
	return ip != nil && ip.IsLoopback()
}

var versionSegment = regexp.MustCompile(`/v[0-9]+$`)

// authAddress returns base without its version segment.
func authAddress(base *url.URL) (*url.URL, error) {
	if !versionSegment.MatchString(base.Path) {
		return nil, errors.New("must end in the service's version, as in https://api.example.com/v2; an address without one needs auth_url too")
	}
	auth := *base
	auth.RawPath = ""
	auth.Path = strings.TrimRight(versionSegment.ReplaceAllString(base.Path, ""), "/")
	if versionSegment.MatchString(auth.Path) {
		return nil, fmt.Errorf("ends in a version twice (%s)", base.Path)
	}
	return &auth, nil
}

// positiveDuration rejects anything but a positive duration.
type positiveDuration struct{}

func (positiveDuration) Description(context.Context) string {
	return "must be a duration above zero, as in 90s or 10m"
}

func (v positiveDuration) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v positiveDuration) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if _, err := parseDuration(req.ConfigValue.ValueString()); err != nil {
		attributeError(&resp.Diagnostics, req.Path, false, "", "Invalid Duration", err)
	}
}

func parseDuration(text string) (time.Duration, error) {
	duration, err := time.ParseDuration(text)
	if err != nil || duration <= 0 {
		return 0, fmt.Errorf("is %q, and must be a duration above zero, as in 90s or 10m", text)
	}
	return duration, nil
}

// headerText rejects credentials that no HTTP header can carry. It never
// repeats the value.
type headerText struct{}

func (headerText) Description(context.Context) string {
	return "must not contain line breaks or other control characters"
}

func (v headerText) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v headerText) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := checkHeaderText(req.ConfigValue.ValueString()); err != nil {
		attributeError(&resp.Diagnostics, req.Path, false, "", "Invalid Credential", err)
	}
}

func checkHeaderText(value string) error {
	switch {
	case strings.TrimSpace(value) == "":
		return errors.New("is empty or blank")
	case strings.TrimSpace(value) != value:
		return errors.New("begins or ends with white space; a line break at the end often comes from reading it from a file (use trimspace)")
	case !httpguts.ValidHeaderFieldValue(value):
		return errors.New("holds control characters, so that it cannot be sent in a header")
	}
	return nil
}

// headerMap rejects header names and values that cannot be sent.
type headerMap struct{}

func (headerMap) Description(context.Context) string { return "must be HTTP headers" }

func (v headerMap) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (v headerMap) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	for name, value := range req.ConfigValue.Elements() {
		text, known := knownText(value)
		if !known {
			continue
		}
		if err := checkHeader(name, text); err != nil {
			attributeError(&resp.Diagnostics, req.Path.AtMapKey(name), false, "", "Invalid Header", err)
		}
	}
}

func checkHeader(name, value string) error {
	if !httpguts.ValidHeaderFieldName(name) {
		return fmt.Errorf("has %q, which is not the name of an HTTP header", name)
	}
	if !httpguts.ValidHeaderFieldValue(value) {
		return fmt.Errorf("holds control characters, in the header %q", name)
	}
	return nil
}

// knownText returns the text of a known, non-null element.
func knownText(value attr.Value) (string, bool) {
	text, ok := value.(types.String)
	return text.ValueString(), ok && !text.IsNull() && !text.IsUnknown()
}

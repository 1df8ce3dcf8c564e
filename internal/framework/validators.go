package framework

import (
	"context"
	"net/url"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// stringRule is a string validator; problem returns "" for a valid value.
type stringRule struct {
	description string
	problem     func(value string) string
}

func (r stringRule) Description(context.Context) string { return r.description }

func (r stringRule) MarkdownDescription(context.Context) string { return r.description }

func (r stringRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if problem := r.problem(req.ConfigValue.ValueString()); problem != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid Value", problem)
	}
}

// Text rejects NUL, the one character that no text for the service may contain.
// Texts are sent unchanged.
func Text() validator.String {
	return stringRule{"must not contain NUL", func(value string) string {
		if strings.ContainsRune(value, 0) {
			return "The text contains a NUL character, which the service cannot store."
		}
		return ""
	}}
}

// NotBlank rejects texts that contain only white space.
func NotBlank() validator.String {
	return stringRule{"must not be blank", func(value string) string {
		if strings.TrimSpace(value) == "" {
			return "The text is empty or blank."
		}
		return ""
	}}
}

// ID rejects what cannot be an id of the service: it becomes a path segment,
// and a mistake must not turn into a request for something else.
func ID() validator.String {
	return stringRule{"must be an id of the service", func(value string) string {
		switch {
		case strings.TrimSpace(value) == "":
			return "The id is empty or blank."
		case strings.TrimSpace(value) != value:
			return "The id begins or ends with white space."
		case value == "." || value == "..":
			return "The id is a relative path."
		case strings.ContainsFunc(value, unicode.IsControl):
			return "The id contains a control character."
		}
		return ""
	}}
}

// MediaAddress rejects anything but an http(s) address.
func MediaAddress() validator.String {
	return stringRule{"must be an http or https address", func(value string) string {
		address, err := url.Parse(value)
		switch {
		case err != nil:
			return "The address cannot be read as a URL."
		case address.Scheme != "http" && address.Scheme != "https":
			return "The address must start with https:// or http://."
		case address.Hostname() == "":
			return "The address names no host."
		case address.User != nil:
			return "The address must not carry a user name or a password: it is sent to the service and stored in state."
		}
		return ""
	}}
}

package framework

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// InvalidValue is an error about a value of the configuration. The problem is a
// sentence without its subject, as in "is empty or blank". The subject is the
// attribute's path, since CLIs print no path within an attribute.
func InvalidValue(at path.Path, problem string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Invalid Value", Problem(at, problem))
}

// Problem is the detail of InvalidValue, for errors with a summary of their own.
func Problem(at path.Path, problem string) string {
	return fmt.Sprintf("%s %s", at, Sentence(problem))
}

// Sentence ends a text with one full stop. Those of the service and of the
// system may have one.
func Sentence(text string) string { return strings.TrimRight(text, ". \n") + "." }

// stringRule is a string validator; problem returns "" for a valid value, else
// what InvalidValue takes.
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
		resp.Diagnostics.Append(InvalidValue(req.Path, problem))
	}
}

// Text rejects NUL, the one character that no text for the service may contain.
// Texts are sent unchanged.
func Text() validator.String {
	return stringRule{"must not contain NUL", func(value string) string {
		if strings.ContainsRune(value, 0) {
			return "contains a NUL character, which the service cannot store"
		}
		return ""
	}}
}

// NotBlank rejects texts that contain only white space.
func NotBlank() validator.String {
	return stringRule{"must not be blank", func(value string) string {
		if strings.TrimSpace(value) == "" {
			return "is empty or blank"
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
			return "is empty or blank"
		case strings.TrimSpace(value) != value:
			return "begins or ends with white space"
		case value == "." || value == "..":
			return "is a relative path, and no id"
		case strings.ContainsFunc(value, unicode.IsControl):
			return "contains a control character"
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
			return "cannot be read as a URL"
		case address.Scheme != "http" && address.Scheme != "https":
			return "must start with https:// or http://"
		case address.Hostname() == "":
			return "names no host"
		case address.User != nil:
			return "must not carry a user name or a password: the address is sent to the service and stored in state"
		}
		return ""
	}}
}

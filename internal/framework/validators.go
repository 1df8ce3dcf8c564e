package framework

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// StringRule is a string validator.
type StringRule struct {
	Must string // as in "must not be blank"
	// Check returns the problem with a value, in the form of InvalidValue.
	Check   func(value string) error
	Summary string // "Invalid Value" if it is empty
}

// Description implements validator.Describer.
func (r StringRule) Description(context.Context) string { return r.Must }

// MarkdownDescription implements validator.Describer.
func (r StringRule) MarkdownDescription(context.Context) string { return r.Must }

// ValidateString implements validator.String.
func (r StringRule) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if err := r.Check(req.ConfigValue.ValueString()); err != nil {
		resp.Diagnostics.AddAttributeError(
			req.Path,
			cmp.Or(r.Summary, "Invalid Value"),
			Problem(req.Path, err.Error()),
		)
	}
}

// Text rejects NUL, the only character that the service cannot store. Texts are
// sent unchanged.
func Text() StringRule {
	return StringRule{Must: "must not contain NUL", Check: func(value string) error {
		if strings.ContainsRune(value, 0) {
			return errors.New("contains a NUL character, which the service cannot store")
		}
		return nil
	}}
}

// NotBlank rejects texts that contain only white space.
func NotBlank() StringRule {
	return StringRule{Must: "must not be blank", Check: func(value string) error {
		if strings.TrimSpace(value) == "" {
			return errors.New("is empty or blank")
		}
		return nil
	}}
}

// ID rejects a text that cannot be an id of the service. An id becomes a path
// segment, and a mistake must not become a request for a different object.
func ID() StringRule {
	return StringRule{Must: "must be an id of the service", Check: func(value string) error {
		switch {
		case strings.TrimSpace(value) == "":
			return errors.New("is empty or blank")
		case strings.TrimSpace(value) != value:
			return errors.New("begins or ends with white space")
		case value == "." || value == "..":
			return errors.New("is a relative path, and no id")
		case strings.ContainsFunc(value, unicode.IsControl):
			return errors.New("contains a control character")
		}
		return nil
	}}
}

// MediaAddress rejects a text that is neither an HTTP address nor a short data
// URI.
func MediaAddress() StringRule {
	return StringRule{
		Must: "must be an http or https address, or a data URI of at most 64 KiB",
		Check: func(value string) error {
			if scheme, rest, _ := strings.Cut(value, ":"); strings.EqualFold(scheme, "data") {
				return checkDataURI(rest, len(value))
			}
			address, err := url.Parse(value)
			switch {
			case err != nil:
				return errors.New("cannot be read as a URL")
			case address.Scheme != "http" && address.Scheme != "https":
				return errors.New("must begin with https://, http:// or the scheme data")
			case address.Hostname() == "":
				return errors.New("names no host")
			case address.User != nil:
				return errors.New(
					"must not carry a user name or a password: the address is sent to the service and stored in state",
				)
			}
			return nil
		},
	}
}

// checkDataURI rejects a data URI that no service could decode, or that is too
// large for a state.
func checkDataURI(rest string, size int) error {
	_, data, found := strings.Cut(rest, ",")
	switch {
	case !found || data == "":
		return errors.New("is a data URI without data: it must look like data:image/png;base64,iVBOR…")
	case strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return errors.New("is a data URI that contains white space or a control character")
	case size > maxAddress:
		return fmt.Errorf(
			"has %d bytes, and a data URI may have at most %d (64 KiB): Terraform prints and stores it whole. Give "+
				"the http or https address of the file",
			size,
			maxAddress,
		)
	}
	return nil
}

// LocalPath rejects a text that no system accepts as the path of a file, even
// if a shell or a browser would expand it.
func LocalPath() StringRule {
	return StringRule{Must: "must be a local path", Check: func(value string) error {
		scheme, _, hasScheme := strings.Cut(value, ":")
		scheme = strings.ToLower(scheme)
		switch {
		case strings.HasPrefix(value, "~/"), strings.HasPrefix(value, `~\`), value == "~":
			return errors.New(
				`begins with ~, which only shells know: give the whole path, in a configuration by pathexpand("~/…")`,
			)
		case hasScheme && scheme == "file":
			return errors.New("is a file: address, and must be a path: leave out file:// and what encodes characters")
		case hasScheme && scheme == "data" && strings.Contains(value, ","):
			return errors.New("is a data URI, and must be the path of a local file: write what it has to a file")
		case addressPattern.MatchString(value):
			return errors.New("is an address, and must be a local path: download the file first, and give its path")
		}
		return nil
	}}
}

var addressPattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// noNulls rejects null elements.
type noNulls struct{}

// NoNulls rejects null elements of a list, each by its path.
func NoNulls() validator.List { return noNulls{} }

// NoNullsInSet rejects null elements of a set.
func NoNullsInSet() validator.Set { return noNulls{} }

func (noNulls) Description(context.Context) string { return "must not have null elements" }

func (v noNulls) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (noNulls) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	for i, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			resp.Diagnostics.Append(InvalidValue(req.Path.AtListIndex(i), "is null"))
		}
	}
}

func (noNulls) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	for _, element := range req.ConfigValue.Elements() {
		if element.IsNull() {
			resp.Diagnostics.Append(InvalidValue(req.Path, "has a null element"))
		}
	}
}

// NotEmpty rejects lists, maps and sets without elements, and objects without a
// set attribute.
type NotEmpty struct{}

// Description implements validator.Describer.
func (NotEmpty) Description(context.Context) string { return "must not be empty" }

// MarkdownDescription implements validator.Describer.
func (v NotEmpty) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateList implements validator.List.
func (NotEmpty) ValidateList(_ context.Context, req validator.ListRequest, resp *validator.ListResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

// ValidateMap implements validator.Map.
func (NotEmpty) ValidateMap(_ context.Context, req validator.MapRequest, resp *validator.MapResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

// ValidateSet implements validator.Set.
func (NotEmpty) ValidateSet(_ context.Context, req validator.SetRequest, resp *validator.SetResponse) {
	checkNotEmpty(req.Path, req.ConfigValue, len(req.ConfigValue.Elements()), &resp.Diagnostics)
}

// ValidateObject implements validator.Object. CLIs drop unknown names, so a
// misspelt key leaves an empty object behind, and the intended setting would
// silently be missing.
func (NotEmpty) ValidateObject(ctx context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	for _, value := range req.ConfigValue.Attributes() {
		if !value.IsNull() {
			return
		}
	}
	names := slices.Sorted(maps.Keys(req.ConfigValue.AttributeTypes(ctx)))
	resp.Diagnostics.Append(InvalidValue(req.Path, fmt.Sprintf(
		"has nothing in it. It may have: %s. Terraform and OpenTofu drop other names without a word. Correct the "+
			"name, or remove the object",
		strings.Join(names, ", "),
	)))
}

func checkNotEmpty(at path.Path, value attr.Value, count int, diags *diag.Diagnostics) {
	if count == 0 && !value.IsNull() && !value.IsUnknown() {
		diags.Append(InvalidValue(at, "is empty, and must have at least one element"))
	}
}

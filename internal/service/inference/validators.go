package inference

import (
	"context"
	"encoding/json"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// imageAddress rejects what is neither an http(s) address nor a data URI.
type imageAddress struct{}

func (imageAddress) Description(context.Context) string {
	return "must be an http or https address, or a data URI"
}

func (v imageAddress) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (imageAddress) ValidateString(ctx context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	scheme, rest, _ := strings.Cut(req.ConfigValue.ValueString(), ":")
	if !strings.EqualFold(scheme, "data") {
		framework.MediaAddress().ValidateString(ctx, req, resp)
		return
	}
	_, data, found := strings.Cut(rest, ",")
	switch {
	case !found || data == "":
		resp.Diagnostics.Append(framework.InvalidValue(req.Path, "is a data URI without data: it must look like data:image/png;base64,iVBOR…"))
	case strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		resp.Diagnostics.Append(framework.InvalidValue(req.Path, "is a data URI that contains white space or a control character"))
	}
}

// jsonObject rejects what is not a JSON object.
type jsonObject struct{}

func (jsonObject) Description(context.Context) string { return "must be a JSON object" }

func (v jsonObject) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

func (jsonObject) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	text := req.ConfigValue.ValueString()
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
		resp.Diagnostics.Append(framework.InvalidValue(req.Path, "must be a JSON object, as in jsonencode({ type = \"object\" })"))
	}
}

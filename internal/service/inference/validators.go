package inference

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// imageAddress rejects what is neither an http(s) address nor a data URI.
func imageAddress() framework.StringRule {
	return framework.StringRule{Must: "must be an http or https address, or a data URI", Check: func(value string) error {
		scheme, rest, _ := strings.Cut(value, ":")
		if !strings.EqualFold(scheme, "data") {
			return framework.MediaAddress().Check(value)
		}
		_, data, found := strings.Cut(rest, ",")
		switch {
		case !found || data == "":
			return errors.New("is a data URI without data: it must look like data:image/png;base64,iVBOR…")
		case strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
			return errors.New("is a data URI that contains white space or a control character")
		}
		return nil
	}}
}

// jsonObject rejects what is not a JSON object.
func jsonObject() framework.StringRule {
	return framework.StringRule{Must: "must be a JSON object", Check: func(text string) error {
		if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return errors.New("must be a JSON object, as in jsonencode({ type = \"object\" })")
		}
		return nil
	}}
}

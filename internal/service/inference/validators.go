package inference

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// jsonObject rejects what is not a JSON object.
func jsonObject() framework.StringRule {
	return framework.StringRule{Must: "must be a JSON object", Check: func(text string) error {
		if !json.Valid([]byte(text)) || !strings.HasPrefix(strings.TrimSpace(text), "{") {
			return errors.New("must be a JSON object, as in jsonencode({ type = \"object\" })")
		}
		return nil
	}}
}

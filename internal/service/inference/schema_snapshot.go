package inference

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func (s *snapshot[I, R]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := framework.Attributes(s.fields)
	maps.Copy(attributes, s.inputs)
	attributes["id"] = framework.ComputedText("Id of the reply, or one that begins with `snapshot-` if it has none.")
	attributes["triggers"] = schema.MapAttribute{
		Optional: true, ElementType: types.StringType,
		MarkdownDescription: "Arbitrary values, which are not sent. A change asks the service again.",
	}
	counts := "no limit counts it"
	if s.purchase != "" {
		counts = "it counts as a purchase"
		maps.Copy(attributes, framework.TallyAttributes("images", s.purchase))
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: s.description + "\n\n" +
			"Create asks the service; the cost is not documented, and " + counts + ". Refresh and destroy send nothing. A change of any argument asks the service again. " +
			"See [Inference](../guides/inference.md)." + s.note,
		Attributes: attributes,
	}
}

// requiredText is a text that must be set.
func requiredText(description string, rules ...validator.String) schema.StringAttribute {
	return schema.StringAttribute{
		Required: true, MarkdownDescription: description, Validators: append([]validator.String{framework.Text()}, rules...),
	}
}

// optionalText is a text that may be left out.
func optionalText(description string, rules ...validator.String) schema.StringAttribute {
	text := requiredText(description, rules...)
	text.Required, text.Optional = false, true
	return text
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

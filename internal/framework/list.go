package framework

import (
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Limited ends a query's results after the limit, so that nothing beyond it is
// read from the service.
func Limited(limit int64, results iter.Seq[list.ListResult]) iter.Seq[list.ListResult] {
	return func(yield func(list.ListResult) bool) {
		if limit <= 0 {
			return
		}
		left := limit
		for result := range results {
			if result.Identity != nil {
				left--
			}
			if !yield(result) || left == 0 {
				return
			}
		}
	}
}

// maxName limits the name of a result.
const maxName = 200

// Listed returns one result of a query: always the identity, and the resource
// if requested. Its name is the first that has something to show.
func Listed(ctx context.Context, req list.ListRequest, identity, model any, names ...string) list.ListResult {
	result := req.NewListResult(ctx)
	for _, name := range names {
		result.DisplayName = cmp.Or(result.DisplayName, transport.Sanitize(name, maxName))
	}
	result.Diagnostics.Append(result.Identity.Set(ctx, identity)...)
	if req.IncludeResource {
		result.Diagnostics.Append(result.Resource.Set(ctx, model)...)
	}
	return result
}

// ListMessage returns a result that is only a message. An error ends the query.
func ListMessage(message diag.Diagnostic) list.ListResult {
	return list.ListResult{Diagnostics: diag.Diagnostics{message}}
}

// ConfigurableText returns a text of the service as generated configuration can
// contain it, else null, which leaves it as it is. Validation rejects blank
// texts, and the CLI writes a JSON object or list as a call of jsonencode,
// whose result may differ in white space.
func ConfigurableText(text types.String) types.String {
	trimmed := strings.TrimSpace(text.ValueString())
	isJSON := (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) && json.Valid([]byte(trimmed))
	if trimmed == "" || isJSON || strings.ContainsRune(trimmed, 0) {
		return types.StringNull()
	}
	return text
}

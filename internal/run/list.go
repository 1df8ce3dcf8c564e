package run

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/list"
	"github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// List describes a list resource: the input of a query, and how results are
// read.
type List struct {
	Name, Noun  string // Name is without the provider's name; Noun is for messages
	Description string
	// Input names the only attribute. If the attribute is required, it is the
	// character, and a 404 is reported on it.
	Input     string
	Attribute schema.StringAttribute
	// Read adds its findings to the results until Add returns false.
	Read func(ctx context.Context, data *ProviderData, input types.String, results *Results) error
}

// New returns the list resource.
func (l List) New() list.ListResource { return &listResource{Resource{Name: l.Name}, l} }

// Results collects the findings of a query.
type Results struct {
	list.ListRequest
	remaining int64
	yield     func(list.ListResult) bool
}

// Add adds a result: its identity, and the resource if it was requested. The
// result is shown under the first of the names with visible text. Add reports
// whether more results are wanted, so that nothing beyond the limit is read.
func (r *Results) Add(ctx context.Context, identity, model any, names ...string) (more bool) {
	const maxName = 200
	result := r.NewListResult(ctx)
	for _, name := range names {
		result.DisplayName = cmp.Or(result.DisplayName, reply.Shown(name, maxName))
	}
	result.Diagnostics.Append(result.Identity.Set(ctx, identity)...)
	if r.IncludeResource {
		result.Diagnostics.Append(result.Resource.Set(ctx, model)...)
	}
	r.remaining--
	return r.yield(result) && r.remaining > 0
}

// Say adds a message. It reports whether results are still wanted.
func (r *Results) Say(message diag.Diagnostic) (more bool) {
	return r.yield(list.ListResult{Diagnostics: diag.Diagnostics{message}})
}

// listResource is the list resource that a List describes.
type listResource struct {
	Resource
	of List
}

// ListResourceConfigSchema returns the input of the List.
func (l *listResource) ListResourceConfigSchema(
	_ context.Context,
	_ list.ListResourceSchemaRequest,
	resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: l.of.Description,
		Attributes:          map[string]schema.Attribute{l.of.Input: l.of.Attribute},
	}
}

// List sends results while they are read, so that the limit of a query ends the
// reading.
func (l *listResource) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	var input types.String
	diags := req.Config.GetAttribute(ctx, path.Root(l.of.Input), &input)
	if diags.HasError() || !l.Data.Ready(&diags) {
		stream.Results = list.ListResultsStreamDiagnostics(diags)
		return
	}
	stream.Results = func(yield func(list.ListResult) bool) {
		if req.Limit <= 0 {
			return
		}
		results := &Results{req, req.Limit, yield}
		if err := l.of.Read(ctx, l.Data, input, results); err != nil {
			failure := framework.Failure{Verb: "List", Noun: l.of.Noun}
			if l.of.Attribute.Required {
				failure.Object = fmt.Sprintf("character %q", input.ValueString())
				failure.NotFound = path.Root(l.of.Input)
			}
			results.Say(failure.Error(err))
		}
	}
}

// ConfigurableText returns a text if generated configuration can contain it, or
// else null. Validation rejects blank texts. The CLI writes JSON as a call of
// jsonencode, which changes the white space.
func ConfigurableText(text types.String) types.String {
	if value := text.ValueString(); strings.TrimSpace(value) == "" || prompts.IsJSON(value) ||
		strings.ContainsRune(value, 0) {
		return types.StringNull()
	}
	return text
}

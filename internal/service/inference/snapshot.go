package inference

import (
	"context"
	"crypto/rand"
	"errors"
	"maps"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var (
	_ resource.ResourceWithConfigure   = (*snapshot[imageModel])(nil)
	_ resource.ResourceWithImportState = (*snapshot[imageModel])(nil)
	_ resource.ResourceWithModifyPlan  = (*snapshot[imageModel])(nil)
)

// snapshot is the resource of every type of this package; M is the type's
// model.
type snapshot[M any] struct {
	framework.Resource

	// name is the type's name without the provider's; noun is for messages.
	name, noun string
	// description begins the type's documentation.
	description string
	// attributes are the type's own; those that are not computed are inputs.
	attributes func() map[string]schema.Attribute
	// infer sends the request and stores the reply.
	infer func(*M, context.Context, *api.Client) error
	// addresses, if not nil, returns the addresses of a reply.
	addresses func(*M) []string
	// warn, if not nil, checks a plan that will send a request.
	warn func(context.Context, tfsdk.Plan, *diag.Diagnostics)
}

// snapshotModel is what the models share.
type snapshotModel struct {
	ID       types.String `tfsdk:"id"`
	Triggers types.Map    `tfsdk:"triggers"`
}

// identify takes the service's id, or generates one: not every reply has one.
func (m *snapshotModel) identify(id *string) {
	if id == nil || *id == "" {
		generated := "snapshot-" + strings.ToLower(rand.Text())
		id = &generated
	}
	m.ID = types.StringPointerValue(id)
}

func (s *snapshot[M]) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_" + s.name
}

func (s *snapshot[M]) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Computed:            true,
			MarkdownDescription: "Id that the service gave its answer; a random one, beginning with `snapshot-`, if it gave none.",
		},
		"triggers": schema.MapAttribute{
			Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Values of your own, which are not sent; leaving it out and `{}` are the same.",
		},
	}
	maps.Copy(attributes, s.attributes())
	replaceOnChange(attributes)
	resp.Schema = schema.Schema{
		MarkdownDescription: s.description + "\n\n" +
			"The service is asked **once, at create**: refresh and plan never ask, a change of an input or of `triggers` asks again. It cannot be imported. " +
			"See [Inference](../guides/inference.md).",
		Attributes: attributes,
	}
}

// ModifyPlan keeps the reply if no input changes. An unknown id means that the
// apply sends a request.
func (s *snapshot[M]) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return
	}
	if !req.State.Raw.IsNull() && sameInputs(ctx, req, &resp.Diagnostics) {
		// A change of notation has made all outputs unknown. Terraform wants
		// triggers as they are written.
		var triggers types.Map
		resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("triggers"), &triggers)...)
		resp.Plan.Raw = req.State.Raw
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("triggers"), triggers)...)
		return
	}
	if s.warn != nil {
		s.warn(ctx, req.Plan, &resp.Diagnostics)
	}
}

// Create sends the request. An error leaves nothing in the state.
func (s *snapshot[M]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	// The configuration is the plan without its unknown outputs.
	var model M
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || !s.Data.Ready(&resp.Diagnostics) {
		return
	}
	if err := s.infer(&model, ctx, s.Data.Client); err != nil {
		resp.Diagnostics.Append(s.failure(err))
		return
	}
	if s.addresses != nil {
		framework.WarnOfOmitted(&resp.Diagnostics, "mediagen_"+s.name, nil, s.addresses(&model))
	}
	resp.Diagnostics.Append(framework.Publish(ctx, &resp.State, nil, &model, nil)...)
}

func (s *snapshot[M]) failure(err error) diag.Diagnostic {
	failure := framework.Failure{
		Verb: "Create", Noun: s.noun, Consequence: "Nothing was stored. The next apply asks again.",
		Fields: map[string]path.Path{"autoTurn": path.Root("auto_turn")},
	}
	for name, attribute := range s.attributes() {
		if !attribute.IsComputed() {
			failure.Fields[name] = path.Root(name)
		}
	}
	var job *api.CategorizationJobError
	switch {
	case errors.As(err, &job):
		failure.Consequence = "The service works on the medium as a job, and its interface has no way to read what comes out of it. Nothing was stored; the job may be charged. " +
			"Give media_url the address of an image, or of a shorter video."
	case api.IsOutcomeUnknown(err):
		failure.Consequence = "The service may have answered, and charged for it, but the answer is lost. Nothing was stored, and the request was not repeated. " +
			"The next apply asks again, which may be charged again."
	}
	return failure.Error(err)
}

// Read keeps the state: the service is never asked again.
func (s *snapshot[M]) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update stores triggers whose notation changed: every other change replaces.
func (s *snapshot[M]) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// Delete forgets the reply.
func (s *snapshot[M]) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// ImportState says that import is not possible.
func (s *snapshot[M]) ImportState(_ context.Context, _ resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	resp.Diagnostics.AddError("Import Not Possible", "The service cannot be asked for an earlier answer, so there is nothing to import. Nothing was sent. "+
		"Remove the import and apply: a new "+strings.ToLower(s.noun)+" is created, which asks the service once.")
}

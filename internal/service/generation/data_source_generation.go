package generation

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*generationDataSource)(nil)

func newGenerationDataSource() datasource.DataSource { return &generationDataSource{} }

type generationDataSource struct{ framework.DataSource }

// statusModel is everything in a status.
type statusModel struct {
	ID                  types.String `tfsdk:"id"`
	GroupID             types.String `tfsdk:"group_id"`
	GenerationType      types.String `tfsdk:"generation_type"`
	Status              types.String `tfsdk:"status"`
	Progress            types.Int64  `tfsdk:"progress"`
	ResultURLs          []string     `tfsdk:"result_urls"`
	Error               types.String `tfsdk:"error"`
	CreatedAt           types.String `tfsdk:"created_at"`
	Prompt              types.String `tfsdk:"prompt"`
	Service             types.String `tfsdk:"service"`
	PerformanceMetadata types.String `tfsdk:"performance_metadata"`
}

func (d *generationDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_generation"
}

func (d *generationDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(description string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: description}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "One generation, always read anew: signed result addresses are fresh.",
		Attributes: map[string]schema.Attribute{
			"id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Id of the generation. Null, as of a prompt that was rejected or not submitted, means that there is no generation: nothing is read, and everything is null or empty.",
				Validators:          []validator.String{framework.ID()},
			},
			"group_id":        text("Group that it belongs to."),
			"generation_type": text("Kind of generation, as the service calls it."),
			"status":          text("Status in the service's words."),
			"progress":        schema.Int64Attribute{Computed: true, MarkdownDescription: "Progress as the service reports it; unit not documented, usually percent."},
			"result_urls": schema.ListAttribute{
				Computed: true, ElementType: types.StringType,
				MarkdownDescription: "Addresses of the results." + framework.AddressNote,
			},
			"error":                text("Why it failed, if it did."),
			"created_at":           text("When it was created, as the service gives it."),
			"prompt":               text("The prompt that it renders."),
			"service":              text("Which service rendered it."),
			"performance_metadata": text("Free-form measurements of the service, as JSON."),
		},
	}
}

// Read reads the generation's status.
func (d *generationDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model statusModel
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("id"), &model.ID)...)
	if resp.Diagnostics.HasError() {
		return
	}
	if model.ID.IsNull() {
		model.ResultURLs = []string{}
		resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
		return
	}
	if !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	status, err := d.Data.Client.Generation(ctx, model.ID.ValueString())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Generation", Object: fmt.Sprintf("generation %q", model.ID.ValueString()), NotFound: path.Root("id"),
		}.Error(err))
		return
	}
	model.GroupID = types.StringPointerValue(status.GroupID)
	model.GenerationType = types.StringPointerValue(status.GenerationType)
	model.Status = types.StringPointerValue(status.Status)
	model.Progress = types.Int64PointerValue(status.Progress)
	model.ResultURLs = framework.BoundedAddresses(status.ResultURLs)
	framework.WarnOfOmitted(&resp.Diagnostics, fmt.Sprintf("generation %q", model.ID.ValueString()), nil, model.ResultURLs)
	model.Error = types.StringPointerValue(status.Error)
	model.CreatedAt = types.StringPointerValue(status.CreatedAt)
	model.Prompt = types.StringPointerValue(status.Prompt)
	model.Service = types.StringPointerValue(status.Service)
	model.PerformanceMetadata = types.StringPointerValue(status.PerformanceMetadata)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*charactersDataSource)(nil)

type charactersDataSource struct{ framework.DataSource }

func newCharactersDataSource() datasource.DataSource { return &charactersDataSource{} }

type charactersModel struct {
	Limit      types.Int64      `tfsdk:"limit"`
	Offset     types.Int64      `tfsdk:"offset"`
	Characters []characterModel `tfsdk:"characters"`
	Pagination *paginationModel `tfsdk:"pagination"`
	Filters    *filtersModel    `tfsdk:"filters"`
}

type paginationModel struct {
	Limit    types.Int64 `tfsdk:"limit"`
	Offset   types.Int64 `tfsdk:"offset"`
	Returned types.Int64 `tfsdk:"returned"`
	HasMore  types.Bool  `tfsdk:"has_more"`
}

type filtersModel struct {
	OrganizationID types.String `tfsdk:"organization_id"`
	CreatorID      types.String `tfsdk:"creator_id"`
}

func (d *charactersDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_characters"
}

func (d *charactersDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The characters that the credential can list: all of them, or one slice if `limit` or `offset` is set. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"limit": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Read one slice of at most so many characters, 1 to 100. Unset without `offset`: all characters.",
				Validators:          []validator.Int64{int64validator.Between(1, 100)},
			},
			"offset": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Read one slice that begins after so many characters.",
				Validators:          []validator.Int64{int64validator.AtLeast(0)},
			},
			"characters": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The characters, in the service's order.",
				NestedObject:        schema.NestedAttributeObject{Attributes: characterAttributes()},
			},
			"pagination": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the service says about the slice. When all characters were read: `offset` 0 and the number of all in `returned`.",
				Attributes: map[string]schema.Attribute{
					"limit":    schema.Int64Attribute{Computed: true, MarkdownDescription: "Largest number of characters in a page."},
					"offset":   schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of characters before the first one."},
					"returned": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of characters read."},
					"has_more": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether there are characters after the last one."},
				},
			},
			"filters": schema.SingleNestedAttribute{
				Computed:            true,
				MarkdownDescription: "What the service filters the list by, for this credential.",
				Attributes: map[string]schema.Attribute{
					"organization_id": schema.StringAttribute{Computed: true, MarkdownDescription: "Organization whose characters are listed."},
					"creator_id":      schema.StringAttribute{Computed: true, MarkdownDescription: "Creator whose characters are listed; may be null."},
				},
			},
		},
	}
}

// Read reads one slice, or every page.
func (d *charactersDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model charactersModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	page, err := d.page(ctx, &model)
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{Verb: "Read", Noun: "Characters"}.Error(err))
		return
	}
	model.take(page)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

func (d *charactersDataSource) page(ctx context.Context, model *charactersModel) (*api.CharacterPage, error) {
	if model.Limit.IsNull() && model.Offset.IsNull() {
		d.Data.Client.RefreshCharacters()
		return d.Data.Client.AllCharacters(ctx)
	}
	return d.Data.Client.CharactersPage(ctx, model.Limit.ValueInt64Pointer(), model.Offset.ValueInt64Pointer())
}

// take stores the service's reply.
func (m *charactersModel) take(page *api.CharacterPage) {
	m.Characters = make([]characterModel, 0, len(page.Characters))
	for i := range page.Characters {
		m.Characters = append(m.Characters, characterFromAPI(&page.Characters[i]))
	}
	m.Pagination = &paginationModel{
		Limit:    types.Int64PointerValue(page.Pagination.Limit),
		Offset:   types.Int64PointerValue(page.Pagination.Offset),
		Returned: types.Int64PointerValue(page.Pagination.Returned),
		HasMore:  types.BoolPointerValue(page.Pagination.HasMore),
	}
	m.Filters = &filtersModel{
		OrganizationID: types.StringPointerValue(page.Filters.OrganizationID),
		CreatorID:      types.StringPointerValue(page.Filters.CreatorID),
	}
}

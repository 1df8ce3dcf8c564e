package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-jsontypes/jsontypes"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*assetsDataSource)(nil)

type assetsDataSource struct{ framework.DataSource }

func newAssetsDataSource() datasource.DataSource { return &assetsDataSource{} }

type assetsModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	AssetType   types.String `tfsdk:"asset_type"`
	Assets      []assetModel `tfsdk:"assets"`
	Total       types.Int64  `tfsdk:"total"`
}

type assetModel struct {
	ID        types.String         `tfsdk:"id"`
	AssetType types.String         `tfsdk:"asset_type"`
	Filename  types.String         `tfsdk:"filename"`
	ViewURL   types.String         `tfsdk:"view_url"`
	CreatedAt types.String         `tfsdk:"created_at"`
	JSON      jsontypes.Normalized `tfsdk:"json"`
}

func (d *assetsDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_assets"
}

func (d *assetsDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The assets of a character. The service does not document their fields: `json` holds all of an asset, the other attributes those that could be recognised. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Character whose assets are listed.",
				Validators:          []validator.String{framework.ID()},
			},
			"asset_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "List assets of this type only, as in `face_image` or `body_image`. Unset: all.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
			"assets": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The assets, in the service's order.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"id":         schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the asset."},
					"asset_type": schema.StringAttribute{Computed: true, MarkdownDescription: "Type of the asset, in the service's words."},
					"filename":   schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the file."},
					"view_url":   schema.StringAttribute{Computed: true, MarkdownDescription: "Address to view the asset at; it may be signed, and then differs at every read."},
					"created_at": schema.StringAttribute{Computed: true, MarkdownDescription: "When the asset was created, as the service gives it."},
					"json":       schema.StringAttribute{Computed: true, CustomType: jsontypes.NormalizedType{}, MarkdownDescription: "Everything that the service says about the asset, as JSON."},
				}},
			},
			"total": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of assets, as the service counts them."},
		},
	}
}

// Read lists the assets.
func (d *assetsDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model assetsModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	assets, err := d.Data.Client.Assets(ctx, model.CharacterID.ValueString(), model.AssetType.ValueString())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Assets", Object: object(model.CharacterID.ValueString()), NotFound: path.Root("character_id"),
		}.Error(err))
		return
	}
	var kept []string
	model.Assets = make([]assetModel, 0, len(assets.Items))
	for i := range assets.Items {
		asset, inJSON := assetFromAPI(&assets.Items[i])
		model.Assets, kept = append(model.Assets, asset), append(kept, inJSON...)
	}
	framework.WarnOfOmitted(&resp.Diagnostics, "assets of "+object(model.CharacterID.ValueString()), nil, kept)
	model.Total = types.Int64PointerValue(assets.Total)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// assetFromAPI also returns what its JSON keeps of addresses that are too long.
func assetFromAPI(asset *api.Asset) (model assetModel, kept []string) {
	text, kept := framework.BoundedJSON(asset.JSON)
	return assetModel{
		ID:        types.StringPointerValue(asset.ID),
		AssetType: types.StringPointerValue(asset.AssetType),
		Filename:  types.StringPointerValue(asset.Filename),
		ViewURL:   framework.AddressValue(asset.ViewURL),
		CreatedAt: types.StringPointerValue(asset.CreatedAt),
		JSON:      jsontypes.NewNormalizedValue(text),
	}, kept
}

package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newAssetsDataSource() datasource.DataSource {
	return framework.DataSource[api.Assets]{
		Name: "assets", Noun: "Assets", Of: "character_id", OfNoun: "character",
		Description: "The assets of a character.\n\nCosts no credits. `json` has all that the service says of an asset.",
		Inputs: map[string]schema.Attribute{
			"character_id": framework.CharacterInput(),
			"asset_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Only this type, as in `face_image`.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
		},
		Fields: []framework.Field[api.Assets]{
			framework.ListField("assets", "In the service's order.", func(a *api.Assets) []api.Asset { return a.Items }, assetFields),
			framework.IntegerField("total", "Number of assets.", func(a *api.Assets) *int64 { return a.Total }),
		},
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.Assets, error) {
			return client.Assets(ctx, inputs.Text("character_id").ValueString(), inputs.Text("asset_type").ValueString())
		},
	}.New()
}

var assetFields = []framework.Field[api.Asset]{
	framework.TextField("id", "Id of the asset.", func(a *api.Asset) *string { return a.ID }),
	framework.TextField("asset_type", "In the service's words.", func(a *api.Asset) *string { return a.AssetType }),
	framework.TextField("filename", "Name of the file.", func(a *api.Asset) *string { return a.Filename }),
	framework.AddressField("view_url", "May differ at every read.", func(a *api.Asset) *string { return a.ViewURL }),
	framework.TextField("created_at", "Time of creation.", func(a *api.Asset) *string { return a.CreatedAt }),
	framework.JSONField("json", "All of the asset.", func(a *api.Asset) string { return a.JSON }),
}

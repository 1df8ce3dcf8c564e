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
		Description: "The assets of a character, such as its face and body images.\n\nReading them costs no credits.",
		Inputs: map[string]schema.Attribute{
			"character_id": framework.CharacterInput(),
			"asset_type": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Type of the assets to read, such as `face_image` or `body_image`. Defaults to all types.",
				Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			},
		},
		Fields: []framework.Field[api.Assets]{
			framework.ListField("assets", "Assets of the character, in the service's order.", func(a *api.Assets) []api.Asset { return a.Items }, assetFields),
			framework.IntegerField("total", "Number of assets that the service counts.", func(a *api.Assets) *int64 { return a.Total }),
		},
		Read: func(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.Assets, error) {
			return client.Assets(ctx, inputs.Text("character_id").ValueString(), inputs.Text("asset_type").ValueString())
		},
	}.New()
}

var assetFields = []framework.Field[api.Asset]{
	framework.TextField("id", "Id of the asset.", func(a *api.Asset) *string { return a.ID }),
	framework.TextField("asset_type", "Type of the asset, such as `face_image`.", func(a *api.Asset) *string { return a.AssetType }),
	framework.TextField("filename", "Name of the uploaded file.", func(a *api.Asset) *string { return a.Filename }),
	framework.AddressField("view_url", "Address to view the asset at; a signed one expires and differs at every read.", func(a *api.Asset) *string { return a.ViewURL }),
	framework.TextField("created_at", "When the asset was created, in ISO 8601.", func(a *api.Asset) *string { return a.CreatedAt }),
	framework.JSONField("json", "Everything that the service reports about the asset, as a JSON object; never null.", func(a *api.Asset) string { return a.JSON }),
}

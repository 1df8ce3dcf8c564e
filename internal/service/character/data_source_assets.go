package character

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

func newAssetsDataSource() datasource.DataSource {
	return run.DataSource[api.Assets]{
		Name:        "assets",
		Noun:        "Assets",
		Of:          "character_id",
		OfNoun:      "character",
		Description: "The assets of a character, such as its face and body images.\n\nReading them costs no credits.",
		Inputs: map[string]schema.Attribute{
			"character_id": run.CharacterInput(),
			"asset_type": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Type of the assets to read, such as `face_image` or `body_image`. Defaults to " +
					"all types. Where the service cannot filter, the provider does, by `asset_type`, `type` or " +
					"`kind`.",
				Validators: []validator.String{framework.Text(), framework.NotBlank()},
			},
		},
		Fields: []framework.Field[api.Assets]{
			framework.ListField(
				"assets",
				"Assets of the character, in the service's order.",
				func(a *api.Assets) []api.Asset { return a.Items },
				assetFields,
			),
			framework.IntegerField(
				"total",
				"Number of assets that the service counts.",
				func(a *api.Assets) *int64 { return a.Total },
			),
		},
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.Assets, error) {
			return data.Client.Images.List(
				ctx,
				inputs.Text("character_id").ValueString(),
				inputs.Text("asset_type").ValueString(),
			)
		},
	}.New()
}

var assetFields = []framework.Field[api.Asset]{
	framework.TextField("id", "Id of the asset.", func(a *api.Asset) *string { return a.ID }),
	framework.TextField(
		"asset_type",
		"Type of the asset, such as `face_image`.",
		func(a *api.Asset) *reply.Text { return a.AssetType },
	),
	framework.TextField("filename", "Name of the uploaded file.", func(a *api.Asset) *string { return a.Filename }),
	framework.AddressField(
		"view_url",
		"Address to view the asset at; a signed one expires and differs at every read.",
		func(a *api.Asset) *string { return a.ViewURL },
	),
	framework.TextField(
		"created_at",
		"When the asset was created, in ISO 8601.",
		func(a *api.Asset) *string { return a.CreatedAt },
	),
	framework.JSONField(
		"json",
		"Everything that the service reports about the asset, as a JSON object; never null.",
		func(a *api.Asset) string { return a.JSON },
	),
}

func newCapabilitiesDataSource() datasource.DataSource {
	return run.DataSource[api.Capabilities]{
		Name:        "generation_capabilities",
		Noun:        "Generation Capabilities",
		Of:          "character_id",
		OfNoun:      "character",
		Description: "The LoRAs that generations of a character can use.\n\nReading them costs no credits.",
		Inputs:      map[string]schema.Attribute{"character_id": run.CharacterInput()},
		Fields: []framework.Field[api.Capabilities]{
			framework.ObjectField(
				"face_lora",
				"State of the character's face LoRA, as far as generations can use it; never null.",
				func(c *api.Capabilities) *api.LoRA { return cmp.Or(c.FaceLoRA, &api.LoRA{}) },
				loraFields,
			),
			framework.ObjectField(
				"body_lora",
				"State of the character's body LoRA, as far as generations can use it; never null.",
				func(c *api.Capabilities) *api.LoRA { return cmp.Or(c.BodyLoRA, &api.LoRA{}) },
				loraFields,
			),
			framework.FlagField(
				"can_generate",
				"Whether the service accepts generations of the character.",
				func(c *api.Capabilities) *bool { return c.CanGenerate },
			),
			framework.FlagField(
				"generation_ready",
				"Whether the service calls the character ready for generations.",
				func(c *api.Capabilities) *bool { return c.GenerationReady },
			),
		},
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.Capabilities, error) {
			return data.Client.Characters.Capabilities(ctx, inputs.Text("character_id").ValueString())
		},
	}.New()
}

var loraFields = []framework.Field[api.LoRA]{
	framework.TextField("status", "Status of the LoRA.", func(l *api.LoRA) *reply.Text { return l.Status }),
	framework.FlagField(
		"available",
		"Whether generations can use the LoRA.",
		func(l *api.LoRA) *bool { return l.Available },
	),
	framework.AddressField("url", "Address of the LoRA's file.", func(l *api.LoRA) *string { return l.URL }),
}

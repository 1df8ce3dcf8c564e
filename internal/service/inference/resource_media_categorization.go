package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newMediaCategorization() resource.Resource {
	return &snapshot[categorizationInputs, api.Categories]{
		Resource: framework.Resource{Name: "media_categorization"}, noun: "Media Categorization",
		description: "What an image, or a video, shows: lists of metadata.",
		inputs:      categorizationAttributes(), fields: categorizationFields,
		ask: func(ctx context.Context, client *api.Client, inputs *categorizationInputs) (*api.Categories, error) {
			return client.Categorize(ctx, api.CategoriesRequest(*inputs))
		},
	}
}

// categorizationInputs are those of api.CategoriesRequest.
type categorizationInputs struct {
	MediaURL  string   `tfsdk:"media_url"`
	Metadata  []string `tfsdk:"metadata"`
	UseScenes *bool    `tfsdk:"use_scenes"`
}

var categorizationFields = []framework.Field[api.Categories]{
	framework.TextsField("participants", "Participants; empty if not asked for.", func(c *api.Categories) []string { return c.Participants }),
	framework.TextsField("categories", "Categories; empty if not asked for.", func(c *api.Categories) []string { return c.Categories }),
	framework.TextsField("actions", "Actions; empty if not asked for.", func(c *api.Categories) []string { return c.Actions }),
	framework.TextsField("scene", "Descriptions of the scene; empty if not asked for.", func(c *api.Categories) []string { return c.Scene }),
	framework.TextsField("tags", "Tags; empty if not asked for.", func(c *api.Categories) []string { return c.Tags }),
}

func categorizationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"media_url": schema.StringAttribute{
			Required: true, MarkdownDescription: "Address of the medium, http or https. For a video some services begin a job in place of an answer: with the provider's `extended_reads` its end is awaited for up to ten minutes, without it that is an error, which names the job." + asksAgain,
			Validators: []validator.String{framework.MediaAddress()},
		},
		"metadata": schema.SetAttribute{
			Required: true, ElementType: types.StringType,
			MarkdownDescription: "Lists to fill, at least one of `participants`, `categories`, `actions`, `scene` and `tags`." + asksAgain,
			Validators: []validator.Set{
				framework.NotEmpty{}, framework.NoNullsInSet(),
				setvalidator.ValueStringsAre(stringvalidator.OneOf("participants", "categories", "actions", "scene", "tags")),
			},
		},
		"use_scenes": schema.BoolAttribute{
			Optional: true, MarkdownDescription: "Whether one frame of each scene is looked at, which shortens the analysis of larger videos; the service's default is `false`." + asksAgain,
		},
	}
}

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
		description: "Lists of what an image or a video shows.",
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
	framework.TextsField("participants", "Who is seen; empty if `metadata` does not ask for it.", func(c *api.Categories) []string { return c.Participants }),
	framework.TextsField("categories", "Categories that the service has found; empty if `metadata` does not ask for them.", func(c *api.Categories) []string { return c.Categories }),
	framework.TextsField("actions", "What is done; empty if `metadata` does not ask for it.", func(c *api.Categories) []string { return c.Actions }),
	framework.TextsField("scene", "Where it takes place; empty if `metadata` does not ask for it.", func(c *api.Categories) []string { return c.Scene }),
	framework.TextsField("tags", "Keywords that the service has found; empty if `metadata` does not ask for them.", func(c *api.Categories) []string { return c.Tags }),
}

func categorizationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"media_url": schema.StringAttribute{
			Required: true, MarkdownDescription: "Image or video to look at: an http or https address, or a data URI of at most 64 KiB. If the service begins a job, as for videos, `extended_reads` awaits it for ten minutes; else it is an error.",
			Validators: []validator.String{framework.MediaAddress()},
		},
		"metadata": schema.SetAttribute{
			Required: true, ElementType: types.StringType,
			MarkdownDescription: "Which lists to fill: `participants`, `categories`, `actions`, `scene`, `tags`.",
			Validators: []validator.Set{
				framework.NotEmpty{}, framework.NoNullsInSet(),
				setvalidator.ValueStringsAre(stringvalidator.OneOf("participants", "categories", "actions", "scene", "tags")),
			},
		},
		"use_scenes": schema.BoolAttribute{
			Optional: true, MarkdownDescription: "Whether one frame of each scene stands for it, which is faster for large videos. The service's default is `false`.",
		},
	}
}

package inference

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newMediaCategorization describes mediagen_media_categorization.
func newMediaCategorization() resource.Resource {
	return &snapshot[categorizationInputs, api.Categories]{
		Resource:    run.Resource{Name: "media_categorization"},
		noun:        "Media Categorization",
		description: "A media categorization, which lists what an image or a video shows.",
		inputs:      categorizationAttributes(),
		fields:      categorizationFields,
		ask: func(ctx context.Context, client *evidence.Client, inputs *categorizationInputs) (*api.Categories, error) {
			return client.Models.Categorize(ctx, api.CategoriesRequest(*inputs))
		},
	}
}

// categorizationInputs name the medium and the requested categories.
type categorizationInputs struct {
	MediaURL  string   `tfsdk:"media_url"`
	Metadata  []string `tfsdk:"metadata"`
	UseScenes *bool    `tfsdk:"use_scenes"`
}

const emptyNote = " Empty if there are none, or `metadata` leaves them out."

var categorizationFields = []framework.Field[api.Categories]{
	framework.TextsField(
		"participants",
		"Participants that the service found."+emptyNote,
		func(c *api.Categories) []string { return c.Participants },
	),
	framework.TextsField(
		"categories",
		"Categories that the service found."+emptyNote,
		func(c *api.Categories) []string { return c.Categories },
	),
	framework.TextsField(
		"actions",
		"Actions that the service found."+emptyNote,
		func(c *api.Categories) []string { return c.Actions },
	),
	framework.TextsField(
		"scene",
		"Scenes that the service found."+emptyNote,
		func(c *api.Categories) []string { return c.Scene },
	),
	framework.TextsField(
		"tags",
		"Tags that the service found."+emptyNote,
		func(c *api.Categories) []string { return c.Tags },
	),
}

// categorizationAttributes are the attributes of the inputs.
func categorizationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"media_url": schema.StringAttribute{
			Required: true,
			MarkdownDescription: "Image or video to analyze, as an http or https address or a data URI of at most 64 " +
				"KiB. Another signature in its query counts as the same. If the service starts a job, " +
				"as for a video, the provider awaits it for up to ten minutes with `extended_reads`; without, it " +
				"is an error.",
			Validators: []validator.String{framework.MediaAddress()},
		},
		"metadata": schema.SetAttribute{
			Required:    true,
			ElementType: types.StringType,
			MarkdownDescription: "Lists to fill, one or more of `participants`, `categories`, `actions`, `scene` and " +
				"`tags`.",
			Validators: []validator.Set{
				framework.NotEmpty{},
				framework.NoNullsInSet(),
				setvalidator.ValueStringsAre(
					stringvalidator.OneOf("participants", "categories", "actions", "scene", "tags"),
				),
			},
		},
		"use_scenes": schema.BoolAttribute{
			Optional:      true,
			Computed:      true,
			Default:       booldefault.StaticBool(false),
			PlanModifiers: []planmodifier.Bool{framework.KeepSame()},
			MarkdownDescription: "Whether only one frame of each scene is analyzed, which is less work for large " +
				"videos. If unset, the service uses `false`.",
		},
	}
}

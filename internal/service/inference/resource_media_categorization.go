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
	return &snapshot[categorizationModel]{
		name: "media_categorization", noun: "Media Categorization",
		description: "What an image, or a video, shows: lists of metadata.",
		attributes:  categorizationAttributes, infer: (*categorizationModel).infer,
	}
}

// categorizationModel is the categorization as Terraform sees it.
type categorizationModel struct {
	snapshotModel

	MediaURL  types.String `tfsdk:"media_url"`
	Metadata  []string     `tfsdk:"metadata"`
	UseScenes types.Bool   `tfsdk:"use_scenes"`

	Participants []string `tfsdk:"participants"`
	Categories   []string `tfsdk:"categories"`
	Actions      []string `tfsdk:"actions"`
	Scene        []string `tfsdk:"scene"`
	Tags         []string `tfsdk:"tags"`
}

// infer categorizes the medium.
func (m *categorizationModel) infer(ctx context.Context, client *api.Client) error {
	found, err := client.Categorize(ctx, api.CategoriesRequest{
		MediaURL: m.MediaURL.ValueString(), Metadata: m.Metadata, UseScenes: m.UseScenes.ValueBoolPointer(),
	})
	if err != nil {
		return err
	}
	m.identify(nil)
	m.Participants, m.Categories, m.Actions = list(found.Participants), list(found.Categories), list(found.Actions)
	m.Scene, m.Tags = list(found.Scene), list(found.Tags)
	return nil
}

func categorizationAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"media_url": schema.StringAttribute{
			Required: true, MarkdownDescription: "Address of the medium, http or https. For a video some services begin a job in place of an answer: that is an error, which names the job.",
			Validators: []validator.String{framework.MediaAddress()},
		},
		"metadata": schema.SetAttribute{
			Required: true, ElementType: types.StringType,
			MarkdownDescription: "Lists to fill, at least one of `participants`, `categories`, `actions`, `scene` and `tags`.",
			Validators: []validator.Set{
				framework.NotEmpty{}, framework.NoNullsInSet(),
				setvalidator.ValueStringsAre(stringvalidator.OneOf("participants", "categories", "actions", "scene", "tags")),
			},
		},
		"use_scenes": schema.BoolAttribute{
			Optional: true, MarkdownDescription: "Whether one frame of each scene is looked at, which shortens the analysis of larger videos; the service's default is `false`.",
		},
		"participants": computedTexts("Participants; empty if not asked for."),
		"categories":   computedTexts("Categories; empty if not asked for."),
		"actions":      computedTexts("Actions; empty if not asked for."),
		"scene":        computedTexts("Descriptions of the scene; empty if not asked for."),
		"tags":         computedTexts("Tags; empty if not asked for."),
	}
}

package work

import (
	"context"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// newImagesDataSource describes the data source of a dataset's images.
func newImagesDataSource() datasource.DataSource {
	return run.DataSource[api.DatasetImages]{
		Name:        "dataset_images",
		Noun:        "Dataset Images",
		Of:          "character_id",
		OfNoun:      "character",
		Description: "The images of a character's dataset.\n\nReading them costs no credits.",
		Inputs: map[string]schema.Attribute{
			"character_id": run.CharacterInput(),
			"approved_only": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to read only approved images. If unset, the service decides, which " +
					"usually returns all. A service that cannot filter is asked without.",
			},
		},
		Fields: []framework.Field[api.DatasetImages]{
			framework.ListField("images", "Images of the dataset, in the service's order.",
				func(d *api.DatasetImages) []api.DatasetImage { return d.Images }, imageFields),
			framework.IntegerField(
				"total",
				"Number of images that the service counts.",
				func(d *api.DatasetImages) *int64 { return d.Total },
			),
			framework.IntegerField(
				"approved_count",
				"Number of approved images in the dataset.",
				func(d *api.DatasetImages) *int64 { return d.ApprovedCount },
			),
			framework.TextField("dataset_status", "Status of the dataset.",
				func(d *api.DatasetImages) *reply.Text { return d.DatasetStatus }),
		},
		Read: func(ctx context.Context, data *run.ProviderData, inputs run.Inputs) (*api.DatasetImages, error) {
			return data.Client.Datasets.Images(
				ctx,
				inputs.Text("character_id").ValueString(),
				inputs.Flag("approved_only"),
			)
		},
	}.New()
}

var imageFields = []framework.Field[api.DatasetImage]{
	framework.TextField("image_id", "Id of the image.", func(i *api.DatasetImage) *string { return i.ImageID }),
	framework.TextField(
		"filename",
		"Name of the image's file.",
		func(i *api.DatasetImage) *string { return i.Filename },
	),
	framework.TextField(
		"prompt",
		"Text that the image was generated from.",
		func(i *api.DatasetImage) *string { return i.Prompt },
	),
	framework.WholeField(
		"seed",
		"Random seed that the image was generated with.",
		func(i *api.DatasetImage) *big.Int { return i.Seed },
	),
	framework.FlagField(
		"approved",
		"Whether the image is approved for training.",
		func(i *api.DatasetImage) *bool { return i.Approved },
	),
	framework.FlagField(
		"regenerated",
		"Whether the image was generated again.",
		func(i *api.DatasetImage) *bool { return i.Regenerated },
	),
	framework.TextField(
		"created_at",
		"When the image was created, in ISO 8601.",
		func(i *api.DatasetImage) *string { return i.CreatedAt },
	),
	framework.AddressField(
		"view_url",
		"Address to view the image at; a signed one expires and differs at every read.",
		func(i *api.DatasetImage) *string { return i.ViewURL },
	),
}

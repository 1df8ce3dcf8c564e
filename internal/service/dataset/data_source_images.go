package dataset

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func newImagesDataSource() datasource.DataSource {
	return framework.DataSource[api.DatasetImages]{
		Name: "dataset_images", Noun: "Dataset Images", Of: "character_id", OfNoun: "character",
		Description: "The dataset images of a character.\n\nCosts no credits.",
		Inputs: map[string]schema.Attribute{
			"character_id": framework.CharacterInput(),
			"approved_only": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "Unset: the service decides, usually all.",
			},
		},
		Fields: []framework.Field[api.DatasetImages]{
			framework.ListField("images", "In the service's order.", func(d *api.DatasetImages) []api.DatasetImage { return d.Images }, imageFields),
			framework.IntegerField("total", "Number of images.", func(d *api.DatasetImages) *int64 { return d.Total }),
			framework.IntegerField("approved_count", "Approved images.",
				func(d *api.DatasetImages) *int64 { return d.ApprovedCount }),
			framework.TextField("dataset_status", "In the service's words.", func(d *api.DatasetImages) *string { return d.DatasetStatus }),
		},
		Read: readImages,
	}.New()
}

var imageFields = []framework.Field[api.DatasetImage]{
	framework.TextField("image_id", "Id of the image.", func(i *api.DatasetImage) *string { return i.ImageID }),
	framework.TextField("filename", "Name of the file.", func(i *api.DatasetImage) *string { return i.Filename }),
	framework.TextField("prompt", "What it renders.", func(i *api.DatasetImage) *string { return i.Prompt }),
	framework.IntegerField("seed", "Seed of its generation.", func(i *api.DatasetImage) *int64 { return i.Seed }),
	framework.FlagField("approved", "Approved for training.", func(i *api.DatasetImage) *bool { return i.Approved }),
	framework.FlagField("regenerated", "Generated again.", func(i *api.DatasetImage) *bool { return i.Regenerated }),
	framework.TextField("created_at", "Time of creation.", func(i *api.DatasetImage) *string { return i.CreatedAt }),
	framework.AddressField("view_url", "May differ at every read.", func(i *api.DatasetImage) *string { return i.ViewURL }),
}

// readImages filters again, in case the service ignores the filter.
func readImages(ctx context.Context, client *api.Client, inputs framework.Inputs) (*api.DatasetImages, error) {
	approvedOnly := inputs.Flag("approved_only")
	list, err := client.DatasetImages(ctx, inputs.Text("character_id").ValueString(), approvedOnly)
	if err == nil && approvedOnly != nil && *approvedOnly {
		list.Images = slices.DeleteFunc(list.Images, func(image api.DatasetImage) bool { return image.Approved != nil && !*image.Approved })
	}
	return list, err
}

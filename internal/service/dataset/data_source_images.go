package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*imagesDataSource)(nil)

type imagesDataSource struct{ framework.DataSource }

func newImagesDataSource() datasource.DataSource { return &imagesDataSource{} }

type imagesModel struct {
	CharacterID   types.String `tfsdk:"character_id"`
	ApprovedOnly  types.Bool   `tfsdk:"approved_only"`
	Images        []imageModel `tfsdk:"images"`
	Total         types.Int64  `tfsdk:"total"`
	ApprovedCount types.Int64  `tfsdk:"approved_count"`
	DatasetStatus types.String `tfsdk:"dataset_status"`
}

type imageModel struct {
	ImageID     types.String `tfsdk:"image_id"`
	Filename    types.String `tfsdk:"filename"`
	Prompt      types.String `tfsdk:"prompt"`
	Seed        types.Int64  `tfsdk:"seed"`
	Approved    types.Bool   `tfsdk:"approved"`
	Regenerated types.Bool   `tfsdk:"regenerated"`
	CreatedAt   types.String `tfsdk:"created_at"`
	ViewURL     types.String `tfsdk:"view_url"`
}

func (d *imagesDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_dataset_images"
}

func (d *imagesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The dataset images of a character: what its body LoRA is trained on. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Character whose dataset is listed.",
				Validators:          []validator.String{framework.ID()},
			},
			"approved_only": schema.BoolAttribute{
				Optional:            true,
				MarkdownDescription: "List approved images only. Unset: the service decides, usually all.",
			},
			"images": schema.ListNestedAttribute{
				Computed:            true,
				MarkdownDescription: "The images, in the service's order.",
				NestedObject:        schema.NestedAttributeObject{Attributes: imageAttributes()},
			},
			"total":          schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of images, as the service counts them."},
			"approved_count": schema.Int64Attribute{Computed: true, MarkdownDescription: "Number of approved images, as the service counts them."},
			"dataset_status": schema.StringAttribute{Computed: true, MarkdownDescription: "Status of the dataset, in the service's words."},
		},
	}
}

func imageAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"image_id":    schema.StringAttribute{Computed: true, MarkdownDescription: "Id of the image."},
		"filename":    schema.StringAttribute{Computed: true, MarkdownDescription: "Name of the file."},
		"prompt":      schema.StringAttribute{Computed: true, MarkdownDescription: "Prompt that the image was generated from."},
		"seed":        schema.Int64Attribute{Computed: true, MarkdownDescription: "Seed of the generation."},
		"approved":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the image was approved for training."},
		"regenerated": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the image was generated again."},
		"created_at":  schema.StringAttribute{Computed: true, MarkdownDescription: "When the image was created, as the service gives it."},
		"view_url":    schema.StringAttribute{Computed: true, MarkdownDescription: "Address to view the image at; it may be signed, and then differs at every read."},
	}
}

// Read lists the dataset.
func (d *imagesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model imagesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	id := model.CharacterID.ValueString()
	list, err := d.Data.Client.DatasetImages(ctx, id, model.ApprovedOnly.ValueBoolPointer())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Dataset Images", Object: fmt.Sprintf("character %q", id), NotFound: path.Root("character_id"),
		}.Error(err))
		return
	}
	model.take(list)
	framework.WarnOfOmitted(&resp.Diagnostics, fmt.Sprintf("dataset images of character %q", id), nil, model.addresses())
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// take stores the service's reply. It filters again, in case the service
// ignores the filter.
func (m *imagesModel) take(list *api.DatasetImages) {
	m.Images = make([]imageModel, 0, len(list.Images))
	for _, image := range list.Images {
		if m.ApprovedOnly.ValueBool() && image.Approved != nil && !*image.Approved {
			continue
		}
		m.Images = append(m.Images, imageModel{
			ImageID:     types.StringPointerValue(image.ImageID),
			Filename:    types.StringPointerValue(image.Filename),
			Prompt:      types.StringPointerValue(image.Prompt),
			Seed:        types.Int64PointerValue(image.Seed),
			Approved:    types.BoolPointerValue(image.Approved),
			Regenerated: types.BoolPointerValue(image.Regenerated),
			CreatedAt:   types.StringPointerValue(image.CreatedAt),
			ViewURL:     framework.AddressValue(image.ViewURL),
		})
	}
	m.Total = types.Int64PointerValue(list.Total)
	m.ApprovedCount = types.Int64PointerValue(list.ApprovedCount)
	m.DatasetStatus = types.StringPointerValue(list.DatasetStatus)
}

// addresses returns those that may be too long for the state.
func (m *imagesModel) addresses() []string {
	var all []string
	for _, image := range m.Images {
		all = append(all, image.ViewURL.ValueString())
	}
	return all
}

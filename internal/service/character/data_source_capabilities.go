package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ datasource.DataSourceWithConfigure = (*capabilitiesDataSource)(nil)

type capabilitiesDataSource struct{ framework.DataSource }

func newCapabilitiesDataSource() datasource.DataSource { return &capabilitiesDataSource{} }

type capabilitiesModel struct {
	CharacterID     types.String `tfsdk:"character_id"`
	FaceLoRA        *loraModel   `tfsdk:"face_lora"`
	BodyLoRA        *loraModel   `tfsdk:"body_lora"`
	CanGenerate     types.Bool   `tfsdk:"can_generate"`
	GenerationReady types.Bool   `tfsdk:"generation_ready"`
}

type loraModel struct {
	Status    types.String `tfsdk:"status"`
	Available types.Bool   `tfsdk:"available"`
	URL       types.String `tfsdk:"url"`
}

func (d *capabilitiesDataSource) Metadata(_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_generation_capabilities"
}

func (d *capabilitiesDataSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "What a character can be used for in generations. Costs no credits.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Character to ask about.",
				Validators:          []validator.String{framework.ID()},
			},
			"face_lora":        loraAttribute("The face LoRA."),
			"body_lora":        loraAttribute("The body LoRA."),
			"can_generate":     schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether generations with the character are accepted."},
			"generation_ready": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the character is ready for generations."},
		},
	}
}

func loraAttribute(text string) schema.Attribute {
	return schema.SingleNestedAttribute{
		Computed:            true,
		MarkdownDescription: text,
		Attributes: map[string]schema.Attribute{
			"status":    schema.StringAttribute{Computed: true, MarkdownDescription: "Status, in the service's words."},
			"available": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether it can be used."},
			"url":       schema.StringAttribute{Computed: true, MarkdownDescription: "Address of the model; may be signed, and may be null."},
		},
	}
}

// Read always reads afresh: readiness changes.
func (d *capabilitiesDataSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var model capabilitiesModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() || !d.Data.Ready(&resp.Diagnostics) {
		return
	}
	capabilities, err := d.Data.Client.Capabilities(ctx, model.CharacterID.ValueString())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Read", Noun: "Generation Capabilities", Object: object(model.CharacterID.ValueString()), NotFound: path.Root("character_id"),
		}.Error(err))
		return
	}
	model.FaceLoRA = loraFromAPI(capabilities.FaceLoRA)
	model.BodyLoRA = loraFromAPI(capabilities.BodyLoRA)
	framework.WarnOfOmitted(&resp.Diagnostics, "LoRAs of "+object(model.CharacterID.ValueString()), nil,
		[]string{model.FaceLoRA.URL.ValueString(), model.BodyLoRA.URL.ValueString()})
	model.CanGenerate = types.BoolPointerValue(capabilities.CanGenerate)
	model.GenerationReady = types.BoolPointerValue(capabilities.GenerationReady)
	resp.Diagnostics.Append(resp.State.Set(ctx, &model)...)
}

// loraFromAPI never returns nil, so that expressions need not handle a missing
// object.
func loraFromAPI(lora *api.LoRA) *loraModel {
	if lora == nil {
		lora = &api.LoRA{}
	}
	return &loraModel{
		Status:    types.StringPointerValue(lora.Status),
		Available: types.BoolPointerValue(lora.Available),
		URL:       framework.AddressValue(lora.URL),
	}
}

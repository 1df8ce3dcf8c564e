package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// group has the maps of mediagen_generation_group, which grow with it.
type group struct{ resource.Resource }

type groupModel struct {
	ID          types.String      `tfsdk:"id"`
	CharacterID types.String      `tfsdk:"character_id"`
	Prompts     map[string]prompt `tfsdk:"prompts"`
	Generations types.Map         `tfsdk:"generations"`
	ResultURLs  types.Map         `tfsdk:"result_urls"`
}

type prompt struct {
	Prompt         types.String `tfsdk:"prompt"`
	FaceSwap       types.Bool   `tfsdk:"face_swap"`
	UseFaceLoRA    types.Bool   `tfsdk:"use_face_lora"`
	UseBodyLoRA    types.Bool   `tfsdk:"use_body_lora"`
	SourceImageURL types.String `tfsdk:"source_image_url"`
}

type generation struct {
	ID        types.String `tfsdk:"id"`
	Status    types.String `tfsdk:"status"`
	Succeeded types.Bool   `tfsdk:"succeeded"`
	Error     types.String `tfsdk:"error"`
	Attempts  types.Int64  `tfsdk:"attempts"`
}

func (group) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "blank_generation_group"
}

func (group) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema.Attributes = map[string]schema.Attribute{
		"id":           schema.StringAttribute{Computed: true},
		"character_id": schema.StringAttribute{Optional: true},
		"prompts": schema.MapNestedAttribute{Required: true, NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"prompt":           schema.StringAttribute{Required: true},
			"face_swap":        schema.BoolAttribute{Optional: true},
			"use_face_lora":    schema.BoolAttribute{Optional: true},
			"use_body_lora":    schema.BoolAttribute{Optional: true},
			"source_image_url": schema.StringAttribute{Optional: true},
		}}},
		"generations": schema.MapNestedAttribute{Computed: true, NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"id":        schema.StringAttribute{Computed: true},
			"status":    schema.StringAttribute{Computed: true},
			"succeeded": schema.BoolAttribute{Computed: true},
			"error":     schema.StringAttribute{Computed: true},
			"attempts":  schema.Int64Attribute{Computed: true},
		}}},
		"result_urls": schema.MapAttribute{Computed: true, ElementType: types.ListType{ElemType: types.StringType}},
	}
}

func (group) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.Append(fill(ctx, req.Plan, &resp.State)...)
}

func (group) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (group) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.Append(fill(ctx, req.Plan, &resp.State)...)
}

func (group) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// fill gives each prompt a generation with a result.
func fill(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State) diag.Diagnostics {
	var model groupModel
	diags := plan.Get(ctx, &model)
	generations, addresses := map[string]generation{}, map[string][]string{}
	for key := range model.Prompts {
		generations[key] = generation{
			ID: types.StringValue("gen_" + key), Status: types.StringValue("completed"), Succeeded: types.BoolValue(true), Attempts: types.Int64Value(1),
		}
		addresses[key] = []string{"http://localhost/media/" + key + ".png"}
	}
	var more diag.Diagnostics
	model.ID = types.StringValue("grp_1")
	model.Generations, more = types.MapValueFrom(ctx, model.Generations.ElementType(ctx), generations)
	diags.Append(more...)
	model.ResultURLs, more = types.MapValueFrom(ctx, model.ResultURLs.ElementType(ctx), addresses)
	diags.Append(more...)
	diags.Append(state.Set(ctx, model)...)
	return diags
}

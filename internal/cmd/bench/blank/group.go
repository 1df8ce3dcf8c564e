package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// group has the attributes of mediagen_generation_group, and an identity.
type group struct{ resource.Resource }

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

func (group) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema.Attributes = map[string]schema.Attribute{
		"id":           schema.StringAttribute{Computed: true},
		"character_id": schema.StringAttribute{Optional: true},
		"title":        schema.StringAttribute{Optional: true},
		"wait_for_completion": schema.BoolAttribute{
			Optional: true,
			Computed: true,
			Default:  booldefault.StaticBool(true),
		},
		"max_attempts": schema.Int64Attribute{
			Optional: true,
			Computed: true,
			Default:  int64default.StaticInt64(1),
		},
		"refresh_finished": schema.BoolAttribute{
			Optional: true,
			Computed: true,
			Default:  booldefault.StaticBool(true),
		},
		"max_prompts_per_batch": schema.Int64Attribute{Optional: true},
		"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
			Create: true,
			Update: true,
			Delete: true,
		}),
		"generation_type":   schema.StringAttribute{Computed: true},
		"complete":          schema.BoolAttribute{Computed: true},
		"succeeded_count":   schema.Int64Attribute{Computed: true},
		"failed_count":      schema.Int64Attribute{Computed: true},
		"pending_count":     schema.Int64Attribute{Computed: true},
		"unconfirmed_count": schema.Int64Attribute{Computed: true},
		"credits_deducted":  schema.Float64Attribute{Computed: true},
		"remaining_balance": schema.Float64Attribute{Computed: true},
		"prompts": schema.MapNestedAttribute{
			Required: true,
			NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"prompt":           schema.StringAttribute{Required: true},
				"face_swap":        schema.BoolAttribute{Optional: true},
				"use_face_lora":    schema.BoolAttribute{Optional: true},
				"use_body_lora":    schema.BoolAttribute{Optional: true},
				"source_image_url": schema.StringAttribute{Optional: true},
			}},
		},
		"generations": schema.MapAttribute{
			Computed: true,
			ElementType: types.ObjectType{AttrTypes: map[string]attr.Type{
				"id":        types.StringType,
				"status":    types.StringType,
				"succeeded": types.BoolType,
				"error":     types.StringType,
				"attempts":  types.Int64Type,
			}},
		},
		"result_urls": schema.MapAttribute{Computed: true, ElementType: types.ListType{ElemType: types.StringType}},
	}
}

func (group) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityByID()
}

func (group) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.Diagnostics.Append(fill(ctx, req.Plan, &resp.State)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), groupID)...)
}

func (group) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (group) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.Diagnostics.Append(fill(ctx, req.Plan, &resp.State)...)
}

func (group) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

const groupID = "grp_1"

// fill gives each prompt a generation with a result.
func fill(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State) diag.Diagnostics {
	var prompts map[string]prompt
	diags := plan.GetAttribute(ctx, path.Root("prompts"), &prompts)
	generations := map[string]generation{}
	addresses := map[string][]string{}
	for key := range prompts {
		generations[key] = generation{
			ID:        types.StringValue("gen_" + key),
			Status:    types.StringValue("completed"),
			Succeeded: types.BoolValue(true),
			Attempts:  types.Int64Value(1),
		}
		addresses[key] = []string{"http://localhost/media/" + key + ".png"}
	}
	known, err := tftypes.Transform(plan.Raw, nullIfUnknown)
	if err != nil {
		diags.AddError("Not Stored", err.Error())
		return diags
	}
	state.Raw = known
	diags.Append(state.SetAttribute(ctx, path.Root("id"), groupID)...)
	diags.Append(state.SetAttribute(ctx, path.Root("generations"), generations)...)
	diags.Append(state.SetAttribute(ctx, path.Root("result_urls"), addresses)...)
	return diags
}

func nullIfUnknown(_ *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
	if value.IsKnown() {
		return value, nil
	}
	return tftypes.NewValue(value.Type(), nil), nil
}

package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// character has the attributes and the identity of mediagen_character.
type character struct{ resource.Resource }

func (character) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "blank_character"
}

func (character) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema.Attributes = map[string]schema.Attribute{
		"id": schema.StringAttribute{Required: true},
		"name": schema.StringAttribute{
			Optional:      true,
			Computed:      true,
			PlanModifiers: kept,
		},
		"description": schema.StringAttribute{
			Optional:      true,
			Computed:      true,
			PlanModifiers: kept,
		},
	}
	for _, name := range []string{
		"organization_id", "creator_id", "status", "current_step",
		"face_images_count", "body_images_count", "dataset_status",
		"face_lora_status", "body_lora_status", "created_at", "updated_at", "subscription_id",
	} {
		resp.Schema.Attributes[name] = schema.StringAttribute{Computed: true, PlanModifiers: kept}
	}
}

func (character) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityByID()
}

func (c character) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	var described resource.SchemaResponse
	c.Schema(ctx, resource.SchemaRequest{}, &described)
	for name := range described.Schema.Attributes {
		if name != "id" {
			resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(name), "any text")...)
		}
	}
	var id types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("id"), &id)...)
	resp.Diagnostics.Append(resp.Identity.SetAttribute(ctx, path.Root("id"), id)...)
}

func (character) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (character) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (character) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

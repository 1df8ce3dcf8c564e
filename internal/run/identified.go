package run

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// ManagedResource is what a managed resource with an identity implements.
type ManagedResource interface {
	resource.ResourceWithConfigure
	resource.ResourceWithIdentity
	resource.ResourceWithImportState
	resource.ResourceWithModifyPlan
}

// Identified is embedded by every managed resource whose objects have an id, or
// a character's too.
type Identified struct {
	Resource
	IDs      []ObjectID
	Late     bool           // an id may be found later than its object is created
	Defaults map[string]any // attributes that an import sets too
	Buys     string         // what a create buys, by its name in prices; empty if nothing
}

// ObjectID is an id, by its attribute. ImportName is its name in an import id.
type ObjectID struct{ Attribute, ImportName, Description string }

// OfCharacter are the ids of an object that belongs to a character.
func OfCharacter(attribute, called, description string) []ObjectID {
	return []ObjectID{
		{Attribute: "character_id", Description: "Id of the owning character."},
		{attribute, called, description},
	}
}

// OwnedIdentity is the identity of an object that belongs to a character.
type OwnedIdentity struct {
	CharacterID types.String `tfsdk:"character_id"`
	ID          types.String `tfsdk:"id"`
}

// Metadata names the type.
func (i *Identified) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	i.Resource.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = i.Late
}

// IdentitySchema has the ids.
func (i *Identified) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema.Attributes = map[string]identityschema.Attribute{}
	for _, id := range i.IDs {
		resp.IdentitySchema.Attributes[id.Attribute] = identityschema.StringAttribute{
			RequiredForImport: true,
			Description:       id.Description,
		}
	}
}

// Publish is the function Publish, with the identity that the model has.
func (i *Identified) Publish(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	model any,
) diag.Diagnostics {
	return publish(
		ctx,
		state,
		identity,
		model,
		func(state *tfsdk.State, identity *tfsdk.ResourceIdentity) (diags diag.Diagnostics) {
			for _, id := range i.IDs {
				var value types.String
				diags.Append(state.GetAttribute(ctx, path.Root(id.Attribute), &value)...)
				diags.Append(identity.SetAttribute(ctx, path.Root(id.Attribute), value)...)
			}
			return diags
		},
	)
}

// Store is Publish, and stores private state.
func (i *Identified) Store(
	ctx context.Context,
	state *tfsdk.State,
	identity *tfsdk.ResourceIdentity,
	private framework.PrivateWriter,
	model, privateState any,
) diag.Diagnostics {
	diags := i.Publish(ctx, state, identity, model)
	diags.Append(framework.StorePrivate(ctx, private, privateState)...)
	return diags
}

// Update is that of a type whose changes replace its objects: it sends nothing,
// and stores what only the notation changed, or an import could not read.
func (i *Identified) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(i.Publish(ctx, &resp.State, resp.Identity, plan)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Forget takes an object that is gone out of the state. It sets the identity
// all the same: older CLIs have stored none.
func (i *Identified) Forget(ctx context.Context, resp *resource.ReadResponse, model any) {
	resp.Diagnostics.Append(i.Publish(ctx, &resp.State, resp.Identity, model)...)
	resp.Diagnostics.Append(framework.ForgetPrivate(ctx, resp.Private)...)
	resp.State.RemoveResource(ctx)
}

// ImportState takes the ids from an import id, as in "character_id/…", or from
// the identity, into both state and identity. An object of a character gets the
// import mark.
func (i *Identified) ImportState(
	ctx context.Context,
	req resource.ImportStateRequest,
	resp *resource.ImportStateResponse,
) {
	i.Data.Imports()
	diags := &resp.Diagnostics
	values := []string{req.ID}
	if req.ID != "" && len(i.IDs) > 1 {
		values = splitImportID(req.ID, i.IDs[1].ImportName, diags)
	}
	for n, id := range i.IDs {
		if diags.HasError() {
			return
		}
		value := types.StringValue(values[min(n, len(values)-1)])
		if req.ID == "" {
			diags.Append(req.Identity.GetAttribute(ctx, path.Root(id.Attribute), &value)...)
		}
		CheckImportID(id.Attribute, value, diags)
		diags.Append(resp.State.SetAttribute(ctx, path.Root(id.Attribute), value)...)
		diags.Append(resp.Identity.SetAttribute(ctx, path.Root(id.Attribute), value)...)
	}
	for name, value := range i.Defaults {
		diags.Append(resp.State.SetAttribute(ctx, path.Root(name), value)...)
	}
	if i.Buys != "" {
		diags.Append(
			i.Data.Tally(purchases.Tally{}, purchases.Purchase{Kind: i.Buys}).Set(ctx, resp.State.SetAttribute)...)
	}
	if len(i.IDs) > 1 {
		diags.Append(framework.MarkImported(ctx, resp.Private)...)
	}
}

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

// ManagedResource is implemented by every managed resource with an identity.
type ManagedResource interface {
	resource.ResourceWithConfigure
	resource.ResourceWithIdentity
	resource.ResourceWithImportState
	resource.ResourceWithModifyPlan
}

// Identified is embedded by every managed resource whose objects have an id, or
// an id and the id of a character.
type Identified struct {
	Resource
	IDs      []ObjectID
	Late     bool           // an id may be found after the object's creation
	Defaults map[string]any // further attributes that an import sets
	Buys     string         // the kind that a create buys, as in prices; empty if none
}

// ObjectID describes an id. ImportName is the name of the id in an import id.
type ObjectID struct{ Attribute, ImportName, Description string }

// OfCharacter returns the ids of an object that belongs to a character.
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

// Metadata names the type, and says whether the identity may change.
func (i *Identified) Metadata(ctx context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	i.Resource.Metadata(ctx, req, resp)
	resp.ResourceBehavior.MutableIdentity = i.Late
}

// IdentitySchema returns the ids.
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

// Publish calls the function Publish with the identity that the model contains.
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

// Store calls Publish, and stores private state.
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

// Update is the update of a type whose changes replace its objects. It sends
// nothing. It stores values with a changed notation, and values that an import
// could not read.
func (i *Identified) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(i.Publish(ctx, &resp.State, resp.Identity, plan)...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Forget removes an object that is gone from the state. It also sets the
// identity, because older CLIs have stored none.
func (i *Identified) Forget(ctx context.Context, resp *resource.ReadResponse, model any) {
	resp.Diagnostics.Append(i.Publish(ctx, &resp.State, resp.Identity, model)...)
	resp.Diagnostics.Append(framework.ForgetPrivate(ctx, resp.Private)...)
	resp.State.RemoveResource(ctx)
}

// ImportState takes the ids from an import id, such as "character_id/…", or
// from the identity. It sets them in state and identity. An object of a
// character gets the import mark.
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

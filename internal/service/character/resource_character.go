package character

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*characterResource)(nil)

type characterResource struct{ framework.Identified }

func newCharacterResource() resource.Resource {
	return &characterResource{framework.Identified{
		Resource: framework.Resource{Name: "character"}, IDs: []framework.ObjectID{{Attribute: "id", Description: "Id of the character."}},
		Defaults: map[string]any{"deletion_policy": policyKeep},
	}}
}

// Create adopts the character, and updates it if it differs; without an id it
// creates one, whose reply is the state.
func (r *characterResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var planned types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	plan, config := modelOf(ctx, req.Plan, &resp.Diagnostics), modelOf(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	obtain := r.adopt
	if config.ID.IsNull() {
		obtain = r.create
	}
	found := obtain(ctx, &plan, &resp.Diagnostics)
	if found == nil {
		return
	}
	private := r.Data.Client.Made()
	if !config.ID.IsNull() {
		private = r.Data.Client.Seen(api.Evidence{})
	}
	created := framework.Complete(ctx, planned, characterFields, found)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, created, private)...)
}

// Read finds the character in the shared list.
func (r *characterResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var stored types.Object
	var last *api.Evidence // a created one can vanish once a read has shown it, or should have
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &last)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	defer r.Data.WarnOfFailedReads(&resp.Diagnostics)
	if last == nil {
		last = new(api.Evidence{}.AsShown()) // what is imported must exist
	}
	id := state.ID.ValueString()
	found, complete, err := r.Data.Client.FindCharacter(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(readFailure(id).Error(err))
		return
	}
	existence := api.Present
	switch {
	case found != nil:
		stored = framework.Show(ctx, stored, characterFields, state.refreshed(found))
	case !complete:
		existence = api.Undecided
		warnOfIncompleteList(id, &resp.Diagnostics)
	default:
		existence = r.unlistedVerdict(ctx, id, *last, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if existence == api.Present {
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, r.Data.Client.Seen(*last))...)
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, stored)...)
	if existence == api.Gone {
		r.Data.Characters.Makes(id, framework.Dropped)
		resp.Diagnostics.AddWarning(summary(id)("Character Is Gone"), fmt.Sprintf(
			"Character %q is gone at the service: it was deleted, and not by this configuration. This refresh removes it from the state. "+
				"Where the configuration names its id, the apply will fail, since an id only adopts: correct the id, leave it out to create a character where the deployment can, or remove the resource. "+
				"Where it does not, the plan creates another character, and buys anew what the configuration has of this one: images, datasets, models and pictures do not come with it.", id))
		resp.State.RemoveResource(ctx)
	}
}

// Update sends both texts if one of them differs.
func (r *characterResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var planned types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	plan, config, state := modelOf(ctx, req.Plan, &resp.Diagnostics), modelOf(ctx, req.Config, &resp.Diagnostics), modelOf(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	id := plan.ID.ValueString()
	current := &api.Character{
		ID: id, Name: state.Name.ValueStringPointer(), Description: state.Description.ValueStringPointer(),
	}
	if _, needed := plan.update(current.Name, current.Description); needed {
		updated, err := r.update(ctx, &config, current)
		if err != nil {
			resp.Diagnostics.Append(updateFailure(id).Error(err))
			return
		}
		current = updated
	}
	updated := framework.Complete(ctx, planned, characterFields, current)
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, updated)...)
}

// Delete deletes the character, or forgets it. The plan has said so.
func (r *characterResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	var last api.Evidence
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &last)...)
	if state.keeps() {
		resp.Diagnostics.Append(state.forgotten(true))
	}
	if resp.Diagnostics.HasError() || state.keeps() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	if err := r.delete(ctx, state.ID.ValueString(), last.AsShown()); err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Delete", Noun: "Character", Object: object(state.ID.ValueString()),
			Consequence: "The character may still be at the service, and stays in the state; destroy again to finish. If the deployment cannot delete characters, apply deletion_policy = \"keep\" first, to forget it.",
		}.Error(err))
	}
}

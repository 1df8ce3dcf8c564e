package character

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

var _ run.ManagedResource = (*characterResource)(nil)

// characterResource is mediagen_character.
type characterResource struct{ run.Identified }

func newCharacterResource() resource.Resource {
	return &characterResource{run.Identified{
		Resource: run.Resource{Name: "character"},
		IDs:      []run.ObjectID{{Attribute: "id", Description: "Id of the adopted or created character."}},
		Defaults: map[string]any{"deletion_policy": framework.PolicyKeep},
	}}
}

// Create adopts the character with the configured id, or creates a character if
// there is no id. An adopted character is only written to if it differs.
func (r *characterResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var planned types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	plan := modelOf(ctx, req.Plan, &resp.Diagnostics)
	config := modelOf(ctx, req.Config, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	obtain := r.adopt
	if config.ID.IsNull() {
		obtain = r.create
	}
	found, wrote := obtain(ctx, &plan, &resp.Diagnostics)
	if found == nil {
		return
	}
	private := privateState{Evidence: r.Data.Client.Made(), ID: found.ID}
	if !config.ID.IsNull() {
		private.Evidence = r.Data.Client.Seen(evidence.Evidence{})
	}
	if wrote {
		private.noteSent(&plan, found, &resp.Diagnostics)
	}
	created := framework.Complete(ctx, planned, characterFields, found)
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, created, private)...)
}

// Read finds the character in the shared list. A character that is missing from
// a complete list leaves the state only if a second request proves that it is
// gone.
func (r *characterResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var stored types.Object
	var last *privateState // a created character can vanish once a read has shown it, or should have
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &last)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	defer r.Data.WarnOfFailedReads(&resp.Diagnostics)
	if last == nil {
		last = &privateState{Evidence: evidence.Evidence{}.AsShown()} // an imported character must exist
	}
	id := state.ID.ValueString()
	found, complete, err := r.Data.Client.Characters.Find(ctx, id)
	if err != nil {
		resp.Diagnostics.Append(readFailure(id).Error(err))
		return
	}
	existence := evidence.Present
	if found != nil {
		next := state.asStored(found, stored)
		last.read(&state, next, &resp.Diagnostics)
		stored = framework.Show(ctx, stored, characterFields, next)
	} else {
		existence = r.judge(ctx, id, complete, last.Evidence, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	if existence == evidence.Present {
		last.Evidence = r.Data.Client.Seen(last.Evidence)
		last.ID = id
		resp.Diagnostics.Append(framework.StorePrivate(ctx, resp.Private, last)...)
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, stored)...)
	if existence == evidence.Gone {
		r.Data.Characters.NoteMade(id, run.Gone)
		resp.Diagnostics.Append(isGone(id))
		resp.State.RemoveResource(ctx)
	}
}

// judge decides whether a character exists that the list does not show.
func (r *characterResource) judge(
	ctx context.Context,
	id string,
	complete bool,
	last evidence.Evidence,
	diags *diag.Diagnostics,
) evidence.Existence {
	existence := evidence.Undecided
	err := evidence.ErrIncompleteList
	if complete {
		existence, err = r.Data.Client.Characters.FindUnlisted(ctx, id, last.Expected(r.Data.Clock.Now()))
	}
	switch {
	case errors.Is(err, evidence.ErrIncompleteList):
		diags.Append(staysUnread(id))
	case err != nil:
		diags.Append(readFailure(id).Error(err))
	case existence == evidence.Present && last.Shown:
		diags.Append(staysUnlisted(id))
	}
	return existence
}

// Update sends both texts if one of them differs.
func (r *characterResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var planned types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	plan := modelOf(ctx, req.Plan, &resp.Diagnostics)
	config := modelOf(ctx, req.Config, &resp.Diagnostics)
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	id := plan.ID.ValueString()
	current := &api.Character{
		ID:          id,
		Name:        state.Name.ValueStringPointer(),
		Description: state.Description.ValueStringPointer(),
	}
	if _, needed := plan.update(current.Name, current.Description); needed {
		var last privateState
		resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &last)...)
		updated, wrote, err := r.update(ctx, &config, current, &last)
		if err != nil {
			resp.Diagnostics.Append(updateFailure(id).Error(err))
			return
		}
		current = updated
		if wrote {
			last.noteSent(&plan, current, &resp.Diagnostics)
			resp.Diagnostics.Append(framework.StorePrivate(ctx, resp.Private, last)...)
		}
	}
	resp.Diagnostics.Append(
		r.Publish(ctx, &resp.State, resp.Identity, framework.Complete(ctx, planned, characterFields, current))...)
}

// update changes the character's texts. For a text that is not configured it
// sends the service's present text, which may have changed since the plan.
func (r *characterResource) update(
	ctx context.Context, config *characterModel, current *api.Character, last *privateState,
) (updated *api.Character, wrote bool, err error) {
	if config.Name.IsNull() || config.Description.IsNull() {
		found, _, err := r.Data.Client.Characters.Find(ctx, current.ID)
		if err != nil {
			return nil, false, err
		}
		if found != nil {
			meant := *found
			last.useSent(&meant)
			current = &meant
		}
	}
	update, needed := config.update(current.Name, current.Description)
	if !needed {
		return current, false, nil
	}
	updated, err = r.Data.Client.Characters.Update(ctx, current.ID, update)
	return updated, true, err
}

// Delete deletes a character that this resource owns. If deletion_policy keeps
// the character, it is only forgotten.
func (r *characterResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	defer r.Data.WarnOfUnwrittenEntries(&resp.Diagnostics)
	var last evidence.Evidence
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	resp.Diagnostics.Append(framework.LoadPrivate(ctx, req.Private, &last)...)
	if resp.Diagnostics.HasError() || state.keeps() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	if err := r.delete(ctx, state.ID.ValueString(), last.AsShown()); err != nil {
		resp.Diagnostics.Append(deleteFailure(state.ID.ValueString(), err).Error(err))
	}
}

// delete accepts that the character is already gone only if two reads say so
// too: a service without the endpoint may give the same answer.
func (r *characterResource) delete(ctx context.Context, id string, last evidence.Evidence) error {
	existence, err := r.Data.Client.Judge(ctx, r.Data.DeleteCharacter(ctx, id), last)
	if existence != evidence.Gone {
		return err
	}
	existence, _, err = r.Data.Client.Find(ctx, last, func(ctx context.Context) error {
		_, failure := r.Data.Client.Characters.Capabilities(ctx, id)
		return failure
	})
	if existence == evidence.Present {
		return errStillShown
	}
	return err
}

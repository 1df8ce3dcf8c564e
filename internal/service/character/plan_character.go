package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan keeps all values known if the update sends no request.
func (r *characterResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	config := modelOf(ctx, req.Config, &resp.Diagnostics)
	id := config.ID
	if id.IsNull() {
		resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("id"), &id)...)
	}
	r.warnOfOthers(ctx, req, id, &config, &resp.Diagnostics)
	if req.Plan.Raw.Equal(req.State.Raw) {
		return // true for most of an organization's characters: decoding them all would take long
	}
	state := modelOf(ctx, req.State, &resp.Diagnostics)
	plan := modelOf(ctx, req.Plan, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	switch {
	case req.State.Raw.IsNull():
		r.planCreate(ctx, &config, req, resp)
	case !plan.ID.Equal(state.ID): // null for a destroy
		if !req.Plan.Raw.IsNull() || !state.keeps() {
			r.noteEnding(state.ID.ValueString())
		}
		r.warnOfEnd(ctx, req, &state, &resp.Diagnostics)
		// The adoption is judged here, because the CLI ignores warnings from
		// its second call on, which plans the create.
		r.planAdoption(ctx, &config, &resp.Diagnostics)
	default:
		plan.planStored(&config, &state)
		plan.showIn(ctx, req, resp, &state)
	}
}

// planCreate plans the adoption or the creation of a character.
func (r *characterResource) planCreate(
	ctx context.Context,
	config *characterModel,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	r.noteReplaced(ctx, req.Private, config, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("deletion_policy"), config.policy())...)
	if config.ID.IsNull() {
		r.planCreation(config, &resp.Diagnostics)
	} else {
		r.planAdoption(ctx, config, &resp.Diagnostics)
	}
}

// showIn plans an update that sends no request: only the configured changes are
// planned, and all other values stay as in the state.
func (m *characterModel) showIn(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
	state *characterModel,
) {
	_, needed := m.update(state.Name.ValueStringPointer(), state.Description.ValueStringPointer())
	if needed || m.Name.IsUnknown() || m.Description.IsUnknown() {
		return
	}
	resp.Plan.Raw = req.State.Raw
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("name"), m.Name)...)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("description"), m.Description)...)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("deletion_policy"), m.DeletionPolicy)...)
}

// noteReplaced records the end of the character that a create replaces, for
// example with -replace. The CLI gives the create the private state of the
// replaced character.
func (r *characterResource) noteReplaced(
	ctx context.Context, private framework.PrivateReader, config *characterModel, diags *diag.Diagnostics,
) {
	var replaced privateState
	diags.Append(framework.LoadPrivate(ctx, private, &replaced)...)
	if config.ID.ValueString() != replaced.ID {
		r.noteEnding(replaced.ID)
	}
}

// noteEnding records the planned end of the character for objects that are
// planned later. To them, an unknown reference to it must mean a different
// character.
func (r *characterResource) noteEnding(id string) {
	if r.Data != nil && id != "" {
		r.Data.Characters.NoteMade(id, run.Ending)
	}
}

// warnOfEnd says which objects a deletion takes along, or that the character
// stays.
func (r *characterResource) warnOfEnd(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	state *characterModel,
	diags *diag.Diagnostics,
) {
	id := state.ID.ValueString()
	if state.keeps() {
		r.Data.WarnOfForgotten("Characters", charactersStay, diags)
		return
	}
	isReplaced := !req.Plan.Raw.IsNull()
	if isReplaced && r.Data.CommandOf(req).MayBeApply() {
		diags.Append(isDeletedUnlessStopped(id))
		return
	}
	var has ownedObjects
	targets := map[string]any{
		"face_images_count": &has.faceImages,
		"body_images_count": &has.bodyImages,
		"face_lora_status":  &has.faceLoRA,
		"body_lora_status":  &has.bodyLoRA,
	}
	for name, target := range targets {
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), target)...)
	}
	if r.Data != nil {
		has.managed = r.Data.Characters.Objects(id)
	}
	diags.Append(isDeletedWith(id, has))
}

// planCreation warns if a listed character has the name, as far as this run has
// read the list.
func (r *characterResource) planCreation(config *characterModel, diags *diag.Diagnostics) {
	if config.Name.IsNull() {
		diags.Append(nameIsMissing())
	}
	if config.Name.IsNull() || config.Name.IsUnknown() || !r.Data.Known() {
		return
	}
	var namesakes []api.Character
	for _, listed := range r.Data.Client.Characters.Listed() {
		if framework.SameText(config.Name, listed.Name).Equal(config.Name) {
			namesakes = append(namesakes, listed)
		}
	}
	if len(namesakes) > 0 {
		diags.Append(nameIsTaken(namesakes))
	}
}

// planAdoption warns of an adoption's effects, and refuses an impossible one.
// If the character cannot be read now, the apply decides.
func (r *characterResource) planAdoption(ctx context.Context, config *characterModel, diags *diag.Diagnostics) {
	if config.ID.IsNull() || config.ID.IsUnknown() || !r.Data.Known() {
		return
	}
	id := config.ID.ValueString()
	found, existence := r.Data.Client.Characters.TryFind(ctx, id)
	switch {
	case found != nil:
		warnOfOverwrite(config, found, diags)
	case existence == evidence.Gone && r.Data.Characters.IsMade(id, run.Gone): // the refresh has reported it
	case existence == evidence.Gone:
		diags.Append(nothingToAdopt(id, r.Data.Client.Characters.Listed()))
	case existence == evidence.Present && !config.Name.IsUnknown() && !config.Description.IsUnknown():
		refuseUnlisted(id, config.Name.IsNull(), config.Description.IsNull(), diags)
	}
}

// textsOf names the texts that an update changes.
func textsOf(name, description bool) string {
	switch {
	case name && description:
		return "name and description"
	case name:
		return "name"
	case description:
		return "description"
	}
	return ""
}

// warnOfOverwrite names the texts that the apply replaces. The plan of a create
// does not show them.
func warnOfOverwrite(config *characterModel, found *api.Character, diags *diag.Diagnostics) {
	_, otherName := wanted(config.Name, found.Name)
	_, otherDescription := wanted(config.Description, found.Description)
	if changes := textsOf(otherName, otherDescription); changes != "" {
		diags.Append(adoptionOverwrites(found.ID, changes))
	}
}

// warnOfOthers warns if a second resource in the plan manages the same
// character. It is no error, because a resource that is planned twice, for
// example in a test file, looks like two resources.
func (r *characterResource) warnOfOthers(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	planned types.String,
	config *characterModel,
	diags *diag.Diagnostics,
) {
	id := planned.ValueString()
	if r.Data == nil || id == "" {
		return
	}
	name := r.Data.Characters.Want(id, "name", config.Name)
	description := r.Data.Characters.Want(id, "description", config.Description)
	isFirst := r.isReplacement(ctx, req, diags) || r.Data.Characters.NoteMade(id, run.Managed)
	differences := textsOf(name, description)
	switch {
	case differences != "":
		diags.Append(isAdoptedTwice(id, differences))
	case !isFirst && !r.Data.CommandOf(req).PlansInApply():
		diags.Append(isManagedTwice(id))
	}
}

// isReplacement reports whether the planned create replaces an object of the
// state. The CLI then gives it the private state of the replaced object.
func (r *characterResource) isReplacement(
	ctx context.Context, req resource.ModifyPlanRequest, diags *diag.Diagnostics,
) bool {
	var replaced privateState
	if req.State.Raw.IsNull() {
		diags.Append(framework.LoadPrivate(ctx, req.Private, &replaced)...)
	}
	return replaced.ID != ""
}

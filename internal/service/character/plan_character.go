package character

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ModifyPlan warns of what an adoption overwrites and of what a destroy leaves,
// and keeps all values known if the update sends nothing.
func (r *characterResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var config, state, plan characterModel
	if !req.Plan.Raw.IsNull() {
		config = modelOf(ctx, req.Config, &resp.Diagnostics)
		r.warnOfOthers(&config, &resp.Diagnostics)
	}
	if req.Plan.Raw.Equal(req.State.Raw) {
		return // like most of an organization's characters, whose decoding takes long
	}
	if !req.State.Raw.IsNull() {
		state = modelOf(ctx, req.State, &resp.Diagnostics)
	}
	if !req.Plan.Raw.IsNull() {
		plan = modelOf(ctx, req.Plan, &resp.Diagnostics)
	}
	if resp.Diagnostics.HasError() {
		return
	}
	switch {
	case req.State.Raw.IsNull():
		r.planAdoption(ctx, &config, &resp.Diagnostics)
	case !plan.ID.Equal(state.ID): // null for a destroy
		resp.Diagnostics.AddWarning("Character Stays at the Service",
			fmt.Sprintf("The service cannot delete characters. Terraform forgets character %q; the record, its images and its models stay.", state.ID.ValueString()))
		// For the create, the CLI ignores warnings from its second call on.
		r.planAdoption(ctx, &config, &resp.Diagnostics)
	default:
		_, needed := plan.update(state.Name.ValueStringPointer(), state.Description.ValueStringPointer())
		if needed || !framework.Known(plan.Name, plan.Description) {
			return
		}
		resp.Plan.Raw = req.State.Raw
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("name"), plan.Name)...)
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("description"), plan.Description)...)
	}
}

// planAdoption warns of what the apply will overwrite, and rejects a character
// that it cannot adopt. If that cannot be read now, the apply decides.
func (r *characterResource) planAdoption(ctx context.Context, config *characterModel, diags *diag.Diagnostics) {
	if config.ID.IsNull() || config.ID.IsUnknown() || !r.Data.Known() {
		return
	}
	id := config.ID.ValueString()
	found, existence := r.Data.Client.TryFindCharacter(ctx, id)
	switch {
	case found != nil:
		warnOfOverwriting(config, found, diags)
	case existence == api.Gone && r.Data.Characters.WasDropped(id):
		diags.AddAttributeWarning(path.Root("id"), "Character Is Gone", fmt.Sprintf(
			"Character %q no longer exists, so this refresh removed it from the state. The plan adopts it again, but the apply will fail, since the service cannot create characters. "+
				"Correct the id, or remove the resource from the configuration.%s", id, framework.SimilarCharacter(id, r.Data.Client.ListedCharacters())))
	case existence == api.Gone:
		diags.AddAttributeError(path.Root("id"), "Character Not Found", fmt.Sprintf(
			"Character %q is not in the list of characters and has no capabilities, and the service cannot create characters. Nothing was changed. "+
				"Correct the id, or use a credential of the organization that owns it. To destroy all the same, use -refresh=false: a destroy otherwise begins with this plan.%s", id, framework.SimilarCharacter(id, r.Data.Client.ListedCharacters())))
	case existence == api.Present && framework.Known(config.Name, config.Description):
		checkUnlisted(id, config.Name.IsNull(), config.Description.IsNull(), diags)
	}
}

// warnOfOverwriting names the texts that the apply replaces, which the plan of
// a create does not show.
func warnOfOverwriting(config *characterModel, found *api.Character, diags *diag.Diagnostics) {
	var changes []string
	for _, text := range []struct {
		name   string
		wanted types.String
		served *string
	}{{"name", config.Name, found.Name}, {"description", config.Description, found.Description}} {
		if next, different := wanted(text.wanted, text.served); different {
			served := types.StringPointerValue(text.served).ValueString()
			changes = append(changes, fmt.Sprintf("%s %s becomes %s", text.name, framework.Excerpt(served), framework.Excerpt(next)))
		}
	}
	if len(changes) > 0 {
		diags.AddWarning("Adoption Overwrites Character", fmt.Sprintf(
			"Adopting character %q changes it at the service: %s. Leave an attribute out to keep the service's value.", found.ID, strings.Join(changes, "; ")))
	}
}

// warnOfOthers warns if another resource of the character has different texts.
// It is not an error: a provider cannot distinguish two resources from one that
// is planned twice, as with -replace or in a test file.
func (r *characterResource) warnOfOthers(config *characterModel, diags *diag.Diagnostics) {
	if r.Data == nil || config.ID.IsUnknown() {
		return
	}
	id := config.ID.ValueString()
	var differences []string
	for _, text := range []struct {
		name   string
		wanted types.String
	}{{"name", config.Name}, {"description", config.Description}} {
		if other, different := r.Data.Characters.Want(id, text.name, text.wanted); different {
			differences = append(differences, fmt.Sprintf("%s %s and %s", text.name, framework.Excerpt(other), framework.Excerpt(text.wanted.ValueString())))
		}
	}
	if len(differences) > 0 {
		diags.AddWarning("Character Adopted Twice", fmt.Sprintf(
			"Two resources manage character %q with different texts: %s. Each apply changes the texts again, and no plan will be empty. Keep one of the resources, or give both the same texts.",
			id, strings.Join(differences, "; ")))
	}
}

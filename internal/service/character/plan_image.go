package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan reads the file: its bytes decide whether an image must be uploaded.
func (r *imageResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	var config, state, plan imageModel
	if !req.State.Raw.IsNull() {
		resp.Diagnostics.Append(req.State.Get(ctx, r.kind.attributes(&state))...)
	}
	if !req.Plan.Raw.IsNull() {
		resp.Diagnostics.Append(req.Config.Get(ctx, r.kind.attributes(&config))...)
		resp.Diagnostics.Append(req.Plan.Get(ctx, r.kind.attributes(&plan))...)
	}
	switch {
	case resp.Diagnostics.HasError():
	case req.Plan.Raw.IsNull():
		r.note(&state)
		r.warnOfForgotten(&resp.Diagnostics)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, &plan, &resp.Diagnostics)
		r.checkPlanned(ctx, req, &plan, &resp.Diagnostics)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, r.kind.attributes(&plan))...)
	case !plan.CharacterID.Equal(state.CharacterID):
		// The CLI asks for the plan of the new image next.
		r.warnOfForgotten(&resp.Diagnostics)
	default:
		next, replace := r.planReupload(ctx, &config, &state, framework.Imported(ctx, req.Private), &resp.Diagnostics)
		if len(replace) > 0 {
			r.warnOfForgotten(&resp.Diagnostics)
		}
		resp.RequiresReplace = append(resp.RequiresReplace, replace...)
		resp.Diagnostics.Append(resp.Plan.Set(ctx, r.kind.attributes(&next))...)
	}
}

// planCreate reads the file, so that a file that cannot be uploaded is an error
// of the plan.
func (r *imageResource) planCreate(ctx context.Context, plan *imageModel, diags *diag.Diagnostics) {
	if r.Data != nil {
		r.Data.Characters.NoteMade(plan.CharacterID.ValueString(), run.Images)
	}
	switch {
	case plan.Source.IsUnknown():
	case plan.Source.IsNull():
		diags.Append(r.kind.sourceIsMissing())
	default:
		file, err := inspect(ctx, plan.Source.ValueString())
		if err != nil {
			diags.Append(sourceIsUnreadable(plan, err))
			return
		}
		file.checkImage(plan.Source.ValueString(), diags)
		plan.describe(file)
	}
}

// checkPlanned refuses the image of a character that does not exist, as far as
// the plan knows. One read answers that for all images of the character. It
// also warns of equal pictures. In an apply the upload itself asks the service.
func (r *imageResource) checkPlanned(
	ctx context.Context, req resource.ModifyPlanRequest, plan *imageModel, diags *diag.Diagnostics,
) {
	id := plan.CharacterID.ValueString()
	isChecked := id != "" && r.Data.Known() && !diags.HasError()
	if !isChecked || r.Data.CommandOf(req).PlansInApply() {
		return
	}
	sum := plan.ContentSHA256.ValueString()
	if sum != "" && !r.Data.Characters.NoteMade(id, r.kind.noun+" "+sum) {
		diags.Append(r.kind.isUploadedTwice(plan))
	}
	r.Data.RefuseUnknownAtPlan(ctx, req, plan.CharacterID, "The "+r.kind.noun+" is uploaded", diags)
}

// planReupload plans a new upload if the bytes or the name of the image change. A
// change of the path alone changes only the state. Inputs that an import could not read
// are taken over from the configuration.
func (r *imageResource) planReupload(
	ctx context.Context, config, state *imageModel, imported bool, diags *diag.Diagnostics,
) (next imageModel, replace path.Paths) {
	next, replace = planInputs(config, state, imported)
	takesOver := imported && state.imported() && len(replace) == 0
	if takesOver && next.takesInputsOver(state) {
		diags.Append(r.kind.sourceTakenOver(state))
	}
	switch {
	case next.Source.IsNull():
	case next.Source.IsUnknown():
		replace = append(replace, r.planUnknownSource(&next, state, len(replace) == 0, takesOver, diags)...)
	default:
		replace = append(replace, r.planFile(ctx, &next, state, takesOver, diags)...)
	}
	return next, replace
}

// planInputs takes over the inputs that differ in the configuration, and
// returns those that replace the image. An input that an import could not read
// replaces nothing.
func planInputs(config, state *imageModel, imported bool) (next imageModel, replace path.Paths) {
	next = *state
	next.ImageType = config.ImageType
	if !framework.IsSameText(state.Source, config.Source) {
		next.Source = config.Source
	}
	if !config.Filename.IsNull() && !framework.IsSameText(state.Filename, config.Filename) {
		next.Filename = config.Filename
	}
	if !next.Filename.Equal(state.Filename) && (!imported || !state.Filename.IsNull()) {
		replace = append(replace, path.Root("filename"))
	}
	if !next.ImageType.Equal(state.ImageType) && (!imported || !state.ImageType.IsNull()) {
		replace = append(replace, path.Root("image_type"))
	}
	return next, replace
}

// takesInputsOver reports whether the configuration has an input that the
// import could not read.
func (m *imageModel) takesInputsOver(state *imageModel) bool {
	isNamed := !m.Filename.Equal(state.Filename) || !m.ImageType.Equal(state.ImageType)
	return !m.Source.IsNull() || isNamed
}

// planUnknownSource plans an image in place if its file is not known yet. The
// plan that the apply makes knows the file, and the provider refuses that plan
// if the file would have to be uploaded. An imported image has no content to
// compare with, so it may be replaced.
func (r *imageResource) planUnknownSource(
	next, state *imageModel, inPlace, takesOver bool, diags *diag.Diagnostics,
) (replace path.Paths) {
	switch {
	case !state.imported() && inPlace:
		diags.Append(r.kind.plannedAsBefore(state))
	case !state.imported():
	default:
		next.describeLater()
		if !takesOver {
			replace = append(replace, path.Root("content_sha256")) // the value once the source is known
		}
	}
	return replace
}

// planFile compares the file with the uploaded content.
func (r *imageResource) planFile(
	ctx context.Context, next, state *imageModel, takesOver bool, diags *diag.Diagnostics,
) (replace path.Paths) {
	file, err := inspect(ctx, next.Source.ValueString())
	switch {
	case err != nil && next.Source.Equal(state.Source):
		diags.Append(r.kind.staysUnchanged(state, err))
	case err != nil:
		diags.Append(sourceIsUnreadable(next, err))
	case takesOver:
		next.describe(file)
		if next.Filename.IsNull() {
			next.Filename = types.StringValue(next.defaultFilename())
		}
	case file.sha256 != state.ContentSHA256.ValueString():
		file.checkImage(next.Source.ValueString(), diags)
		next.describe(file)
		replace = append(replace, path.Root("content_sha256"))
	}
	return replace
}

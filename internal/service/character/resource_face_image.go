package character

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var (
	_ resource.ResourceWithConfigure   = (*faceImageResource)(nil)
	_ resource.ResourceWithIdentity    = (*faceImageResource)(nil)
	_ resource.ResourceWithImportState = (*faceImageResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*faceImageResource)(nil)
)

type faceImageResource struct{ framework.Resource }

// faceImagePrivateState is what private state holds of a face image.
type faceImagePrivateState struct {
	// Only an asset that a list has shown can vanish.
	api.Sighting
	// Lost is the upload whose reply was lost, until its asset is found.
	Lost lostUpload `json:"lost,omitzero"`
}

func newFaceImageResource() resource.Resource { return &faceImageResource{} }

func (r *faceImageResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_face_image"
	// An image whose reply was lost gets its real id when it is found.
	resp.ResourceBehavior.MutableIdentity = true
}

func (r *faceImageResource) claims() *claims { return framework.Recall[claims](r.Data) }

// hold keeps the asset of an image from being adopted by another one.
func (r *faceImageResource) hold(image *faceImageModel) {
	if r.Data.Known() && !image.pending() {
		r.claims().take(image.CharacterID.ValueString(), image.ID.ValueString())
	}
}

// Create uploads the file, once.
func (r *faceImageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan faceImageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	lost := r.begin(&plan)
	reply, err := r.Data.Client.UploadFaceImage(ctx, plan.CharacterID.ValueString(), plan.upload())
	switch {
	case err == nil && reply.AssetID != nil:
		plan.uploaded(reply)
		r.hold(&plan)
	case err == nil:
		plan.uploaded(reply)
		r.lookForUpload(ctx, &plan, lost, errors.New("the reply to the upload names no asset"), &resp.Diagnostics)
	case api.IsOutcomeUnknown(err):
		r.lookForUpload(ctx, &plan, lost, err, &resp.Diagnostics)
	default:
		resp.Diagnostics.Append(uploadError(&plan, err))
		return
	}
	framework.WarnOfOmitted(&resp.Diagnostics, imageFailure("", &plan).Object, nil, plan.addresses())
	if plan.pending() {
		lost.Known = r.claims().with(plan.CharacterID.ValueString(), lost.Known)
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, faceImagePrivateState{Lost: lost})...)
	}
	resp.Diagnostics.Append(framework.Publish(ctx, &resp.State, resp.Identity, &plan, plan.identity())...)
}

// Read finds the asset in the list that all images of the character share.
func (r *faceImageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state faceImageModel
	var private faceImagePrivateState
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &private)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.hold(&state)
	private.Shown = private.Shown || state.imported() // what is imported must be there
	assets, answer := r.Data.Client.AssetsOnce(ctx, state.CharacterID.ValueString())
	if assets == nil {
		assets = &api.Assets{} // those of a character that is gone are gone too
	} else {
		r.claims().list(state.CharacterID.ValueString(), assets)
	}
	asset := r.find(&state, assets, private.Lost)
	if assets.Complete && !state.pending() {
		answer = api.Listed(asset != nil, "/{character_id}/assets")
	}
	verdict, err := r.Data.Client.Judge(answer, private.Sighting)
	switch {
	case err != nil:
		resp.Diagnostics.Append(imageFailure("Read", &state).Error(err))
		return
	case asset != nil:
		state.ID = types.StringPointerValue(asset.ID)
		before := state.addresses()
		state.listed(asset)
		framework.WarnOfOmitted(&resp.Diagnostics, imageFailure("", &state).Object, before, state.addresses())
		r.hold(&state)
		private = faceImagePrivateState{Sighting: r.Data.Client.Seen(private.Sighting)}
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, private)...)
	case state.pending():
		warnPending(&state, &resp.Diagnostics)
	case verdict == api.Present:
		resp.Diagnostics.AddWarning("Asset List Incomplete",
			fmt.Sprintf("The service's list of the assets of character %q was inconsistent and did not show face image %q. It is kept as it was.", state.CharacterID.ValueString(), state.ID.ValueString()))
	}
	resp.Diagnostics.Append(framework.CountRefresh(ctx, req.Private, resp.Private)...)
	resp.Diagnostics.Append(framework.Publish(ctx, &resp.State, resp.Identity, &state, state.identity())...)
	if verdict == api.Gone {
		resp.State.RemoveResource(ctx)
	}
}

// find is the asset of the image, also of one whose reply was lost.
func (r *faceImageResource) find(state *faceImageModel, assets *api.Assets, lost lostUpload) *api.Asset {
	if state.pending() {
		return r.findLost(state, assets, lost)
	}
	for i := range assets.Items {
		if id := assets.Items[i].ID; id != nil && *id == state.ID.ValueString() {
			return &assets.Items[i]
		}
	}
	return nil
}

// Update takes the path, and what an import could not read, into the state. It
// sends nothing: what would need an upload was planned as a replacement.
func (r *faceImageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan faceImageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(framework.EndImport(ctx, resp.Private)...)
	r.hold(&plan)
	resp.Diagnostics.Append(framework.Publish(ctx, &resp.State, resp.Identity, &plan, plan.identity())...)
}

// Delete forgets the image: the service cannot delete one. The plan has said
// so. What replaces it may have its name, and must not become it.
func (r *faceImageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state faceImageModel
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	r.hold(&state)
}

// ImportState takes character_id/asset_id, or the identity.
func (r *faceImageResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	framework.ImportOfCharacter(ctx, req, resp, "id", "asset_id")
}

func imageFailure(verb string, image *faceImageModel) framework.Failure {
	return framework.Failure{
		Verb: verb, Noun: "Face Image", NotFound: path.Root("character_id"),
		Object: fmt.Sprintf("face image %q of character %q", image.ID.ValueString(), image.CharacterID.ValueString()),
	}
}

func warnPending(image *faceImageModel, diags *diag.Diagnostics) {
	diags.AddWarning("Face Image Upload Outcome Unknown",
		fmt.Sprintf("The upload of %q to character %q was not confirmed, and the asset was not found. It is recorded as %q and not uploaded again by itself; every refresh looks for an asset of this name that is newer than the upload. "+
			"If the service does not have it, upload it again with -replace; if it has, import it.",
			image.Filename.ValueString(), image.CharacterID.ValueString(), image.ID.ValueString()))
}

package character

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

var _ framework.Managed = (*imageResource)(nil)

type imageResource struct {
	framework.Identified
	kind imageKind
}

// imagePrivateState is an image's private state.
type imagePrivateState struct {
	// Only an asset that a list has shown can vanish.
	api.Evidence
	// Lost is an upload whose reply was lost, until its asset is found.
	Lost lostUpload `json:"lost,omitzero"`
}

// claim prevents another image from adopting this image's asset.
func (r *imageResource) claim(image *imageModel, by framework.Claim) {
	if r.Data.Known() && !image.isUnknown() {
		r.Data.Assets.Claim(image.CharacterID.ValueString(), image.ID.ValueString(), by)
	}
}

// Create uploads the file, once. If the reply is lost or names no asset, it
// searches for the image; one that is not found is stored all the same, and
// every refresh searches again.
func (r *imageResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var plan imageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, r.kind.attributes(&plan))...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	character := plan.CharacterID.ValueString()
	upload := lostUpload{Began: r.Data.Clock.Now(), Known: r.Data.Client.KnownAssets(character)}
	reply, err := r.Data.Client.UploadImage(ctx, r.kind.ImageKind, character, plan.ImageType.ValueString(), plan.upload())
	if err != nil && !api.IsOutcomeUnknown(err) {
		resp.Diagnostics.Append(r.uploadError(&plan, err))
		return
	}
	if err == nil {
		plan.uploaded(reply)
	}
	if err == nil && plan.ID.IsNull() {
		err = errors.New("the reply to the upload names no asset")
	}
	if err != nil {
		r.findUpload(ctx, &plan, upload, err, &resp.Diagnostics)
	}
	r.claim(&plan, framework.ByApply)
	if plan.isUnknown() {
		// Nor can it be what other images have.
		upload.Known.IDs = slices.Concat(upload.Known.IDs, r.Data.Assets.Claimed(character))
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, imagePrivateState{Lost: upload})...)
	}
	framework.WarnOfOmitted(&resp.Diagnostics, r.kind.object(&plan), nil, plan.addresses())
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, r.kind.attributes(&plan))...)
}

// Read finds the asset in the list that all images of the character share.
func (r *imageResource) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var state imageModel
	var private imagePrivateState
	resp.Diagnostics.Append(req.State.Get(ctx, r.kind.attributes(&state))...)
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &private)...)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.claim(&state, framework.ByState)
	private.Shown = private.Shown || state.imported() // what is imported must exist
	var asset *api.Asset
	existence, _, err := r.Data.Client.Find(ctx, private.Evidence, func(ctx context.Context) error {
		assets, failure := r.Data.Client.AssetsOnce(ctx, state.CharacterID.ValueString())
		if assets == nil {
			assets = &api.Assets{} // a character that is gone has none
		}
		asset = r.find(&state, assets, private.Lost)
		if assets.Complete && !state.isUnknown() {
			failure = api.Listed(asset != nil, "/{character_id}/assets", state.CharacterID.ValueString())
		}
		return failure
	})
	switch {
	case err != nil:
		resp.Diagnostics.Append(r.kind.failure("Read", &state).Error(err))
		return
	case asset != nil:
		state.ID = types.StringPointerValue(asset.ID)
		before := state.addresses()
		state.listed(asset)
		framework.WarnOfOmitted(&resp.Diagnostics, r.kind.object(&state), before, state.addresses())
		private = imagePrivateState{Evidence: r.Data.Client.Seen(private.Evidence)}
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, private)...)
	case state.isUnknown():
		r.warnPending(&state, &resp.Diagnostics)
	case existence == api.Present:
		resp.Diagnostics.AddWarning("Asset List Incomplete",
			fmt.Sprintf("The service's list of the assets of character %q was inconsistent and did not show %s %q. It is kept as it was.",
				state.CharacterID.ValueString(), r.kind.noun, state.ID.ValueString()))
	}
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, r.kind.attributes(&state))...)
	if existence == api.Gone {
		resp.State.RemoveResource(ctx)
	}
}

// find returns the image's asset, also for an image whose reply was lost.
func (r *imageResource) find(state *imageModel, assets *api.Assets, lost lostUpload) *api.Asset {
	if state.isUnknown() {
		return r.findLost(state, assets, lost, framework.ByState)
	}
	for i := range assets.Items {
		if id := assets.Items[i].ID; id != nil && *id == state.ID.ValueString() {
			return &assets.Items[i]
		}
	}
	return nil
}

// Update stores the path, and what an import could not read. It sends nothing:
// what needs an upload was planned as a replacement.
func (r *imageResource) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var plan imageModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, r.kind.attributes(&plan))...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.claim(&plan, framework.ByState)
	resp.Diagnostics.Append(r.Publish(ctx, &resp.State, resp.Identity, r.kind.attributes(&plan))...)
	framework.EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// Delete forgets the image: the service cannot delete one. The plan has said
// so. A replacement may have its name, and must not adopt it.
func (r *imageResource) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var state imageModel
	resp.Diagnostics.Append(req.State.Get(ctx, r.kind.attributes(&state))...)
	r.claim(&state, framework.ByApply)
}

func (r *imageResource) warnPending(image *imageModel, diags *diag.Diagnostics) {
	diags.AddWarning(r.kind.title+" Upload Outcome Unknown",
		fmt.Sprintf("The upload of %q to character %q was not confirmed, and the asset was not found. It is recorded as %q and not uploaded again by itself; every refresh looks for an asset of this name that is newer than the upload. "+
			"If the service does not have it, upload it again with -replace; if it has, import it.",
			image.Filename.ValueString(), image.CharacterID.ValueString(), image.ID.ValueString()))
}

package character

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// findTimeout bounds the search after a cancellation: the CLI waits three
// seconds.
const findTimeout = 2 * time.Second

// fileError says that the file, not the service, failed an upload.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

// upload returns the request for a planned image. Its bytes are checked against
// the plan while they are sent.
func (m *imageModel) upload() api.Image {
	source := m.Source.ValueString()
	return api.Image{
		Filename: m.Filename.ValueString(), ContentType: m.ContentType.ValueString(),
		SHA256: m.ContentSHA256.ValueString(), Size: m.Size.ValueInt64(),
		Open: func() (io.ReadCloser, error) {
			file, err := openImage(source)
			if err != nil {
				return nil, fileError{err}
			}
			return file, nil
		},
	}
}

// uploadError describes an upload that the service did not accept. It blames
// the source for what the service says about the file.
func (r *imageResource) uploadError(image *imageModel, err error) diag.Diagnostic {
	failure := r.kind.failure("Upload", image)
	failure.Object = fmt.Sprintf("file %q for character %q", image.Source.ValueString(), image.CharacterID.ValueString())
	failure.Consequence = "No " + r.kind.noun + " was added."
	var unreadable fileError
	switch {
	case errors.Is(err, api.ErrFileChanged):
		failure.Consequence = "The file changed between plan and apply, or while it was sent; the upload was cut off before the service could take it. Plan and apply again."
		return diag.WithPath(path.Root("source"), failure.Error(err))
	case errors.As(err, &unreadable), refusesFile(err):
		return diag.WithPath(path.Root("source"), failure.Error(err))
	}
	return failure.Error(err)
}

func refusesFile(err error) bool {
	var refused *api.Error
	return errors.As(err, &refused) && slices.Contains([]int{
		http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity,
	}, refused.Status)
}

// lostUpload is what is known about an upload whose reply was lost.
type lostUpload struct {
	Began time.Time       `json:"began"`
	Known api.KnownAssets `json:"known"`
}

// findUpload handles an upload that may have happened: it searches for the
// asset, and otherwise stores the image as unknown. The image is never uploaded
// again by itself.
func (r *imageResource) findUpload(ctx context.Context, image *imageModel, lost lostUpload, cause error, diags *diag.Diagnostics) {
	if ctx.Err() != nil {
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), findTimeout)
		defer stop()
		ctx = bounded
	}
	image.ID = framework.UnknownID()
	assets, err := r.Data.Client.Assets(ctx, image.CharacterID.ValueString(), "")
	if err == nil {
		if asset := r.findLost(image, assets, lost, framework.ByApply); asset != nil {
			image.ID = types.StringPointerValue(asset.ID)
			image.listed(asset)
			diags.AddWarning(r.kind.title+" Upload Reply Lost",
				fmt.Sprintf("The upload of %q was not confirmed (%s). Asset %q, of the same file name and created since, was found and adopted.", image.Filename.ValueString(), cause, image.ID.ValueString()))
			return
		}
	}
	diags.Append(r.kind.failure("Confirm", image).Warning(cause))
	r.warnPending(image, diags)
}

// findLost claims the only asset that can come from a lost upload: an image of
// our kind and file name, created since the upload began, and not claimed.
func (r *imageResource) findLost(image *imageModel, assets *api.Assets, lost lostUpload, by framework.Claim) *api.Asset {
	character, now := image.CharacterID.ValueString(), r.Data.Clock.Now()
	candidates := slices.DeleteFunc(slices.Clone(assets.Items), func(asset api.Asset) bool {
		return !isNamed(&asset, image.Filename.ValueString()) || !asset.MayBe(r.kind.AssetType) ||
			!lost.isNew(&asset, now) || r.Data.Assets.IsClaimed(character, *asset.ID, framework.ByAnyone)
	})
	if len(candidates) != 1 || !r.Data.Assets.Claim(character, *candidates[0].ID, by) {
		return nil // several cannot be told apart
	}
	return &candidates[0]
}

// isNamed reports whether an asset may be an image of this file name. Services
// keep the last part of a name.
func isNamed(asset *api.Asset, filename string) bool {
	return asset.ID != nil && asset.Filename != nil && filepath.Base(*asset.Filename) == filepath.Base(filename)
}

// isNew reports whether an asset was created since the upload began. One
// without a time is new if a complete list from before does not have it.
func (l lostUpload) isNew(asset *api.Asset, now time.Time) bool {
	origin := framework.Lost{Before: l.Known.IDs, Asked: l.Began}.Origin(*asset.ID, asset.CreatedAt, now)
	return origin == framework.Ours || origin == framework.InDoubt && l.Known.Whole
}

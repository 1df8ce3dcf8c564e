package character

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

const (
	// clockSkew is how far the service's clock may be behind ours when its
	// assets are searched for one created since an upload began.
	clockSkew = 5 * time.Minute
	// lastLook bounds the search after a cancellation: the CLI waits three
	// seconds.
	lastLook = 2 * time.Second
)

// fileError says that the file, not the service, failed an upload.
type fileError struct{ error }

func (e fileError) Unwrap() error { return e.error }

// upload is the request for a planned image. Its bytes are checked against the
// plan while they are sent.
func (m *faceImageModel) upload() api.FaceImage {
	source := m.Source.ValueString()
	return api.FaceImage{
		Filename: m.Filename.ValueString(), ContentType: m.ContentType.ValueString(),
		SHA256: m.ContentSHA256.ValueString(), Size: m.Size.ValueInt64(),
		Open: func() (io.ReadCloser, error) {
			if err := checkRegular(source); err != nil {
				return nil, fileError{err}
			}
			file, err := os.Open(source)
			if err != nil {
				return nil, fileError{readable(err)}
			}
			return file, nil
		},
	}
}

// uploadError is the failure of an upload that the service did not take. It
// blames the source for what the service says about the file.
func uploadError(image *faceImageModel, err error) diag.Diagnostic {
	failure := imageFailure("Upload", image)
	failure.Object = fmt.Sprintf("file %q for character %q", image.Source.ValueString(), image.CharacterID.ValueString())
	failure.Consequence = "No face image was added."
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

// lookForUpload deals with an upload that may have happened: the asset is looked
// for, and if it cannot be told, the image is recorded as unknown. It is never
// uploaded again by itself.
func (r *faceImageResource) lookForUpload(ctx context.Context, image *faceImageModel, began time.Time, cause error, diags *diag.Diagnostics) {
	if ctx.Err() != nil {
		bounded, stop := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
		defer stop()
		ctx = bounded
	}
	image.ID = types.StringValue(unknownPrefix + strings.ToLower(rand.Text()))
	assets, err := r.Data.Client.Assets(ctx, image.CharacterID.ValueString(), "")
	if err == nil {
		if asset := r.findLost(image, assets, began); asset != nil {
			image.ID = types.StringPointerValue(asset.ID)
			image.listed(asset)
			diags.AddWarning("Face Image Upload Reply Lost",
				fmt.Sprintf("The upload of %q was not confirmed (%s). Asset %q, of the same file name and created since, was found and adopted.", image.Filename.ValueString(), cause, image.ID.ValueString()))
			return
		}
	}
	diags.Append(imageFailure("Confirm", image).Warning(cause))
	warnPending(image, diags)
}

// findLost is the one asset that can come from a lost upload: a face image of
// our file's name, created since the upload began, and no other resource's.
func (r *faceImageResource) findLost(image *faceImageModel, assets *api.Assets, began time.Time) *api.Asset {
	var found *api.Asset
	for i := range assets.Items {
		asset := &assets.Items[i]
		if !couldBe(asset, image.Filename.ValueString(), began) || r.claims().has(*asset.ID) {
			continue
		}
		if found != nil {
			return nil // which of the two cannot be told
		}
		found = asset
	}
	if found == nil || !r.claims().take(*found.ID) {
		return nil
	}
	return found
}

func couldBe(asset *api.Asset, filename string, began time.Time) bool {
	// Services keep the last part of a name.
	if asset.ID == nil || asset.Filename == nil || filepath.Base(*asset.Filename) != filepath.Base(filename) {
		return false
	}
	if asset.AssetType != nil && !isFaceImage(*asset.AssetType) {
		return false
	}
	if asset.CreatedAt == nil {
		return true
	}
	created, err := time.Parse(time.RFC3339, *asset.CreatedAt)
	return err != nil || !created.Before(began.Add(-clockSkew))
}

func isFaceImage(assetType string) bool {
	return strings.EqualFold(strings.NewReplacer("-", "_", " ", "_").Replace(assetType), assetTypeFace)
}

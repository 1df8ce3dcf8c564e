package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// ImageKind is a kind of image that is uploaded for a character.
type ImageKind struct {
	// Route accepts the files.
	Route string
	// AssetType is the type of the images in lists of assets.
	AssetType string
	// Types are those that an upload may give; none if it gives none.
	Types []string
}

// FaceImages is the only kind whose upload the interface describes, BodyImages one
// that deployments document.
var (
	FaceImages = ImageKind{Route: "/{character_id}/upload/face-image", AssetType: "face_image"}
	BodyImages = ImageKind{Route: "/{character_id}/upload/body-image", AssetType: "body_image", Types: []string{"body_image_front", "body_image_back"}}
)

// Image is a file to upload.
type Image = transport.File

// UploadImage sends POST to the route of the kind. The file is streamed; if it
// differs from what image says, the request is aborted before its end, with
// ErrFileChanged. imageType is one of the kind's types, empty if it has none.
func (c *Client) UploadImage(ctx context.Context, kind ImageKind, characterID, imageType string, image Image) (*Asset, error) {
	request := transport.Post(kind.Route, characterID).Paid().Expect("asset_id", "view_url", "storage_url", "filename")
	var texts map[string]string
	if len(kind.Types) > 0 {
		request.Optional("import one that was uploaded elsewhere")
		texts = map[string]string{"image_type": imageType}
	}
	reply, err := c.do(ctx, request.Form("file", image, texts))
	asset := assetOf(reply)
	if err == nil && asset.ID == nil {
		err = c.transport.WithoutResult(request, reply)
	}
	if err != nil {
		return nil, err
	}
	c.note(characterID, *asset.ID, true)
	return asset, nil
}

package api

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// FaceImage is a file to upload.
type FaceImage = transport.File

// FaceImageUpload is the service's description of an uploaded file.
type FaceImageUpload struct {
	AssetID, StorageURL, ViewURL, Filename *string
	Caption, CaptionStatus, Message        *string
}

// UploadFaceImage sends POST /{character_id}/upload/face-image. The file is
// streamed; if it differs from what image says, the request is aborted before
// its end, with ErrFileChanged.
func (c *Client) UploadFaceImage(ctx context.Context, characterID string, image FaceImage) (*FaceImageUpload, error) {
	request := transport.Post("/{character_id}/upload/face-image", characterID).Expect("asset_id", "view_url", "storage_url", "filename")
	reply, err := c.do(ctx, request.Form("file", image))
	if err != nil {
		return nil, err
	}
	return &FaceImageUpload{
		AssetID:       assetID(reply),
		StorageURL:    storageURL(reply),
		ViewURL:       reply.Text("view_url"),
		Filename:      reply.Text("filename"),
		Caption:       reply.Text("caption"),
		CaptionStatus: reply.Text("caption_status"),
		Message:       reply.Text("message"),
	}, nil
}

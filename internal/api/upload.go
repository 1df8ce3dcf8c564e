package api

import (
	"context"
	"io"
)

// FaceImage is a file to upload.
type FaceImage struct {
	// Open opens the file; it is called once an attempt.
	Open                  func() (io.ReadCloser, error)
	Filename, ContentType string
	// SHA256 is the planned content, in hexadecimal; empty is not checked.
	SHA256 string
	// Size is the planned size in bytes.
	Size int64
}

// FaceImageUpload is what the service says about an uploaded file.
type FaceImageUpload struct {
	AssetID, StorageURL, ViewURL, Filename *string
	Caption, CaptionStatus, Message        *string
}

// UploadFaceImage sends POST /{character_id}/upload/face-image. The file is
// streamed; if it is not what image says, the request is aborted before it is
// complete and the error is ErrFileChanged.
func (c *Client) UploadFaceImage(ctx context.Context, characterID string, image FaceImage) (*FaceImageUpload, error) {
	request := post("/{character_id}/upload/face-image", characterID).expect("asset_id", "view_url", "storage_url", "filename")
	reply, err := c.do(ctx, request.file(image))
	if err != nil {
		return nil, err
	}
	return &FaceImageUpload{
		AssetID:       reply.text(assetIDs...),
		StorageURL:    storageURL(reply),
		ViewURL:       reply.text("view_url"),
		Filename:      reply.text("filename"),
		Caption:       reply.text("caption"),
		CaptionStatus: reply.text("caption_status"),
		Message:       reply.text("message"),
	}, nil
}

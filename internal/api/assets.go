package api

import (
	"context"
	"net/url"
	"strings"

	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/transport"
)

// Assets are the files of a character.
type Assets struct {
	Items []Asset
	Total *int64
	// AllListed is false if the reply has no list, if part of the list is
	// unreadable, or if the list is shorter than Total. A file that is missing
	// from the list then proves nothing.
	AllListed bool
}

// Asset is a file of a character. The interface documents its fields only in
// the reply to an upload. JSON holds all fields, normalised.
type Asset struct {
	ID, StorageURL                  *string `reply:"-"`
	Filename, ViewURL, CreatedAt    *string
	AssetType, Type, Kind           *reply.Text
	Caption, CaptionStatus, Message *reply.Text
	JSON                            string `reply:"-"`
}

// List reads GET /{character_id}/assets. assetType is the value of the filter
// asset_type; if it is empty, nothing is filtered.
func (s *ImageService) List(ctx context.Context, characterID, assetType string) (*Assets, error) {
	request := transport.Get("/{character_id}/assets", characterID).Expect("assets", "total")
	if assetType != "" {
		request.Query(url.Values{"asset_type": {assetType}})
	}
	said, err := s.client.do(ctx, request)
	if err != nil {
		return nil, err
	}
	items, whole := said.Objects("assets")
	assets := &Assets{Total: said.Integer("total")}
	var ids []*string
	for _, item := range items {
		asset := assetOf(item)
		assets.Items = append(assets.Items, *asset)
		ids = append(ids, asset.ID)
	}
	assets.AllListed = whole && isComplete(ids, assets.Total)
	return assets, nil
}

// Is reports whether the asset is of a type; told is false if the asset does
// not say. Services name the type in asset_type, type or kind. In type and
// kind, a media type (image/png) and a general word (photo) say nothing.
func (a *Asset) Is(assetType string) (isIt, told bool) {
	if assetType == "" {
		return true, true
	}
	wanted := plainWord(assetType)
	if word := plainWord(reply.ValueOf(a.AssetType)); word != "" {
		return word == wanted, true
	}
	for _, said := range []*reply.Text{a.Type, a.Kind} {
		word := plainWord(reply.ValueOf(said))
		isGeneric := strings.Contains(word, "/") || isOneOf("image picture photo file asset media", word)
		if word != "" && !isGeneric {
			return word == wanted, true
		}
	}
	return false, false
}

// assetOf reads an asset. The asset's id is nil if no request could name it,
// because nothing can be found by such an id.
func assetOf(file reply.Object) *Asset {
	asset := decode[Asset](file)
	asset.StorageURL = storageURL(file)
	asset.JSON = reply.Normalise(map[string]any(file))
	for _, name := range []string{"image_id", "id", "asset_id"} { // variant: asset-key-id, asset-key-image-id
		if id := file.Text(name); reply.IsID(reply.ValueOf(id)) {
			asset.ID = id
		}
	}
	return asset
}

// storageURL returns the storage address of a file. Some services name the
// field after their storage vendor; the storage address is then the only
// address beside view_url.
func storageURL(file reply.Object) *string {
	if address := file.Text("storage_url"); address != nil {
		return address
	}
	var found *string
	for name := range file { // variant: storage-key
		if address, ok := file[name].(string); ok && name != "view_url" && strings.HasSuffix(name, "_url") {
			if found != nil {
				return nil
			}
			found = &address
		}
	}
	return found
}

// ImageKind is a kind of image that is uploaded for a character. AssetType is
// the type in lists of assets. Types are the types that an upload can name; it
// is empty if an upload names no type.
type ImageKind struct {
	Route, AssetType string
	Types            []string
}

// FaceImages and BodyImages are the kinds of images. The interface describes
// only the upload of face images. Some deployments also accept body images.
var (
	FaceImages = ImageKind{Route: "/{character_id}/upload/face-image", AssetType: "face_image"}
	BodyImages = ImageKind{
		Route:     "/{character_id}/upload/body-image",
		AssetType: "body_image",
		Types:     []string{"body_image_front", "body_image_back"},
	}
)

// Image is a file to upload.
type Image = transport.File

// ErrFileChanged means that an upload was aborted, and left nothing at the
// service.
var ErrFileChanged = transport.ErrFileChanged

// Upload sends POST to the route of the kind. The file is streamed. If the file
// differs from its description in image, the request is aborted before its end
// with ErrFileChanged. imageType is one of the kind's Types, or empty if the
// kind has none.
func (s *ImageService) Upload(
	ctx context.Context,
	kind ImageKind,
	characterID, imageType string,
	image Image,
) (*Asset, error) {
	request := transport.Post(kind.Route, characterID).Makes().Expect("asset_id", "view_url", "storage_url", "filename")
	var texts map[string]string
	if len(kind.Types) > 0 {
		request.Optional("Import an image that was uploaded elsewhere.")
		texts = map[string]string{"image_type": imageType}
	}
	said, err := s.client.do(ctx, request.Form("file", image, texts))
	asset := assetOf(said)
	asset.ID, _ = idOf(asset.ID)
	if err == nil && asset.ID == nil {
		err = s.client.transport.WithoutResult(request, said)
	}
	if err != nil {
		return nil, err
	}
	return asset, nil
}

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
	// AllListed is false if the reply's list is missing, unreadable in part, or
	// shorter than Total: then nothing follows from what it lacks.
	AllListed bool
}

// Asset is one file of a character. The interface documents its fields only in
// the reply to an upload: JSON contains them all, normalised.
type Asset struct {
	ID, StorageURL                  *string `reply:"-"`
	Filename, ViewURL, CreatedAt    *string
	AssetType, Type, Kind           *reply.Text
	Caption, CaptionStatus, Message *reply.Text
	JSON                            string `reply:"-"`
}

// List reads GET /{character_id}/assets; assetType is the value of that filter,
// none if it is empty.
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

// Is reports whether the asset is of a type, as far as it tells: services call
// that asset_type, type or kind. In the last two a media type, as image/png, or
// what any picture is, tells nothing.
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

// assetOf leaves the id nil, too, if it can be none: nothing can be found by it.
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

// storageURL is the storage address of a file. Services name the field after
// their storage vendor: it is then the only other address.
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

// ImageKind is a kind of image that is uploaded for a character. Its AssetType
// is that in lists of assets, its Types those that an upload may give; none if
// it gives none.
type ImageKind struct {
	Route, AssetType string
	Types            []string
}

// FaceImages is the only kind whose upload the interface describes; BodyImages
// some deployments do.
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

// ErrFileChanged says that an upload was aborted, and left nothing at the
// service.
var ErrFileChanged = transport.ErrFileChanged

// Upload sends POST to the route of the kind. The file is streamed; if it
// differs from what image says, the request is aborted before its end, with
// ErrFileChanged. imageType is one of the kind's types, empty if it has none.
func (s *ImageService) Upload(
	ctx context.Context,
	kind ImageKind,
	characterID, imageType string,
	image Image,
) (*Asset, error) {
	request := transport.Post(kind.Route, characterID).Paid().Expect("asset_id", "view_url", "storage_url", "filename")
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

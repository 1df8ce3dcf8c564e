package evidence

import (
	"context"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Images are the images of characters that a run reads and uploads.
type Images struct {
	*api.ImageService
	client *Client
}

// List reads the assets of a character; an empty assetType means all types.
// Services may ignore or refuse the filter, so it is applied again to the
// assets that name their type.
func (s *Images) List(ctx context.Context, characterID, assetType string) (*api.Assets, error) {
	read := func(wanted string) (*api.Assets, error) { return s.ImageService.List(ctx, characterID, wanted) }
	var assets *api.Assets
	var isRefused bool
	var err error
	if assetType == "" {
		assets, err = read("")
	} else {
		assets, isRefused, err = filtered(&s.client.byAssetType, read, assetType)
	}
	if err != nil {
		return nil, err
	}
	listed := assets.Items
	assets.Items = nil
	for _, asset := range listed {
		isIt, told := asset.Is(assetType)
		if isRefused && !told {
			return nil, s.client.byAssetType.cannotFilter("asset", "asset_type, type or kind")
		}
		if isIt || !told { // variant: filters-ignored
			assets.Items = append(assets.Items, asset)
		}
		s.client.note(characterID, reply.ValueOf(asset.ID), false)
	}
	return assets, nil
}

// all reads the assets of all types.
func (s *Images) all(ctx context.Context, characterID string) (*api.Assets, error) {
	return s.List(ctx, characterID, "")
}

// ListOnce returns all assets. They are read once per character, and again
// after any change.
func (s *Images) ListOnce(ctx context.Context, characterID string) (*api.Assets, error) {
	return s.client.assets.Get(ctx, characterID)
}

// Upload uploads an image, and notes that this run has made it.
func (s *Images) Upload(
	ctx context.Context,
	kind api.ImageKind,
	characterID, imageType string,
	image api.Image,
) (*api.Asset, error) {
	asset, err := s.ImageService.Upload(ctx, kind, characterID, imageType, image)
	if err == nil {
		s.client.note(characterID, *asset.ID, true)
	}
	return asset, err
}

package character

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/same"
)

// imageModel is an image in Terraform's form.
type imageModel struct {
	imageAttributes
	ImageType types.String `tfsdk:"image_type"` // null for a kind without types
}

// imageAttributes are the attributes of every kind of image.
type imageAttributes struct {
	ID            types.String `tfsdk:"id"`
	CharacterID   types.String `tfsdk:"character_id"`
	Source        types.String `tfsdk:"source"`
	Filename      types.String `tfsdk:"filename"`
	ContentSHA256 types.String `tfsdk:"content_sha256"`
	Size          types.Int64  `tfsdk:"size"`
	ContentType   types.String `tfsdk:"content_type"`
	StorageURL    types.String `tfsdk:"storage_url"`
	ViewURL       types.String `tfsdk:"view_url"`
	Caption       types.String `tfsdk:"caption"`
	CaptionStatus types.String `tfsdk:"caption_status"`
	Message       types.String `tfsdk:"message"`
}

// imported reports whether the image was imported and has had no source since,
// so that its bytes were never read here.
func (m *imageModel) imported() bool { return m.ContentSHA256.IsNull() }

func (m *imageModel) find(assets *api.Assets) *api.Asset {
	for i := range assets.Items {
		if id := assets.Items[i].ID; id != nil && *id == m.ID.ValueString() {
			return &assets.Items[i]
		}
	}
	return nil
}

// isListedByOtherID reports whether an image that was never shown may be listed
// under a different id than the id in the reply to its upload.
func (m *imageModel) isListedByOtherID(assets *api.Assets) bool {
	return slices.ContainsFunc(assets.Items, func(asset api.Asset) bool { // variant: asset-ids-differ
		return asset.ID != nil && (asset.Filename == nil || same.Text(*asset.Filename, m.Filename.ValueString()))
	})
}

func (m *imageModel) describe(file imageFile) {
	m.ContentSHA256 = types.StringValue(file.sha256)
	m.Size = types.Int64Value(file.size)
	m.ContentType = types.StringValue(file.contentType)
}

// describeLater plans the values that depend on the file as unknown, until the
// source is known.
func (m *imageModel) describeLater() {
	m.ContentSHA256 = types.StringUnknown()
	m.Size = types.Int64Unknown()
	m.ContentType = types.StringUnknown()
	if m.Filename.IsNull() {
		m.Filename = types.StringUnknown()
	}
}

func (m *imageModel) defaultFilename() string { return filepath.Base(m.Source.ValueString()) }

// storeUpload stores the reply to an upload, without changing planned values.
func (m *imageModel) storeUpload(uploaded *api.Asset) {
	m.ID = types.StringPointerValue(uploaded.ID)
	if m.Filename.IsUnknown() {
		m.Filename = types.StringValue(
			cmp.Or(types.StringPointerValue(uploaded.Filename).ValueString(), m.defaultFilename()),
		)
	}
	m.Message = framework.TextOf(uploaded.Message)
	m.listed(uploaded)
}

// listed stores the values in a list, or in the reply to the upload. Missing
// values are kept, and a known file name does not change.
func (m *imageModel) listed(asset *api.Asset) {
	if m.Filename.IsNull() { // variant: files-renamed
		m.Filename = types.StringPointerValue(asset.Filename)
	}
	if asset.ViewURL != nil {
		m.ViewURL = framework.SameAddress(m.ViewURL, asset.ViewURL)
	}
	if asset.StorageURL != nil {
		m.StorageURL = framework.SameAddress(m.StorageURL, asset.StorageURL)
	}
	if asset.Caption != nil {
		m.Caption = types.StringValue(string(*asset.Caption))
	}
	if asset.CaptionStatus != nil {
		m.CaptionStatus = types.StringValue(string(*asset.CaptionStatus))
	}
}

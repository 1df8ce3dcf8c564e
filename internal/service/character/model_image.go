package character

import (
	"encoding/json"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

type imageModel struct {
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

type imageIdentity struct {
	CharacterID types.String `tfsdk:"character_id"`
	ID          types.String `tfsdk:"id"`
}

func (m *imageModel) identity() imageIdentity {
	return imageIdentity{CharacterID: m.CharacterID, ID: m.ID}
}

// imported tells that the bytes were never seen here: the image was imported
// and no source was given since.
func (m *imageModel) imported() bool { return m.ContentSHA256.IsNull() }

// pending tells that it is not known whether the upload happened.
func (m *imageModel) pending() bool { return framework.IsUnknownID(m.ID) }

// describe puts what is known of the file into the plan.
func (m *imageModel) describe(file imageFile) {
	m.ContentSHA256 = types.StringValue(file.sha256)
	m.Size = types.Int64Value(file.size)
	m.ContentType = types.StringValue(file.contentType)
}

// describeLater leaves it open until the source is known.
func (m *imageModel) describeLater() {
	m.ContentSHA256, m.Size, m.ContentType = types.StringUnknown(), types.Int64Unknown(), types.StringUnknown()
}

// defaultFilename is the last part of the source's path.
func (m *imageModel) defaultFilename() types.String {
	return types.StringValue(filepath.Base(m.Source.ValueString()))
}

// uploaded takes over the reply to an upload, which never changes what the
// plan promised.
func (m *imageModel) uploaded(reply *api.ImageUpload) {
	m.ID = types.StringPointerValue(reply.AssetID)
	m.StorageURL = framework.AddressValue(reply.StorageURL)
	m.ViewURL = framework.AddressValue(reply.ViewURL)
	m.Caption = types.StringPointerValue(reply.Caption)
	m.CaptionStatus = types.StringPointerValue(reply.CaptionStatus)
	m.Message = types.StringPointerValue(reply.Message)
}

// addresses are what may be too long for the state.
func (m *imageModel) addresses() []string {
	return []string{m.StorageURL.ValueString(), m.ViewURL.ValueString()}
}

// listed takes over what a list says of the asset. What it leaves out stays,
// and the name of the file is taken only where none is known.
func (m *imageModel) listed(asset *api.Asset) {
	if m.Filename.IsNull() {
		m.Filename = types.StringPointerValue(asset.Filename)
	}
	if asset.ViewURL != nil {
		m.ViewURL = framework.SameAddress(m.ViewURL, asset.ViewURL)
	}
	if asset.StorageURL != nil {
		m.StorageURL = framework.SameAddress(m.StorageURL, asset.StorageURL)
	}
	// An asset's fields are not documented; the upload's reply names these two.
	var fields map[string]any
	_ = json.Unmarshal([]byte(asset.JSON), &fields)
	if caption, ok := fields["caption"].(string); ok {
		m.Caption = types.StringValue(caption)
	}
	if status, ok := fields["caption_status"].(string); ok {
		m.CaptionStatus = types.StringValue(status)
	}
}

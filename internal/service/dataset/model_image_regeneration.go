package dataset

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

type regenerationModel struct {
	CharacterID types.String `tfsdk:"character_id"`
	ImageID     types.String `tfsdk:"image_id"`
	Prompt      types.String `tfsdk:"prompt"`
	Triggers    types.Map    `tfsdk:"triggers"`
	ID          types.String `tfsdk:"id"`
	Approved    types.Bool   `tfsdk:"approved"`
	Message     types.String `tfsdk:"message"`
	framework.Tally
}

// object names the image in messages.
func (m *regenerationModel) object() string {
	image := "an image that is not known yet"
	if !m.ImageID.IsUnknown() {
		image = fmt.Sprintf("image %q", m.ImageID.ValueString())
	}
	return image + " of " + framework.NameOf(m.CharacterID)
}

// replied stores the service's reply, which is empty if it was lost.
func (m *regenerationModel) replied(reply *api.DatasetImage) {
	m.ID = m.ImageID
	if reply.ImageID != nil && *reply.ImageID != "" {
		m.ID = types.StringPointerValue(reply.ImageID)
	}
	m.Approved = types.BoolPointerValue(reply.Approved)
	m.Message = types.StringPointerValue(reply.Message)
}

// find returns the image that the regeneration has made, or nil.
func (m *regenerationModel) find(images *api.DatasetImages) *api.DatasetImage {
	for _, id := range []string{m.ID.ValueString(), m.ImageID.ValueString()} {
		for i := range images.Images {
			if image := &images.Images[i]; image.ImageID != nil && *image.ImageID == id {
				return image
			}
		}
	}
	return nil
}

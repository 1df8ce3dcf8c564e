package character

import (
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// characterModel is a character in the resource and the data sources.
type characterModel struct {
	ID              types.String `tfsdk:"id"`
	Name            types.String `tfsdk:"name"`
	Description     types.String `tfsdk:"description"`
	OrganizationID  types.String `tfsdk:"organization_id"`
	CreatorID       types.String `tfsdk:"creator_id"`
	Status          types.String `tfsdk:"status"`
	CurrentStep     types.Int64  `tfsdk:"current_step"`
	FaceImagesCount types.Int64  `tfsdk:"face_images_count"`
	BodyImagesCount types.Int64  `tfsdk:"body_images_count"`
	DatasetStatus   types.String `tfsdk:"dataset_status"`
	FaceLoRAStatus  types.String `tfsdk:"face_lora_status"`
	BodyLoRAStatus  types.String `tfsdk:"body_lora_status"`
	CreatedAt       types.String `tfsdk:"created_at"`
	UpdatedAt       types.String `tfsdk:"updated_at"`
	SubscriptionID  types.String `tfsdk:"subscription_id"`
}

// characterIdentity names a character in import blocks.
type characterIdentity struct {
	ID types.String `tfsdk:"id"`
}

func (m *characterModel) identity() characterIdentity { return characterIdentity{ID: m.ID} }

// characterFromAPI returns a character exactly as the service shows it.
func characterFromAPI(c *api.Character) characterModel {
	return characterModel{
		ID:              types.StringValue(c.ID),
		Name:            types.StringPointerValue(c.Name),
		Description:     types.StringPointerValue(c.Description),
		OrganizationID:  types.StringPointerValue(c.OrganizationID),
		CreatorID:       types.StringPointerValue(c.CreatorID),
		Status:          types.StringPointerValue(c.Status),
		CurrentStep:     types.Int64PointerValue(c.CurrentStep),
		FaceImagesCount: types.Int64PointerValue(c.FaceImagesCount),
		BodyImagesCount: types.Int64PointerValue(c.BodyImagesCount),
		DatasetStatus:   types.StringPointerValue(c.DatasetStatus),
		FaceLoRAStatus:  types.StringPointerValue(c.FaceLoRAStatus),
		BodyLoRAStatus:  types.StringPointerValue(c.BodyLoRAStatus),
		CreatedAt:       types.StringPointerValue(c.CreatedAt),
		UpdatedAt:       types.StringPointerValue(c.UpdatedAt),
		SubscriptionID:  types.StringPointerValue(c.SubscriptionID),
	}
}

// refreshed returns the character as the service shows it now. It keeps the id
// that was requested, and a text that the service only normalised.
func (m *characterModel) refreshed(c *api.Character) characterModel {
	next := characterFromAPI(c)
	next.ID = m.ID
	next.Name = framework.SameText(m.Name, c.Name)
	next.Description = framework.SameText(m.Description, c.Description)
	return next
}

// completed fills what a plan left open from the service. What the plan
// promised stays, whatever the service replied: a broken promise would fail an
// apply that has succeeded.
func (m *characterModel) completed(c *api.Character) characterModel {
	served := m.refreshed(c)
	return characterModel{
		ID:              m.ID,
		Name:            promised(m.Name, served.Name),
		Description:     promised(m.Description, served.Description),
		OrganizationID:  promised(m.OrganizationID, served.OrganizationID),
		CreatorID:       promised(m.CreatorID, served.CreatorID),
		Status:          promised(m.Status, served.Status),
		CurrentStep:     promised(m.CurrentStep, served.CurrentStep),
		FaceImagesCount: promised(m.FaceImagesCount, served.FaceImagesCount),
		BodyImagesCount: promised(m.BodyImagesCount, served.BodyImagesCount),
		DatasetStatus:   promised(m.DatasetStatus, served.DatasetStatus),
		FaceLoRAStatus:  promised(m.FaceLoRAStatus, served.FaceLoRAStatus),
		BodyLoRAStatus:  promised(m.BodyLoRAStatus, served.BodyLoRAStatus),
		CreatedAt:       promised(m.CreatedAt, served.CreatedAt),
		UpdatedAt:       promised(m.UpdatedAt, served.UpdatedAt),
		SubscriptionID:  promised(m.SubscriptionID, served.SubscriptionID),
	}
}

func promised[T attr.Value](planned, served T) T {
	if planned.IsUnknown() {
		return served
	}
	return planned
}

// update returns the request that makes the service's character, with the given
// texts, match the model. needed is false if nothing differs; blanks around a
// text and null for empty are no difference.
func (m *characterModel) update(name, description *string) (update api.CharacterUpdate, needed bool) {
	update.Name, needed = wanted(m.Name, name)
	var different bool
	update.Description, different = wanted(m.Description, description)
	return update, needed || different
}

// wanted returns the planned text, or the service's if the plan leaves it open.
func wanted(planned types.String, served *string) (text string, different bool) {
	if served != nil {
		text = *served
	}
	if planned.IsNull() || planned.IsUnknown() || framework.SameText(planned, served).Equal(planned) {
		return text, false
	}
	return planned.ValueString(), true
}

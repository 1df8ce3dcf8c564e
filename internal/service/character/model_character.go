package character

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

var characterFields = []framework.Field[api.Character]{
	framework.TextField("id", "Id of the character; never null.", func(c *api.Character) *string { return &c.ID }),
	framework.TextField(
		"name",
		"Name of the character, which need not be unique.",
		func(c *api.Character) *string { return c.Name },
	),
	framework.TextField(
		"description",
		"Description of the character.",
		func(c *api.Character) *string { return c.Description },
	),
	framework.TextField(
		"organization_id",
		"Id of the organization that owns the character.",
		func(c *api.Character) *string { return c.OrganizationID },
	),
	framework.TextField(
		"creator_id",
		"Id of the character's creator.",
		func(c *api.Character) *string { return c.CreatorID },
	),
	framework.TextField("status", "Status of the character.", func(c *api.Character) *reply.Text { return c.Status }),
	framework.IntegerField(
		"current_step",
		"Step that the character is at; its meaning is not documented.",
		func(c *api.Character) *int64 { return c.CurrentStep },
	),
	framework.IntegerField(
		"face_images_count",
		"Number of the character's face images.",
		func(c *api.Character) *int64 { return c.FaceImagesCount },
	),
	framework.IntegerField(
		"body_images_count",
		"Number of the character's body images.",
		func(c *api.Character) *int64 { return c.BodyImagesCount },
	),
	framework.TextField(
		"dataset_status",
		"Status of the character's dataset.",
		func(c *api.Character) *reply.Text { return c.DatasetStatus },
	),
	framework.TextField(
		"face_lora_status",
		"Status of the character's face LoRA.",
		func(c *api.Character) *reply.Text { return c.FaceLoRAStatus },
	),
	framework.TextField(
		"body_lora_status",
		"Status of the character's body LoRA.",
		func(c *api.Character) *reply.Text { return c.BodyLoRAStatus },
	),
	framework.TextField(
		"created_at",
		"When the character was created, in ISO 8601.",
		func(c *api.Character) *string { return c.CreatedAt },
	),
	framework.TextField(
		"updated_at",
		"When the character last changed, in ISO 8601.",
		func(c *api.Character) *string { return c.UpdatedAt },
	),
	framework.TextField(
		"subscription_id",
		"Id of the character's subscription.",
		func(c *api.Character) *string { return c.SubscriptionID },
	),
}

// adoptedFields are the fields of a character's resource that has not created
// the character.
var adoptedFields = append(slices.Clone(characterFields), framework.TextField("deletion_policy", "",
	func(*api.Character) *string { return new(framework.PolicyKeep) }))

// characterModel has the configurable attributes of a character.
type characterModel struct{ ID, Name, Description, DeletionPolicy types.String }

// modelOf reads the configurable attributes. The other attributes are copied
// without decoding, because decoding all of an organization's characters would
// take long.
func modelOf(ctx context.Context, from interface {
	GetAttribute(ctx context.Context, at path.Path, target any) diag.Diagnostics
}, diags *diag.Diagnostics) (model characterModel) {
	diags.Append(from.GetAttribute(ctx, path.Root("id"), &model.ID)...)
	diags.Append(from.GetAttribute(ctx, path.Root("name"), &model.Name)...)
	diags.Append(from.GetAttribute(ctx, path.Root("description"), &model.Description)...)
	diags.Append(from.GetAttribute(ctx, path.Root("deletion_policy"), &model.DeletionPolicy)...)
	return model
}

func object(id string) string { return fmt.Sprintf("character %q", id) }

func summary(id string) func(what string) string {
	return func(what string) string { return framework.Summary(what, "character", id, "") }
}

// asStored returns the character in the form of the state: with the requested
// id, and with moments in the stored notation.
func (m *characterModel) asStored(c *api.Character, stored types.Object) *api.Character {
	next := *c
	next.ID = m.ID.ValueString()
	createdAt, _ := stored.Attributes()["created_at"].(types.String)
	updatedAt, _ := stored.Attributes()["updated_at"].(types.String)
	next.CreatedAt = framework.SameMoment(createdAt, c.CreatedAt).ValueStringPointer()
	next.UpdatedAt = framework.SameMoment(updatedAt, c.UpdatedAt).ValueStringPointer()
	return &next
}

// planStored plans the stored text if none is configured, because no update
// changes it. A stored null is planned too: the framework would leave it
// unknown.
func (m *characterModel) planStored(config, state *characterModel) {
	if config.Name.IsNull() {
		m.Name = state.Name
	}
	if config.Description.IsNull() {
		m.Description = state.Description
	}
}

// policy returns the configured deletion policy, or the default: it depends on
// whether the character is adopted or created.
func (m *characterModel) policy() types.String {
	switch {
	case !m.DeletionPolicy.IsNull():
		return m.DeletionPolicy
	case m.ID.IsNull():
		return types.StringValue(framework.PolicyDelete)
	default:
		return types.StringValue(framework.PolicyKeep)
	}
}

// keeps reports whether the character stays at the service when it leaves the
// state.
func (m *characterModel) keeps() bool {
	return m.DeletionPolicy.ValueString() != framework.PolicyDelete
}

// update returns the request that changes the service's character, with the
// given texts, to match the model. Blanks around a text, and null for an empty
// text, are no difference.
func (m *characterModel) update(name, description *string) (update api.CharacterUpdate, needed bool) {
	update.Name, needed = wanted(m.Name, name)
	var different bool
	update.Description, different = wanted(m.Description, description)
	return update, needed || different
}

// wanted returns the planned text, or the service's text if the plan has none.
func wanted(planned types.String, served *string) (text string, different bool) {
	if served != nil {
		text = *served
	}
	if planned.IsNull() || planned.IsUnknown() || framework.SameText(planned, served).Equal(planned) {
		return text, false
	}
	return planned.ValueString(), true
}

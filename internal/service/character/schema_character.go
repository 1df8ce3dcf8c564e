package character

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// changedByOthers are the attributes that other resources change by their work.
var changedByOthers = []string{
	"status",
	"current_step",
	"face_images_count",
	"body_images_count",
	"dataset_status",
	"face_lora_status",
	"body_lora_status",
	"updated_at",
}

// othersNote explains the consequence: an output of such an attribute is an
// apply late, so that the next plan shows a change.
const othersNote = " Other resources change it: output `data.mediagen_character` with `depends_on`."

// withNote adds a sentence to an attribute's description.
func withNote(attribute schema.Attribute, note string) schema.Attribute {
	switch attribute := attribute.(type) {
	case schema.StringAttribute:
		attribute.MarkdownDescription += note
		return attribute
	case schema.Int64Attribute:
		attribute.MarkdownDescription += note
		return attribute
	}
	return attribute
}

// Schema describes the character.
func (r *characterResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	all := framework.AttributesOf(characterFields)
	for _, name := range []string{"organization_id", "creator_id", "created_at"} { // no update changes them
		if text, isText := all[name].(schema.StringAttribute); isText {
			text.PlanModifiers = keep
			all[name] = text
		}
	}
	for _, name := range changedByOthers {
		all[name] = withNote(all[name], othersNote)
	}
	maps.Copy(all, map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Optional: true,
			Computed: true,
			MarkdownDescription: "Id of the character to adopt. If unset, a character is created. Whether it is set " +
				"must be known at plan: decide it by a variable, not by another resource's result. A change replaces " +
				"the character, and `deletion_policy` says what becomes of the former one.",
			Validators:    []validator.String{framework.ID()},
			PlanModifiers: append(keep[:1:1], stringplanmodifier.RequiresReplace()),
		},
		"name": schema.StringAttribute{
			Optional: true,
			Computed: true,
			MarkdownDescription: "Name of the character, which need not be unique. Required to create a character; " +
				"if unset, that of an adopted one stays as it is. A change updates the character.",
			Validators:    []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers: append(keep[:1:1], framework.KeepSame()),
		},
		"description": schema.StringAttribute{
			Optional: true,
			Computed: true,
			MarkdownDescription: "Description of the character. If unset, it stays as it is; `\"\"` clears it. A " +
				"change updates the character. If the service shows this or the name escaped or cut, one warning " +
				"says so, and the state keeps what was sent.",
			Validators:    []validator.String{framework.Text()},
			PlanModifiers: append(keep[:1:1], framework.KeepSame()),
		},
		"deletion_policy": schema.StringAttribute{
			Optional: true,
			Computed: true,
			MarkdownDescription: "What destroy and replacement do: `delete` deletes the character at the service, " +
				"which does not document what goes with it; `keep` only forgets it. Defaults to `delete` if this " +
				"resource created the character, and to `keep` if it adopted or imported it. The policy in the state " +
				"counts, so apply `keep` before you remove the block.",
			Validators:    []validator.String{stringvalidator.OneOf(framework.PolicyDelete, framework.PolicyKeep)},
			PlanModifiers: keep,
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "A character, adopted by its `id` or created without one.\n\n" +
			"A character costs no credits. Destroy deletes one that this resource created and forgets one that it " +
			"adopted, unless `deletion_policy` says otherwise.\n\n" +
			"Only some deployments can create and delete characters.",
		Attributes: all,
	}
}

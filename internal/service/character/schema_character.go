package character

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// lasting are the attributes of a character that an update cannot change.
var lasting = []string{"organization_id", "creator_id", "created_at"}

func (r *characterResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	attributes := framework.Attributes(characterFields)
	for _, name := range lasting {
		if text, isText := attributes[name].(schema.StringAttribute); isText {
			text.PlanModifiers = keep
			attributes[name] = text
		}
	}
	maps.Copy(attributes, map[string]schema.Attribute{
		"id": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "Id of the character to adopt. An id that the service does not know is an error at plan, if the plan can read the service. A change forgets one character and adopts another.",
			Validators:          []validator.String{framework.ID()},
			PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
		},
		"name": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Name of the character. Unset: left as it is.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers:       keep,
		},
		"description": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Description of the character. Unset: left as it is; `\"\"` clears it.",
			Validators:          []validator.String{framework.Text()},
			PlanModifiers:       keep,
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "An existing character, adopted: the service's interface can neither create nor delete one. " +
			"Name and description are kept as configured; the plan of an adoption warns of what they overwrite. Destroy forgets the character; the record stays. Costs no credits.",
		Attributes: attributes,
	}
}

func (r *characterResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{Attributes: map[string]identityschema.Attribute{
		"id": identityschema.StringAttribute{RequiredForImport: true, Description: "Id of the character."},
	}}
}

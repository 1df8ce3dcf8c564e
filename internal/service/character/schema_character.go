package character

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// lasting are the attributes of a character that an update cannot change.
var lasting = map[string]string{
	"organization_id": "Organization that owns the character.",
	"creator_id":      "Creator of the character.",
	"created_at":      "When the character was created, as the service gives it.",
}

// changing are those that the service may change at any time.
var changing = map[string]string{
	"status":           "Status of the character, in the service's words.",
	"dataset_status":   "Status of the dataset, in the service's words.",
	"face_lora_status": "Status of the face LoRA, in the service's words.",
	"body_lora_status": "Status of the body LoRA, in the service's words.",
	"updated_at":       "When the character was last changed, as the service gives it.",
	"subscription_id":  "Subscription that the character belongs to; may be null.",
}

var counts = map[string]string{
	"current_step":      "Step of the creation that the character has reached; meaning and range are not documented.",
	"face_images_count": "Number of face images.",
	"body_images_count": "Number of body images.",
}

func (r *characterResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	attributes := map[string]schema.Attribute{
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
	}
	for name, text := range lasting {
		attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: text, PlanModifiers: keep}
	}
	for name, text := range changing {
		attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: text}
	}
	for name, text := range counts {
		attributes[name] = schema.Int64Attribute{Computed: true, MarkdownDescription: text}
	}
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

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
			Optional: true, Computed: true,
			MarkdownDescription: "Id of the character to adopt. Unset: a character is created; an id that is not known at plan must be set at apply: one that turns out null is refused where `name` or `deletion_policy` is unset, and otherwise creates a character, since nothing in the plan tells that one was to be adopted. An id that the service does not know is an error at plan, if the plan can read the service. " +
				"A change replaces: what becomes of the former character follows from `deletion_policy`. To leave it out later changes nothing.",
			Validators:    []validator.String{framework.ID()},
			PlanModifiers: append(keep[:1:1], stringplanmodifier.RequiresReplace()),
		},
		"name": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Name of the character. Needed to create one; names need not be unique. Unset: left as it is.",
			Validators:          []validator.String{framework.Text(), framework.NotBlank()},
			PlanModifiers:       keep,
		},
		"description": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "Description of the character. Unset: left as it is; `\"\"` clears it.",
			Validators:          []validator.String{framework.Text()},
			PlanModifiers:       keep,
		},
		"deletion_policy": schema.StringAttribute{
			Optional: true, Computed: true,
			MarkdownDescription: "What becomes of the character when it is destroyed or replaced: `delete` deletes it at the service, which does not document what goes with it; the plan counts the images and LoRAs that may. `keep` forgets it, and everything stays. " +
				"Unset: decided once, `delete` for a character that this resource created, `keep` for one that it adopted or imported. A destroy goes by the policy in the state: apply `keep` before removing the block. A change sends no request.",
			Validators:    []validator.String{stringvalidator.OneOf(policyDelete, policyKeep)},
			PlanModifiers: keep,
		},
	})
	resp.Schema = schema.Schema{
		MarkdownDescription: "A character: an existing one, adopted by its `id`, or a new one if `id` is unset. " +
			"Name and description are kept as configured; the plan of an adoption warns of what they overwrite. Destroy deletes the character if this resource created it, and forgets it otherwise, see `deletion_policy`. Costs no credits.\n\n" +
			"The service's interface names the creation and deletion of characters without showing them: `POST /characters` and `DELETE /characters/{character_id}` were seen in the public documentation of deployments, and a deployment may lack them.",
		Attributes: attributes,
	}
}

package generation

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/int64default"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := groupAttributes()
	maps.Copy(attributes, framework.TallyAttributes("prompts", api.KindGeneration))
	resp.Schema = schema.Schema{
		MarkdownDescription: "Prompts and the media that came out.\n\n" +
			"**Costs credits** for each prompt submitted: exactly where the plan shows `generations[key]` as known after apply. " +
			"**Destroy deletes the media, and the group if it is this resource's alone**, unless `deletion_policy` is `keep`.",
		Attributes: attributes,
	}
}

func groupAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"character_id": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "Character to render; unset: none, as for photo edits. **A change replaces the group and buys every prompt again.** After an import the first value is taken over, unless the service shows another: an error.",
			Validators:          []validator.String{framework.ID()},
			PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplaceIf(replaceUnlessImported,
				"replaces, unless an import could not read it", "replaces, unless an import could not read it")},
		},
		"title": schema.StringAttribute{
			Optional:            true,
			MarkdownDescription: "A change costs nothing, goes with the next batch; the service may ignore it.",
			Validators:          []validator.String{framework.Text()},
		},
		"prompts": schema.MapNestedAttribute{
			Required:            true,
			MarkdownDescription: "At least one, by a key of your choice. A change of any option costs credits, a renamed key does not. Media of removed prompts are deleted, those of changed ones once there are new ones: see `deletion_policy`.",
			Validators:          []validator.Map{framework.NotEmpty{}, mapvalidator.KeysAre(framework.Text(), framework.NotBlank())},
			NestedObject:        promptElements.schema(),
		},
		"wait_for_completion": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Wait until all have ended. A wait cut short goes on with the next apply; with `false`, refreshes store the results. Default `true`.",
		},
		"max_attempts": schema.Int64Attribute{
			Optional: true, Computed: true, Default: int64default.StaticInt64(defaultMaxAttempts),
			MarkdownDescription: "How often a prompt may be submitted. Raise it to **buy** failed, rejected and unconfirmed prompts again; what was imported counts as submitted so often. Default `1`.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"refresh_finished": schema.BoolAttribute{
			Optional: true, Computed: true, Default: booldefault.StaticBool(true),
			MarkdownDescription: "Read finished generations too; `false` saves these requests, and does not see deletions made elsewhere. Default `true`.",
		},
		"deletion_policy": deletionPolicy(),
		"max_prompts_per_batch": schema.Int64Attribute{
			Optional:            true,
			MarkdownDescription: "Most prompts in one batch. Default: the provider's setting, else all.",
			Validators:          []validator.Int64{int64validator.AtLeast(1)},
		},
		"timeouts":        operationTimeouts.Attribute(),
		"id":              framework.ComputedText("Begins with `unconfirmed-` if the reply was lost; the group may exist."),
		"generation_type": framework.ComputedText("In the service's words."),
		// Not nested: only so can the defaults of a mock fill it, and a plan
		// print what is bought in one line.
		"generations": schema.MapAttribute{
			Computed: true, ElementType: generationElements.elementType(),
			MarkdownDescription: "What became of each prompt; the data source `mediagen_generation` reads more." + generationElements.description(),
		},
		"result_urls": schema.MapAttribute{
			Computed: true, ElementType: addressesType,
			MarkdownDescription: "Addresses by key, an empty list where there are none; another query string (a signature) is no change." + framework.AddressNote,
		},
		"complete":          schema.BoolAttribute{Computed: true, MarkdownDescription: "Every prompt has an outcome: none is pending or unconfirmed."},
		"succeeded_count":   computedInt64("With results."),
		"failed_count":      computedInt64("Failed or rejected."),
		"pending_count":     computedInt64("Running or still to be submitted."),
		"unconfirmed_count": computedInt64("May have been bought: the reply was lost."),
		"credits_deducted":  schema.Float64Attribute{Computed: true, MarkdownDescription: "In all, as reported; null after an import until a purchase."},
		"remaining_balance": schema.Float64Attribute{Computed: true, MarkdownDescription: "As the last batch reported."},
	}
}

func deletionPolicy() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Default: stringdefault.StaticString(policyDelete),
		MarkdownDescription: "When the group is destroyed or replaced, or prompts are removed or changed, `delete` deletes their media at the service. " +
			"`keep` leaves them and forgets them, with their ids in the `purchase_log`; if this resource created their group, a later destroy under `delete` deletes them with it. " +
			"A destroy goes by the state: apply `keep` before removing the block. A change costs nothing. Default `delete`.\n\n" +
			"  `lifecycle { destroy = false }` (Terraform 1.16, OpenTofu 1.12) has the CLI forget the group at a destroy or replacement, without asking the provider: nothing is deleted, nothing goes to the `purchase_log`, and a warning that media will be deleted does not hold. " +
			"Removed and changed prompts go by `deletion_policy` all the same, and Terraform deletes the group once its block is gone.",
		Validators: []validator.String{stringvalidator.OneOf(policyDelete, policyKeep)},
	}
}

func (r *groupResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{
				OptionalForImport: true,
				Description:       "Id of the group. With the provider's extended_reads an import needs nothing else; without them it reads it from the generations.",
			},
			"generations": identityschema.ListAttribute{
				OptionalForImport: true, ElementType: types.StringType,
				Description: "The generations, as a sorted list of key=generation_id; in a key, comma, equals and percent signs are percent-encoded.",
			},
		},
	}
}

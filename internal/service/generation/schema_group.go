package generation

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
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

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const (
	defaultCreateTimeout = 60 * time.Minute
	defaultUpdateTimeout = 60 * time.Minute
	defaultDeleteTimeout = 10 * time.Minute
	defaultMaxAttempts   = 1

	policyDelete = "delete"
	policyKeep   = "keep"
)

func (r *groupResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "A group of generations: prompts, submitted in batches, and the media that came out. " +
			"**Costs credits** for each prompt that is submitted, exactly where the plan shows `generations[key]` as known after apply. " +
			"Adding a prompt buys that prompt alone, changing one replaces that one, renaming a key buys nothing. " +
			"Failed prompts are data and a warning, not an error; write a postcondition on `failed_count` if they should fail the run. " +
			"**Destroy deletes its media, and the group where this resource created it**, unless `deletion_policy` is `keep`.",
		Attributes: map[string]schema.Attribute{
			"character_id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Character to render. Unset for photo edits. A change replaces the group: its media are deleted (see `deletion_policy`) and every prompt is bought again. After an import the first value is taken over.",
				Validators:          []validator.String{framework.ID()},
				PlanModifiers: []planmodifier.String{stringplanmodifier.RequiresReplaceIf(replaceUnlessTakenOver,
					"replaces, unless an import could not read it", "replaces, unless an import could not read it")},
			},
			"title": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Title of the group. A change is sent with the next batch, costs nothing by itself, and the service may keep the old title.",
				Validators:          []validator.String{framework.Text()},
			},
			"prompts": schema.MapNestedAttribute{
				Required:            true,
				MarkdownDescription: "What to generate, at least one. The key is your name for the generation; renaming a key costs nothing, a new key or a changed prompt costs credits. Removing a key deletes its media, and changing a prompt deletes its old media once the new ones exist, unless `deletion_policy` is `keep`; the plan warns about both.",
				Validators:          []validator.Map{framework.NotEmpty{}, mapvalidator.KeysAre(framework.Text(), framework.NotBlank())},
				NestedObject:        promptElements.schema(),
			},
			"wait_for_completion": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "Wait until every generation has ended. A wait that was cut short is resumed by the next apply and buys nothing. Default `true`.",
			},
			"max_attempts": schema.Int64Attribute{
				Optional: true, Computed: true, Default: int64default.StaticInt64(defaultMaxAttempts),
				MarkdownDescription: "How often a prompt may be submitted in all. A failed, rejected or unknown prompt is planned (and **costs credits**) again while its `attempts` are fewer: raise it to say \"again\". Default `1`.",
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"refresh_finished": schema.BoolAttribute{
				Optional: true, Computed: true, Default: booldefault.StaticBool(true),
				MarkdownDescription: "Read finished generations too at refresh, one request each. `false` saves those requests, and their deletion elsewhere then goes unseen. Default `true`.",
			},
			"deletion_policy": deletionPolicy(),
			"max_prompts_per_batch": schema.Int64Attribute{
				Optional:            true,
				MarkdownDescription: "Submit in several batches of at most this many prompts. Default: the provider's setting, else one batch.",
				Validators:          []validator.Int64{int64validator.AtLeast(1)},
			},
			"timeouts": framework.Timeouts(ctx, timeouts.Opts{
				Create: true, Update: true, Delete: true,
				CreateDescription: "Time for submitting and waiting, as in `90m`. Default `60m`. When it runs out, a warning is given and the next apply goes on waiting.",
				UpdateDescription: "The same for an update. Default `60m`.",
				DeleteDescription: "Time for deleting. Default `10m`.",
			}),
			"id":              computedString("Id of the group. It begins with `unknown-` when the service's reply was lost; the group may then exist all the same."),
			"generation_type": computedString("Kind of generation, as the service calls it."),
			// Not nested: only so can the defaults of a mock fill it, and a plan
			// print what is bought in one line.
			"generations": schema.MapAttribute{
				Computed: true, ElementType: generationElements.elementType(),
				MarkdownDescription: "What became of each prompt, by the keys of `prompts`. Credits are spent exactly where the plan shows an element as known after apply. " +
					"The data source `mediagen_generation` reads everything else about a generation. The fields:" + generationElements.description(),
			},
			"result_urls": schema.MapAttribute{
				Computed: true, ElementType: addressesType,
				MarkdownDescription: "Addresses of the results, by the keys of `prompts`. Every key is present; its list is empty if the prompt is running, failed, rejected or not submitted yet. " +
					"Known after apply in a plan that buys the prompt or waits for it. " +
					"An address that differs only in its query string (a signature) counts as the same; the data source `mediagen_generation` gives fresh ones." + framework.AddressNote,
			},
			"complete":          schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether nothing is running or still to be submitted."},
			"succeeded_count":   computedInt64("Number of prompts with results."),
			"failed_count":      computedInt64("Number of prompts that failed or were rejected."),
			"pending_count":     computedInt64("Number of prompts that are running or still to be submitted."),
			"unknown_count":     computedInt64("Number of prompts of which it is unknown whether they were bought."),
			"credits_deducted":  computedFloat64("Credits that the service reported as deducted over the life of this resource. Null after an import until something is bought."),
			"remaining_balance": computedFloat64("Credits that were left, as last reported by a batch of this resource."),
		},
	}
}

func deletionPolicy() schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Default: stringdefault.StaticString(policyDelete),
		MarkdownDescription: "What becomes of generations and their media when the group is destroyed or replaced, or their prompts are removed or changed: `delete` deletes them at the service; `keep` leaves them there and forgets them, and their ids go to the `purchase_log`. " +
			"The plan counts what is deleted or kept. What is kept stays in its group: under `delete`, a later destroy of a group that this resource created deletes it too. " +
			"A destroy goes by the policy in the state: apply `keep` before removing the block. A change costs nothing and sends no request. Default `delete`.",
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

func computedString(description string) schema.StringAttribute {
	return schema.StringAttribute{Computed: true, MarkdownDescription: description}
}

func computedInt64(description string) schema.Int64Attribute {
	return schema.Int64Attribute{Computed: true, MarkdownDescription: description}
}

func computedFloat64(description string) schema.Float64Attribute {
	return schema.Float64Attribute{Computed: true, MarkdownDescription: description}
}

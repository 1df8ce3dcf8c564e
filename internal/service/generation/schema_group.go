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

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

// Schema describes the group. The description of each attribute says whether a
// change buys or deletes.
func (r *groupResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	attributes := groupAttributes()
	maps.Copy(attributes, purchases.TallyAttributes("prompts", purchases.KindGeneration))
	resp.Schema = schema.Schema{
		MarkdownDescription: "A group of prompts, and the media that the service generates from them.\n\n" +
			"**Each submitted prompt costs credits**: exactly where the plan shows `generations[key]` as known after " +
			"apply. **Destroy deletes the media**, and the group if it is this resource's alone, unless " +
			"`deletion_policy` is `keep`.",
		Attributes: attributes,
	}
}

// groupAttributes are the attributes of a group without those that all
// purchases have.
func groupAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"character_id": schema.StringAttribute{
			Optional: true,
			MarkdownDescription: "Id of the character to render; photo edits need none. **A change replaces the " +
				"group and buys every prompt again.** After an import, the first value only goes into the state; it " +
				"is an error if the service shows another character.",
			Validators: []validator.String{framework.ID()},
			PlanModifiers: []planmodifier.String{
				stringplanmodifier.RequiresReplaceIf(
					replacesUnlessImported,
					"replaces, unless an import could not read it",
					"replaces, unless an import could not read it",
				),
			},
		},
		"title": schema.StringAttribute{
			Optional: true,
			Computed: true,
			Default:  stringdefault.StaticString(""),
			MarkdownDescription: "Title of the group. A change costs nothing and is sent with the next batch; the " +
				"service may ignore it.",
			Validators:    []validator.String{framework.Text()},
			PlanModifiers: []planmodifier.String{framework.KeepSameTitle()},
		},
		"prompts": schema.MapNestedAttribute{
			Required: true,
			MarkdownDescription: "Prompts by keys of your choice, at least one. A change of any option buys that " +
				"prompt again, be it `prompt`, `take` or another; a renamed key buys nothing. The media of a removed " +
				"prompt are deleted, those of a changed prompt once it has new ones (see `deletion_policy`). A CLI " +
				"drops a misspelt option without a word; the function `prompts` makes it an error.",
			Validators: []validator.Map{
				framework.NotEmpty{},
				mapvalidator.KeysAre(framework.Text(), framework.NotBlank()),
			},
			NestedObject: promptElements.schema(),
		},
		"wait_for_completion": framework.WaitForCompletion("all generations"),
		"max_attempts": schema.Int64Attribute{
			Optional: true,
			Computed: true,
			Default:  int64default.StaticInt64(defaultMaxAttempts),
			MarkdownDescription: "How often a prompt may be submitted. Raise it to **buy** failed and rejected " +
				"prompts again; an unconfirmed one is bought again by its `take` alone. An imported prompt without " +
				"results counts as submitted this often. Defaults to `1`.",
			Validators: []validator.Int64{int64validator.AtLeast(1)},
		},
		"refresh_finished": schema.BoolAttribute{
			Optional: true,
			Computed: true,
			Default:  booldefault.StaticBool(true),
			MarkdownDescription: "Whether a refresh also reads generations that have ended. `false` saves a request " +
				"for each, but does not notice when they are deleted elsewhere, or show results late. Defaults " +
				"to `true`.",
		},
		"deletion_policy": schema.StringAttribute{
			Optional: true,
			Computed: true,
			Default:  stringdefault.StaticString(framework.PolicyDelete),
			MarkdownDescription: "What happens to media when the group is destroyed or replaced, or prompts are " +
				"removed or changed. `delete` deletes them at the service. `keep` leaves them there and only writes " +
				"their ids to the `purchase_log`; if this resource created the group, a later destroy under `delete` " +
				"deletes them with it. The policy in the state counts, so apply `keep` before you remove the block. " +
				"A change costs nothing. Defaults to `delete`.\n\n" +
				"  With `lifecycle { destroy = false }` (Terraform 1.16, OpenTofu 1.12), the CLI forgets the group " +
				"at a destroy or replacement without asking the provider. Nothing is deleted or logged " +
				"then, whatever a warning says. Removed and changed prompts still follow `deletion_policy`, and " +
				"Terraform deletes the group once its block is gone.",
			Validators: []validator.String{stringvalidator.OneOf(framework.PolicyDelete, framework.PolicyKeep)},
		},
		"max_prompts_per_batch": schema.Int64Attribute{
			Optional: true,
			MarkdownDescription: "Maximum number of prompts in one batch; a larger group is submitted in several. " +
				"Defaults to the provider's setting, else to no limit.",
			Validators: []validator.Int64{int64validator.AtLeast(1)},
		},
		framework.LabelsName: framework.Labels(),
		"timeouts":           operationTimeouts.Attribute(),
		"id": framework.ComputedText(
			"Id of the group. It begins with `unconfirmed-` while the group has to be named by a reply; " +
				"it may exist all the same.",
		),
		"generation_type": framework.ComputedText("Type of the generations."),
		// The attribute is a map of objects, not a nested attribute, so that
		// the defaults of a mock can fill it and a plan prints a purchase in a
		// single line.
		"generations": schema.MapAttribute{
			Computed:    true,
			ElementType: generationElements.elementType(),
			MarkdownDescription: "What became of each prompt, by key. The data source `mediagen_generation` reads " +
				"more." + generationElements.description(),
		},
		"result_urls": schema.MapAttribute{
			Computed:    true,
			ElementType: addressesType,
			MarkdownDescription: "Addresses of the results by key, with an empty list where there are none. They " +
				"stay as first read, even if host, path or signature change; the data source `mediagen_generation` " +
				"reads them anew." +
				framework.AddressNote,
		},
		"complete": schema.BoolAttribute{
			Computed:            true,
			MarkdownDescription: "Whether every prompt has an outcome, that is, none is pending or unconfirmed.",
		},
		"succeeded_count":   computedInt64("Number of prompts with results."),
		"failed_count":      computedInt64("Number of prompts that failed or were rejected."),
		"pending_count":     computedInt64("Number of prompts that still run or are yet to be submitted."),
		"unconfirmed_count": computedInt64("Number of prompts of which it is not known whether they were bought."),
		"credits_deducted": schema.Float64Attribute{
			Computed: true,
			MarkdownDescription: "Credits that the service has reported as deducted for this group, in total. Null " +
				"until a batch of this resource reports some.",
		},
		"remaining_balance": schema.Float64Attribute{
			Computed:            true,
			MarkdownDescription: "Credits left after this resource's last purchase; no refresh renews it.",
		},
	}
}

// IdentitySchema describes the identity: the group's id, and the generation of
// each key.
func (r *groupResource) IdentitySchema(
	_ context.Context,
	_ resource.IdentitySchemaRequest,
	resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"id": identityschema.StringAttribute{
				OptionalForImport: true,
				Description: "Id of the group. With the provider's extended_reads an import needs nothing else; " +
					"without them it reads it from the generations.",
			},
			"generations": identityschema.ListAttribute{
				OptionalForImport: true,
				ElementType:       types.StringType,
				Description: "The generations, as a sorted list of key=generation_id; in a key, comma, equals and " +
					"percent signs are percent-encoded.",
			},
		},
	}
}

// replacesUnlessImported makes a changed character replace the group, except
// for the first character after an import. That value only goes into the state,
// because no read of a generation names the character.
func replacesUnlessImported(
	ctx context.Context,
	req planmodifier.StringRequest,
	resp *stringplanmodifier.RequiresReplaceIfFuncResponse,
) {
	resp.RequiresReplace = !isImportedCharacter(ctx, req.Private, req.StateValue)
}

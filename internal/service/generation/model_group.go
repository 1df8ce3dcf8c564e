package generation

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// groupModel is the group as Terraform sees it.
type groupModel struct {
	ID                 types.String   `tfsdk:"id"`
	CharacterID        types.String   `tfsdk:"character_id"`
	Title              types.String   `tfsdk:"title"`
	PromptMap          types.Map      `tfsdk:"prompts"`
	WaitForCompletion  types.Bool     `tfsdk:"wait_for_completion"`
	MaxAttempts        types.Int64    `tfsdk:"max_attempts"`
	RefreshFinished    types.Bool     `tfsdk:"refresh_finished"`
	MaxPromptsPerBatch types.Int64    `tfsdk:"max_prompts_per_batch"`
	Timeouts           timeouts.Value `tfsdk:"timeouts"`
	GenerationType     types.String   `tfsdk:"generation_type"`
	BatchList          types.List     `tfsdk:"batches"`
	GenerationMap      types.Map      `tfsdk:"generations"`
	ResultURLMap       types.Map      `tfsdk:"result_urls"`
	Complete           types.Bool     `tfsdk:"complete"`
	SucceededCount     types.Int64    `tfsdk:"succeeded_count"`
	FailedCount        types.Int64    `tfsdk:"failed_count"`
	PendingCount       types.Int64    `tfsdk:"pending_count"`
	UnknownCount       types.Int64    `tfsdk:"unknown_count"`
	CreditsDeducted    types.Float64  `tfsdk:"credits_deducted"`
	RemainingBalance   types.Float64  `tfsdk:"remaining_balance"`
}

// promptModel is the configuration of a prompt. Prompts are compared with ==:
// equal inputs need not be bought twice.
type promptModel struct {
	Prompt         types.String
	FaceSwap       types.Bool
	UseFaceLoRA    types.Bool
	UseBodyLoRA    types.Bool
	SourceImageURL types.String
}

// known reports whether all that the purchase depends on is known.
func (p promptModel) known() bool {
	return !p.Prompt.IsUnknown() && !p.FaceSwap.IsUnknown() && !p.UseFaceLoRA.IsUnknown() &&
		!p.UseBodyLoRA.IsUnknown() && !p.SourceImageURL.IsUnknown()
}

// couldBe: an import has at most the text, as the service repeats it. Anything
// that it could not read is null.
func (p promptModel) couldBe(imported promptModel) bool {
	for _, input := range promptInputs[1:] {
		if before := input.of(imported); !before.IsNull() && !before.Equal(input.of(p)) {
			return false
		}
	}
	echo := imported.Prompt.ValueString()
	return echo == "" || framework.Echoes(p.Prompt.ValueString(), echo)
}

// batchModel is the receipt of one batch.
type batchModel struct {
	ID                    types.String  `tfsdk:"id"`
	Status                types.String  `tfsdk:"status"`
	Message               types.String  `tfsdk:"message"`
	TotalRequested        types.Int64   `tfsdk:"total_requested"`
	SuccessfulSubmissions types.Int64   `tfsdk:"successful_submissions"`
	FailedSubmissions     types.Int64   `tfsdk:"failed_submissions"`
	EstimatedTime         types.Float64 `tfsdk:"estimated_time"`
	CreditsDeducted       types.Float64 `tfsdk:"credits_deducted"`
}

// identityModel is the group's identity, which changes with its generations.
type identityModel struct {
	ID          types.String `tfsdk:"id"`
	Generations types.List   `tfsdk:"generations"`
}

var (
	promptType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"prompt": types.StringType, "face_swap": types.BoolType, "use_face_lora": types.BoolType,
		"use_body_lora": types.BoolType, "source_image_url": types.StringType,
	}}
	batchType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.StringType, "status": types.StringType, "message": types.StringType, "total_requested": types.Int64Type,
		"successful_submissions": types.Int64Type, "failed_submissions": types.Int64Type, "estimated_time": types.Float64Type,
		"credits_deducted": types.Float64Type,
	}}
)

func listValue[T any](ctx context.Context, element attr.Type, values []T, diags *diag.Diagnostics) types.List {
	encoded, more := types.ListValueFrom(ctx, element, values)
	diags.Append(more...)
	return encoded
}

func sortedKeys[K cmp.Ordered, V any](values map[K]V) []K {
	return slices.Sorted(maps.Keys(values))
}

// textsOf returns the known texts of a list.
func textsOf(value attr.Value) []string {
	list, _ := value.(types.List)
	var texts []string
	for _, element := range list.Elements() {
		if text, ok := element.(types.String); ok {
			texts = append(texts, text.ValueString())
		}
	}
	return texts
}

func stringList(values []string) types.List {
	elements := make([]attr.Value, len(values))
	for i, value := range values {
		elements[i] = types.StringValue(value)
	}
	return types.ListValueMust(types.StringType, elements)
}

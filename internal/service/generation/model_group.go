package generation

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

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
	Complete           types.Bool     `tfsdk:"complete"`
	SucceededCount     types.Int64    `tfsdk:"succeeded_count"`
	FailedCount        types.Int64    `tfsdk:"failed_count"`
	PendingCount       types.Int64    `tfsdk:"pending_count"`
	UnknownCount       types.Int64    `tfsdk:"unknown_count"`
	CreditsDeducted    types.Float64  `tfsdk:"credits_deducted"`
	RemainingBalance   types.Float64  `tfsdk:"remaining_balance"`
}

// promptModel is what one prompt asks for. Two of them are compared with ==:
// equal inputs need not be bought twice.
type promptModel struct {
	Prompt         types.String `tfsdk:"prompt"`
	FaceSwap       types.Bool   `tfsdk:"face_swap"`
	UseFaceLoRA    types.Bool   `tfsdk:"use_face_lora"`
	UseBodyLoRA    types.Bool   `tfsdk:"use_body_lora"`
	SourceImageURL types.String `tfsdk:"source_image_url"`
}

// known reports whether it can be decided what this prompt asks for.
func (p promptModel) known() bool {
	return !p.Prompt.IsUnknown() && !p.FaceSwap.IsUnknown() && !p.UseFaceLoRA.IsUnknown() &&
		!p.UseBodyLoRA.IsUnknown() && !p.SourceImageURL.IsUnknown()
}

// couldBe: an import has read the text at the most, as the service repeats it.
func (p promptModel) couldBe(imported promptModel) bool {
	text, echo := p.Prompt, imported.Prompt
	return echo.ValueString() == "" || text.IsUnknown() || framework.Echoes(text.ValueString(), echo.ValueString())
}

// generationModel is what became of one prompt.
type generationModel struct {
	ID                  types.String `tfsdk:"id"`
	Status              types.String `tfsdk:"status"`
	Succeeded           types.Bool   `tfsdk:"succeeded"`
	Progress            types.Int64  `tfsdk:"progress"`
	ResultURLs          types.List   `tfsdk:"result_urls"`
	Error               types.String `tfsdk:"error"`
	Attempts            types.Int64  `tfsdk:"attempts"`
	Service             types.String `tfsdk:"service"`
	GenerationType      types.String `tfsdk:"generation_type"`
	CreatedAt           types.String `tfsdk:"created_at"`
	PerformanceMetadata types.String `tfsdk:"performance_metadata"`
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

// identityModel is the group's identity: it changes with its generations.
type identityModel struct {
	ID          types.String `tfsdk:"id"`
	Generations types.List   `tfsdk:"generations"`
}

var (
	promptType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"prompt": types.StringType, "face_swap": types.BoolType, "use_face_lora": types.BoolType,
		"use_body_lora": types.BoolType, "source_image_url": types.StringType,
	}}
	generationType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.StringType, "status": types.StringType, "succeeded": types.BoolType, "progress": types.Int64Type,
		"result_urls": types.ListType{ElemType: types.StringType}, "error": types.StringType, "attempts": types.Int64Type,
		"service": types.StringType, "generation_type": types.StringType, "created_at": types.StringType,
		"performance_metadata": types.StringType,
	}}
	batchType = types.ObjectType{AttrTypes: map[string]attr.Type{
		"id": types.StringType, "status": types.StringType, "message": types.StringType, "total_requested": types.Int64Type,
		"successful_submissions": types.Int64Type, "failed_submissions": types.Int64Type, "estimated_time": types.Float64Type,
		"credits_deducted": types.Float64Type,
	}}
)

// unsubmitted is a prompt of which nothing is at the service.
func unsubmitted(attempts int64) generationModel {
	return generationModel{ResultURLs: types.ListNull(types.StringType), Attempts: types.Int64Value(attempts)}
}

// toBeBought is the plan of a generation that will be submitted: every
// attribute unknown. The unknown id is what says that credits are spent.
func toBeBought() generationModel {
	return generationModel{
		ID: types.StringUnknown(), Status: types.StringUnknown(), Succeeded: types.BoolUnknown(), Progress: types.Int64Unknown(),
		ResultURLs: types.ListUnknown(types.StringType), Error: types.StringUnknown(), Attempts: types.Int64Unknown(),
		Service: types.StringUnknown(), GenerationType: types.StringUnknown(), CreatedAt: types.StringUnknown(),
		PerformanceMetadata: types.StringUnknown(),
	}
}

// toBeAwaited is the plan of a running generation whose wait is resumed: it is
// paid for, so its id and its attempts stay known.
func toBeAwaited(running generationModel) generationModel {
	planned := toBeBought()
	planned.ID, planned.Attempts = running.ID, running.Attempts
	return planned
}

// elements decodes a map of nested objects; a null or unknown map is empty,
// and an object that is unknown as a whole becomes the given one.
func elements[T any](ctx context.Context, value types.Map, whole T, diags *diag.Diagnostics) map[string]T {
	decoded := map[string]T{}
	for key, element := range value.Elements() {
		object, ok := element.(types.Object)
		if !ok || object.IsNull() {
			continue
		}
		if object.IsUnknown() {
			decoded[key] = whole
			continue
		}
		var target T
		diags.Append(object.As(ctx, &target, basetypes.ObjectAsOptions{})...)
		decoded[key] = target
	}
	return decoded
}

func mapValue[T any](ctx context.Context, element attr.Type, values map[string]T, diags *diag.Diagnostics) types.Map {
	encoded, more := types.MapValueFrom(ctx, element, values)
	diags.Append(more...)
	return encoded
}

func listValue[T any](ctx context.Context, element attr.Type, values []T, diags *diag.Diagnostics) types.List {
	encoded, more := types.ListValueFrom(ctx, element, values)
	diags.Append(more...)
	return encoded
}

func sortedKeys[K cmp.Ordered, V any](values map[K]V) []K {
	keys := make([]K, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func stringList(values []string) types.List {
	elements := make([]attr.Value, len(values))
	for i, value := range values {
		elements[i] = types.StringValue(value)
	}
	return types.ListValueMust(types.StringType, elements)
}

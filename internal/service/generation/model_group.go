package generation

import (
	"cmp"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
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
	DeletionPolicy     types.String   `tfsdk:"deletion_policy"`
	MaxPromptsPerBatch types.Int64    `tfsdk:"max_prompts_per_batch"`
	Timeouts           timeouts.Value `tfsdk:"timeouts"`
	GenerationType     types.String   `tfsdk:"generation_type"`
	GenerationMap      types.Map      `tfsdk:"generations"`
	ResultURLMap       types.Map      `tfsdk:"result_urls"`
	Complete           types.Bool     `tfsdk:"complete"`
	SucceededCount     types.Int64    `tfsdk:"succeeded_count"`
	FailedCount        types.Int64    `tfsdk:"failed_count"`
	PendingCount       types.Int64    `tfsdk:"pending_count"`
	UnconfirmedCount   types.Int64    `tfsdk:"unconfirmed_count"`
	CreditsDeducted    types.Float64  `tfsdk:"credits_deducted"`
	RemainingBalance   types.Float64  `tfsdk:"remaining_balance"`
	framework.Tally
}

// identityModel is the group's identity, which changes with its generations.
type identityModel struct {
	ID          types.String `tfsdk:"id"`
	Generations types.List   `tfsdk:"generations"`
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

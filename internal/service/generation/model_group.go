package generation

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
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

// promptModel is the configuration of a prompt.
type promptModel struct {
	Prompt         types.String
	FaceSwap       types.Bool
	UseFaceLoRA    types.Bool
	UseBodyLoRA    types.Bool
	SourceImageURL types.String
	Take           types.Int64
}

// wanted returns the prompt as plans compare it, with ==: equal inputs need not
// be bought twice. No take is the first.
func (p promptModel) wanted() promptModel {
	if p.Take.IsNull() {
		p.Take = types.Int64Value(1)
	}
	return p
}

// read returns what an import can have read of the prompt, in whatever case and white
// space.
func (p promptModel) read() promptModel {
	return promptModel{Prompt: types.StringValue(prompts.Words(p.subject()))}
}

// subject is what is compared with the text that the service shows: that of the prompt,
// else the address of its photo.
func (p promptModel) subject() string {
	return cmp.Or(p.Prompt.ValueString(), p.SourceImageURL.ValueString())
}

// sent returns what the service is told of the prompt.
func (p promptModel) sent() promptModel {
	p.Take = types.Int64Null()
	return p
}

// isRespaced reports whether only the white space of the text was changed.
func (p promptModel) isRespaced(former promptModel) bool {
	same := slices.Equal(strings.Fields(p.Prompt.ValueString()), strings.Fields(former.Prompt.ValueString()))
	former.Prompt = p.Prompt
	return same && p.wanted() == former.wanted()
}

// known reports whether all that the purchase depends on is known.
func (p promptModel) known() bool {
	return !slices.ContainsFunc(promptElements.attributes, func(input nestedAttribute[promptModel]) bool { return input.get(&p).IsUnknown() })
}

// couldBe: an import has at most the text, as the service repeats it. Anything
// that it could not read is null.
func (p promptModel) couldBe(imported promptModel) bool {
	for _, input := range promptElements.attributes[1:] {
		if before := input.get(&imported); !before.IsNull() && !before.Equal(input.get(&p)) {
			return false
		}
	}
	echo := imported.Prompt.ValueString()
	return echo == "" || prompts.Echoes(p.subject(), echo)
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

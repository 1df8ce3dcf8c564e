package generation

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

const (
	defaultMaxAttempts = 1

	policyDelete = "delete"
	policyKeep   = "keep"
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

// toBatch returns the request for some keys.
func (op *operation) toBatch(keys []string) api.Batch {
	batch := api.Batch{
		CharacterID: op.group.model.CharacterID.ValueStringPointer(),
		GroupTitle:  op.group.model.Title.ValueStringPointer(),
	}
	if op.group.hasID() {
		batch.GroupID = op.group.model.ID.ValueStringPointer()
	}
	for _, key := range keys {
		prompt := op.group.Prompts[key]
		batch.Prompts = append(batch.Prompts, api.Prompt{
			Key:      key,
			Take:     prompt.Wanted().Take.Get() - 1,
			Prompt:   prompt.Text.Get(),
			FaceSwap: pointerOf(prompt.FaceSwap), UseFaceLoRA: pointerOf(prompt.UseFaceLoRA),
			UseBodyLoRA: pointerOf(prompt.UseBodyLoRA), SourceImageURL: pointerOf(prompt.SourceImageURL),
		})
	}
	return batch
}

// identityModel is the group's identity, which changes with its generations.
type identityModel struct {
	ID          types.String `tfsdk:"id"`
	Generations types.List   `tfsdk:"generations"`
}

var (
	keyEscaper   = strings.NewReplacer("%", "%25", ",", "%2C", "=", "%3D")
	keyUnescaper = strings.NewReplacer("%25", "%", "%2C", ",", "%2c", ",", "%3D", "=", "%3d", "=")
)

// encodePairs writes key=generation_id, sorted, for the identity.
func encodePairs(pairs map[string]string) []string {
	encoded := []string{}
	for key, id := range pairs {
		encoded = append(encoded, keyEscaper.Replace(key)+"="+id)
	}
	slices.Sort(encoded)
	return encoded
}

func decodePairs(encoded []string) (map[string]string, error) {
	pairs := map[string]string{}
	for _, pair := range encoded {
		key, id, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("each of the identity's generations must be key=generation_id; got %q", pair)
		}
		name := keyUnescaper.Replace(key)
		if _, doubled := pairs[name]; doubled {
			return nil, fmt.Errorf("the identity names the key %q twice", name)
		}
		pairs[name] = id
	}
	return pairs, checkPairs(pairs)
}

func checkPairs(pairs map[string]string) error {
	for key, id := range pairs {
		if strings.TrimSpace(key) == "" || strings.TrimSpace(id) == "" {
			return errors.New("the import has an empty key or an empty generation id")
		}
	}
	return nil
}

func sortedKeys[K cmp.Ordered, V any](values map[K]V) []K {
	return slices.Sorted(maps.Keys(values))
}

func orEmpty[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
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

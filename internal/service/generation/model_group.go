package generation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/prompts"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
)

const defaultMaxAttempts = 1

// groupModel is a group as Terraform has it in configuration, plan and state.
// decode and encode convert it; the code between them works with a group only.
type groupModel struct {
	groupValues
	groupCounts
	Prompts     types.Map `tfsdk:"prompts"`
	Generations types.Map `tfsdk:"generations"`
	ResultURLs  types.Map `tfsdk:"result_urls"`
}

// groupValues are the attributes with a single value: the configured values and
// the receipts.
type groupValues struct {
	ID                 types.String   `tfsdk:"id"`
	CharacterID        types.String   `tfsdk:"character_id"`
	Title              types.String   `tfsdk:"title"`
	WaitForCompletion  types.Bool     `tfsdk:"wait_for_completion"`
	MaxAttempts        types.Int64    `tfsdk:"max_attempts"`
	RefreshFinished    types.Bool     `tfsdk:"refresh_finished"`
	DeletionPolicy     types.String   `tfsdk:"deletion_policy"`
	MaxPromptsPerBatch types.Int64    `tfsdk:"max_prompts_per_batch"`
	Labels             types.Map      `tfsdk:"labels"`
	Timeouts           timeouts.Value `tfsdk:"timeouts"`
	GenerationType     types.String   `tfsdk:"generation_type"`
	CreditsDeducted    types.Float64  `tfsdk:"credits_deducted"`
	RemainingBalance   types.Float64  `tfsdk:"remaining_balance"`
	purchases.Tally
}

// groupCounts are the attributes that follow from the phases of the prompts.
type groupCounts struct {
	Complete         types.Bool  `tfsdk:"complete"`
	SucceededCount   types.Int64 `tfsdk:"succeeded_count"`
	FailedCount      types.Int64 `tfsdk:"failed_count"`
	PendingCount     types.Int64 `tfsdk:"pending_count"`
	UnconfirmedCount types.Int64 `tfsdk:"unconfirmed_count"`
}

func encodeCounts(counts prompts.Counts) groupCounts {
	return groupCounts{
		Complete:         types.BoolValue(counts.Pending+counts.Unconfirmed == 0),
		SucceededCount:   types.Int64Value(counts.Succeeded),
		FailedCount:      types.Int64Value(counts.Failed),
		PendingCount:     types.Int64Value(counts.Pending),
		UnconfirmedCount: types.Int64Value(counts.Unconfirmed),
	}
}

func unknownCounts() groupCounts {
	return groupCounts{
		Complete:         types.BoolUnknown(),
		SucceededCount:   types.Int64Unknown(),
		FailedCount:      types.Int64Unknown(),
		PendingCount:     types.Int64Unknown(),
		UnconfirmedCount: types.Int64Unknown(),
	}
}

// decode returns the group, without its private state. If the map of prompts is
// unknown as a whole, the group has no prompts.
func (m *groupModel) decode() *group {
	g := newGroup()
	g.values = m.groupValues
	g.Prompts = promptElements.decode(m.Prompts)
	addresses := m.ResultURLs.Elements()
	for key, generation := range generationElements.decode(m.Generations) {
		generation.ResultURLs = textsOf(addresses[key])
		g.Set(key, generation)
	}
	return g
}

// encode returns the group in the form of the state.
func (g *group) encode() groupModel {
	return groupModel{
		groupValues: g.values,
		groupCounts: encodeCounts(g.Count()),
		Prompts:     promptElements.encode(g.Prompts),
		Generations: generationElements.encode(g.Generations),
		ResultURLs:  g.encodeAddresses(),
	}
}

// encodeAddresses returns result_urls for all keys. The addresses of a
// generation that a plan buys or awaits are unknown.
func (g *group) encodeAddresses() types.Map {
	lists := map[string]attr.Value{}
	for key := range g.Prompts {
		generation := g.Generations[key]
		lists[key] = stringList(generation.ResultURLs)
		if generation.Status.IsUnknown() {
			lists[key] = types.ListUnknown(types.StringType)
		}
	}
	return types.MapValueMust(addressesType, lists)
}

// identityModel is the group's identity, which changes with its generations.
type identityModel struct {
	ID          types.String `tfsdk:"id"`
	Generations types.List   `tfsdk:"generations"`
}

func (g *group) identity() identityModel {
	return identityModel{ID: g.values.ID, Generations: stringList(encodePairs(g.IDs()))}
}

var (
	keyEscaper   = strings.NewReplacer("%", "%25", ",", "%2C", "=", "%3D")
	keyUnescaper = strings.NewReplacer("%25", "%", "%2C", ",", "%2c", ",", "%3D", "=", "%3d", "=")
)

func encodePairs(pairs map[string]string) []string {
	encoded := []string{}
	for key, id := range pairs {
		encoded = append(encoded, keyEscaper.Replace(key)+"="+id)
	}
	slices.Sort(encoded)
	return encoded
}

// decodePairs reads the generations of an identity in the form that encodePairs
// writes.
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

var addressesType = types.ListType{ElemType: types.StringType}

// fromEffect returns a prompt's generation after a batch: bought, rejected, or
// unconfirmed.
func fromEffect(effect api.PromptEffect, attempts int64, sent time.Time) prompts.Generation {
	if effect.Unconfirmed != "" {
		reason := isUnconfirmed(framework.Unconfirmed{Sent: sent, Reason: effect.Unconfirmed})
		return prompts.Unconfirmed(attempts, reason)
	}
	generation := prompts.Unsubmitted(attempts)
	generation.Status = asText.of(framework.TextOf(effect.Status))
	if effect.Error != "" {
		generation.Error = prompts.Known(string(effect.Error))
	}
	if effect.GenerationID != "" {
		generation.ID = prompts.Known(effect.GenerationID)
		if effect.Error != "" {
			generation.Succeeded = prompts.Known(false)
		}
	}
	return generation
}

// withStatus applies a status to a generation. Fields that the status leaves
// out keep their values, and a generation that has had results stays a success.
func withStatus(m prompts.Generation, status *api.Generation) prompts.Generation {
	if m.IsFinal() { // variant: results-expire
		return withLaterResults(m, status)
	}
	if status.Status != nil {
		m.Status = prompts.Known(string(*status.Status))
	}
	stored := m.ResultURLs
	m.Succeeded = prompts.Value[bool]{}
	m.Error = prompts.Value[string]{}
	m.ResultURLs = nil
	switch status.Phase() {
	case api.Succeeded:
		m.Succeeded = prompts.Known(true)
		m.ResultURLs = sameResults(stored, status.ResultURLs)
		m.AtFullProgress = status.Shown().IsAtFullProgress()
	case api.Failed, api.Stopped:
		m.Succeeded = prompts.Known(false)
		m.Error = prompts.Known(string(status.Reason()))
	case api.Running:
	}
	return m
}

// withLaterResults applies a status to a generation that has had results. Its
// status word and addresses stay as stored, unless Results.GiveWayTo says
// otherwise.
func withLaterResults(m prompts.Generation, status *api.Generation) prompts.Generation {
	if !resultsOf(m).GiveWayTo(status.Shown(), len(status.ResultURLs)) {
		return m
	}
	if status.Status != nil {
		m.Status = prompts.Known(string(*status.Status))
	}
	m.ResultURLs = sameResults(m.ResultURLs, status.ResultURLs)
	m.AtFullProgress = status.Shown().IsAtFullProgress()
	return m
}

// resultsOf returns the stored results of a success.
func resultsOf(m prompts.Generation) prompts.Results {
	return prompts.Results{
		Count:          len(m.ResultURLs),
		Word:           api.WordOf(m.Status.Get()),
		AtFullProgress: m.AtFullProgress,
	}
}

// sameResults returns the stored addresses if the served addresses differ only
// in signatures or order, or if none are served.
func sameResults(stored, served []string) []string {
	if served == nil {
		return stored
	}
	served = framework.BoundedAddresses(served)
	ordered := slices.Sorted(slices.Values(stored))
	if slices.Equal(framework.SameAddresses(ordered, slices.Sorted(slices.Values(served))), ordered) {
		return stored
	}
	return served
}

func orEmpty[T any](pointer *T) (value T) {
	if pointer != nil {
		value = *pointer
	}
	return value
}

// textsOf returns the known texts of a list.
func textsOf(value attr.Value) (texts []string) {
	stored, _ := value.(types.List)
	for _, element := range stored.Elements() {
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

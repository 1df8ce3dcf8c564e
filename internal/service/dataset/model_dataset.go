package dataset

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
)

// datasetModel is a dataset in plan and state.
type datasetModel struct {
	CharacterID       types.String   `tfsdk:"character_id"`
	Prompts           types.List     `tfsdk:"prompts"`
	UseDefaultPrompts types.Bool     `tfsdk:"use_default_prompts"`
	Triggers          types.Map      `tfsdk:"triggers"`
	WaitForCompletion types.Bool     `tfsdk:"wait_for_completion"`
	Timeouts          timeouts.Value `tfsdk:"timeouts"`

	ID          types.String `tfsdk:"id"`
	Status      types.String `tfsdk:"status"`
	TotalImages types.Int64  `tfsdk:"total_images"`
	MinRequired types.Int64  `tfsdk:"min_required"`
	MaxAllowed  types.Int64  `tfsdk:"max_allowed"`
}

// datasetIdentity names a dataset in import blocks.
type datasetIdentity struct {
	CharacterID types.String `tfsdk:"character_id"`
	ID          types.String `tfsdk:"id"`
}

func (m *datasetModel) identity() datasetIdentity {
	return datasetIdentity{CharacterID: m.CharacterID, ID: m.ID}
}

// object names the dataset in messages.
func (m *datasetModel) object() string {
	return fmt.Sprintf("dataset of character %q", m.CharacterID.ValueString())
}

// toRequest returns what the dataset is generated from.
func (m *datasetModel) toRequest(ctx context.Context) api.DatasetRequest {
	request := api.DatasetRequest{UseDefaultPrompts: m.UseDefaultPrompts.ValueBoolPointer()}
	m.Prompts.ElementsAs(ctx, &request.Prompts, false) // checked by validators
	return request
}

// withoutComputed returns the configured part of a plan, with null for what
// only the service knows, so that no unknown value can reach the state.
func (m datasetModel) withoutComputed() datasetModel {
	return datasetModel{}.withConfigOf(&m)
}

// withConfigOf returns the stored dataset with what the plan configures.
func (m datasetModel) withConfigOf(plan *datasetModel) datasetModel {
	m.CharacterID, m.Prompts, m.UseDefaultPrompts, m.Triggers = plan.CharacterID, plan.Prompts, plan.UseDefaultPrompts, plan.Triggers
	m.WaitForCompletion, m.Timeouts = plan.WaitForCompletion, plan.Timeouts
	return m
}

// withUnknownOutcome plans a dataset whose wait goes on.
func (m datasetModel) withUnknownOutcome() datasetModel {
	m.Status, m.TotalImages = types.StringUnknown(), types.Int64Unknown()
	m.MinRequired, m.MaxAllowed = types.Int64Unknown(), types.Int64Unknown()
	return m
}

// statusFromAPI takes over a status. Limits that it leaves out stay.
func (m *datasetModel) statusFromAPI(status *api.DatasetStatus) {
	m.Status = types.StringPointerValue(status.Word)
	m.TotalImages = types.Int64PointerValue(status.TotalImages)
	m.limitsFromAPI(status)
}

func (m *datasetModel) limitsFromAPI(status *api.DatasetStatus) {
	if status.MinRequired != nil {
		m.MinRequired = types.Int64PointerValue(status.MinRequired)
	}
	if status.MaxAllowed != nil {
		m.MaxAllowed = types.Int64PointerValue(status.MaxAllowed)
	}
}

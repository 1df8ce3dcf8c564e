package dataset

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// datasetModel is a dataset in plan and state.
type datasetModel struct {
	framework.Work
	Prompts           types.List   `tfsdk:"prompts"`
	UseDefaultPrompts types.Bool   `tfsdk:"use_default_prompts"`
	Status            types.String `tfsdk:"status"`
	TotalImages       types.Int64  `tfsdk:"total_images"`
	MinRequired       types.Int64  `tfsdk:"min_required"`
	MaxAllowed        types.Int64  `tfsdk:"max_allowed"`
}

// object names the dataset in messages.
func (m *datasetModel) object() string { return "dataset of " + framework.NameOf(m.CharacterID) }

// toRequest returns what the dataset is generated from.
func (m *datasetModel) toRequest(ctx context.Context) api.DatasetRequest {
	request := api.DatasetRequest{UseDefaultPrompts: m.UseDefaultPrompts.ValueBoolPointer()}
	m.Prompts.ElementsAs(ctx, &request.Prompts, false) // checked by validators
	request.Triggers = framework.TriggerTexts(m.Triggers)
	return request
}

// withConfigOf returns the stored dataset with what the plan configures. For a
// create nothing is stored, and no unknown value of the plan can reach the state.
func (m datasetModel) withConfigOf(plan *datasetModel) datasetModel {
	m.Work, m.Prompts, m.UseDefaultPrompts = m.WithConfigOf(plan.Work), plan.Prompts, plan.UseDefaultPrompts
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

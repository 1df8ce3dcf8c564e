package dataset

import (
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// datasetModel is a dataset in plan and state.
type datasetModel struct {
	framework.WorkModel
	Prompts           types.List   `tfsdk:"prompts"`
	UseDefaultPrompts types.Bool   `tfsdk:"use_default_prompts"`
	Status            types.String `tfsdk:"status"`
	TotalImages       types.Int64  `tfsdk:"total_images"`
	MinRequired       types.Int64  `tfsdk:"min_required"`
	MaxAllowed        types.Int64  `tfsdk:"max_allowed"`
}

// planOutcome plans a dataset whose wait goes on.
func (m *datasetModel) planOutcome() {
	m.Status, m.TotalImages = types.StringUnknown(), types.Int64Unknown()
	m.MinRequired, m.MaxAllowed = types.Int64Unknown(), types.Int64Unknown()
}

// statusFromAPI stores a status. Limits that it leaves out stay.
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

package work

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/evidence"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// dataset is a dataset during one operation of its resource.
type dataset struct {
	*work

	model   datasetModel
	private datasetState
}

// messages returns the messages about the dataset in its present state.
func (d *dataset) messages() datasetMessages {
	return datasetMessages{subject: d.subject, state: d.describe()}
}

// datasetState is private state. The service's status describes the character,
// and names no job.
type datasetState struct {
	evidence.Evidence
	Before  *api.DatasetStatus    `json:"before,omitempty"` // the status before the start; nil after an import
	Started time.Time             `json:"started,omitzero"` // when the start was sent; zero after an import
	Lost    framework.Unconfirmed `json:"lost,omitzero"`    // the start, if its outcome is not known
	Now     *api.DatasetStatus    `json:"now,omitempty"`    // the last status, if unconfirmed
	EndSeen bool                  `json:"ended,omitempty"`  // later statuses may be about another dataset
	// WasLost is the mark of an unconfirmed start in older states.
	WasLost bool `json:"unconfirmed,omitempty"`
}

// UnmarshalJSON reads older states too.
func (s *datasetState) UnmarshalJSON(text []byte) error {
	type plain datasetState
	err := json.Unmarshal(text, (*plain)(s))
	if s.WasLost {
		s.Lost.Sent = s.Started
		s.WasLost = false
	}
	return err
}

// phase is derived from the last status, which may be the status of a later
// dataset.
func (d *dataset) phase() phase {
	word := api.PhaseOfWord(d.model.Status.ValueString())
	switch {
	case !d.private.Lost.IsZero():
		return phaseUnconfirmed
	case !d.private.EndSeen:
		return phaseRunning
	case word == api.Failed || word == api.Stopped:
		return phaseFailed
	}
	return phaseSucceeded
}

// describe says how far the dataset is, for the progress of a wait.
func (d *dataset) describe() string {
	if d.private.Now != nil {
		return describe(d.private.Now)
	}
	return describe(
		&api.DatasetStatus{
			Word:        d.model.Status.ValueStringPointer(),
			TotalImages: d.model.TotalImages.ValueInt64Pointer(),
		},
	)
}

// describe says how far a dataset is, in the service's words and counts.
func describe(status *api.DatasetStatus) string {
	if status == nil {
		return "not read"
	}
	var parts []string
	if status.Word != nil {
		parts = append(parts, fmt.Sprintf("status %q", reply.Text(*status.Word)))
	}
	if status.TotalImages != nil {
		parts = append(parts, framework.Plural(int(*status.TotalImages), "image", "images"))
	}
	if len(parts) == 0 {
		return "no status yet"
	}
	return strings.Join(parts, ", ")
}

func (d *dataset) statusLine() string {
	return fmt.Sprintf("Dataset of character %q: %s", d.characterID(), d.describe())
}

// datasetModel is a dataset in Terraform's form.
type datasetModel struct {
	Model
	Prompts           types.List   `tfsdk:"prompts"`
	UseDefaultPrompts types.Bool   `tfsdk:"use_default_prompts"`
	Status            types.String `tfsdk:"status"`
	TotalImages       types.Int64  `tfsdk:"total_images"`
	MinRequired       types.Int64  `tfsdk:"min_required"`
	MaxAllowed        types.Int64  `tfsdk:"max_allowed"`
}

// statusFromAPI stores a status. Limits that the status leaves out keep their
// values.
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

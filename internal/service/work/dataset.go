package work

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/report"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// dataset is one dataset, during one operation of the resource.
type dataset struct {
	data     *run.ProviderData
	model    datasetModel
	private  datasetState
	progress *wait.Progress
}

// datasetState is private state. The service's status is the character's, and
// names no job.
type datasetState struct {
	api.Evidence
	Before  *api.DatasetStatus `json:"before,omitempty"` // the status before the start; nil after an import
	Started time.Time          `json:"started,omitzero"` // when the start was sent; zero after an import
	Lost    run.Unconfirmed    `json:"lost,omitzero"`    // the start, if its outcome is not known
	Now     *api.DatasetStatus `json:"now,omitempty"`    // the last status, if unconfirmed
	EndSeen bool               `json:"ended,omitempty"`  // later statuses may be about another dataset
	// WasLost is how older states say that the start is unconfirmed.
	WasLost bool `json:"unconfirmed,omitempty"`
}

// upgrade reads what an older state says.
func (s *datasetState) upgrade() {
	if s.WasLost {
		s.Lost.Sent = s.Started
		s.WasLost = false
	}
}

// loadDataset reads a dataset from a plan or a state, with what its private
// state remembers.
func loadDataset(
	ctx context.Context,
	data *run.ProviderData,
	from framework.Getter,
	private privatestate.Reader,
	diags *diag.Diagnostics,
) *dataset {
	d := &dataset{data: data}
	d.progress = wait.NewProgress(data.Clock, d.statusLine, data.LogProgress(ctx))
	diags.Append(from.Get(ctx, &d.model)...)
	diags.Append(privatestate.Load(ctx, private, &d.private)...)
	d.private.upgrade()
	return d
}

func (d *dataset) object() string { return "dataset of " + framework.NameOf(d.model.CharacterID) }

func (d *dataset) summary(what string) string {
	return report.Summary(what, "dataset", d.model.ID.ValueString(), "character "+d.characterID())
}

func (d *dataset) characterID() string { return d.model.CharacterID.ValueString() }

func (d *dataset) needsWait() bool {
	return d.model.IsAwaited() && !d.private.EndSeen && d.private.Lost.IsZero()
}

// hasFailed judges by the last status, which may be that of a later dataset.
func (d *dataset) hasFailed() bool {
	phase := api.PhaseOfWord(d.model.Status.ValueString())
	return d.private.EndSeen && (phase == api.Failed || phase == api.Stopped)
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
		parts = append(parts, report.Plural(int(*status.TotalImages), "image", "images"))
	}
	if len(parts) == 0 {
		return "no status yet"
	}
	return strings.Join(parts, ", ")
}

func (d *dataset) statusLine() string {
	return fmt.Sprintf("Dataset of character %q: %s", d.characterID(), d.describe())
}

// datasetModel is a dataset as Terraform has it.
type datasetModel struct {
	framework.WorkModel
	Prompts           types.List   `tfsdk:"prompts"`
	UseDefaultPrompts types.Bool   `tfsdk:"use_default_prompts"`
	Status            types.String `tfsdk:"status"`
	TotalImages       types.Int64  `tfsdk:"total_images"`
	MinRequired       types.Int64  `tfsdk:"min_required"`
	MaxAllowed        types.Int64  `tfsdk:"max_allowed"`
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

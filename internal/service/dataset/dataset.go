package dataset

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/wait"
)

// dataset is one dataset, during one operation of the resource: a framework.Work.
type dataset struct {
	data    *framework.ProviderData
	model   datasetModel
	private datasetState
	// progress shows a wait to a person.
	progress *wait.Progress
}

// datasetState is a dataset's private state. The service's status is the character's, and
// names no job.
type datasetState struct {
	api.Evidence
	// Before is the status before the start, and Started when the start was sent. Both
	// are empty after an import.
	Before  *api.DatasetStatus `json:"before,omitempty"`
	Started time.Time          `json:"started,omitzero"`
	// Unconfirmed: it is not known what became of the start. Now is the last status.
	Unconfirmed bool               `json:"unconfirmed,omitempty"`
	Now         *api.DatasetStatus `json:"now,omitempty"`
	// EndSeen: a status has shown the end. Later ones may be about another dataset.
	EndSeen bool `json:"ended,omitempty"`
}

func loadDataset(
	ctx context.Context, data *framework.ProviderData, from framework.Getter, private framework.PrivateReader, _ framework.PrivateWriter, diags *diag.Diagnostics,
) *dataset {
	d := &dataset{data: data}
	d.progress = wait.NewProgress(data.Clock, d.statusLine, framework.LogProgress(ctx))
	diags.Append(from.Get(ctx, &d.model)...)
	diags.Append(framework.LoadPrivateState(ctx, private, &d.private)...)
	return d
}

func (d *dataset) Parts() (model, private any) { return &d.model, &d.private }

func (d *dataset) Common() *framework.WorkModel { return &d.model.WorkModel }

// Object names the dataset in messages.
func (d *dataset) Object() string { return "dataset of " + framework.NameOf(d.model.CharacterID) }

func (d *dataset) Summary(what string) string {
	return framework.Summary(what, "dataset", d.model.ID.ValueString(), "character "+d.characterID())
}

func (d *dataset) characterID() string { return d.model.CharacterID.ValueString() }

func (d *dataset) NeedsWait() bool {
	return d.model.IsAwaited() && !d.private.EndSeen && !d.private.Unconfirmed
}

// hasFailed judges by the last status, which may be that of a later dataset.
func (d *dataset) hasFailed() bool {
	phase := api.PhaseOfWord(d.model.Status.ValueString())
	return d.private.EndSeen && (phase == api.Failed || phase == api.Stopped)
}

// describe says what the last status has shown.
func (d *dataset) describe() string {
	if d.private.Now != nil {
		return describe(d.private.Now)
	}
	return describe(&api.DatasetStatus{Word: d.model.Status.ValueStringPointer(), TotalImages: d.model.TotalImages.ValueInt64Pointer()})
}

func describe(status *api.DatasetStatus) string {
	if status == nil {
		return "not read"
	}
	var parts []string
	if status.Word != nil {
		parts = append(parts, fmt.Sprintf("status %q", *status.Word))
	}
	if status.TotalImages != nil {
		parts = append(parts, framework.Plural(int(*status.TotalImages), "image", "images"))
	}
	if len(parts) == 0 {
		return "no status yet"
	}
	return strings.Join(parts, ", ")
}

// statusLine is the progress, for a person.
func (d *dataset) statusLine() string {
	return fmt.Sprintf("Dataset of character %q: %s", d.characterID(), d.describe())
}

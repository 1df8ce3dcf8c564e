package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// note records that the plan makes the dataset of a character. It warns if a
// second resource does so too, because an apply generates only one.
func (d *dataset) note(diags *diag.Diagnostics) {
	if !d.data.Characters.NoteMade(d.characterID(), run.Dataset) {
		diags.Append(d.messages().isPlannedTwice())
	}
}

// checkStart refuses a dataset while another is being generated.
func (d *dataset) checkStart(
	ctx context.Context,
	applying func() bool,
) (said diag.Diagnostics, err error) {
	status, err := d.data.Client.Datasets.Status(ctx, d.characterID())
	if err != nil {
		return diag.Diagnostics{d.messages().startIsUnchecked(err)}, err
	}
	d.model.statusFromAPI(status)
	switch {
	case status.IsRunning() && applying():
	case status.IsRunning():
		said.Append(d.messages().runsAlready())
	case d.model.TotalImages.ValueInt64() > 0:
		said.Append(d.messages().existsAlready())
	}
	return said, nil
}

// isReplaced says what a replacement generates, and which images stay.
func (d *dataset) isReplaced(sameCharacter bool) diag.Diagnostic {
	if sameCharacter {
		return d.messages().existsAlready()
	}
	return d.messages().isReplacedByAnother()
}

// warnOfDestroy says that a destroy only forgets the dataset.
func (d *dataset) warnOfDestroy(diags *diag.Diagnostics) {
	d.data.WarnOfForgotten("Datasets", datasetsStay, diags)
}

// resume plans the continuation of a wait.
func (d *dataset) resume() {
	d.model.Status = types.StringUnknown()
	d.model.TotalImages = types.Int64Unknown()
	d.model.MinRequired = types.Int64Unknown()
	d.model.MaxAllowed = types.Int64Unknown()
}

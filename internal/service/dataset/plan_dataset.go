package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

func (d *dataset) PlanDestroy(diags *diag.Diagnostics) { diags.Append(d.forgotten("", false)) }

// Leave has nothing to record: a destroy ends nothing.
func (d *dataset) Leave(context.Context, framework.PrivateWriter) diag.Diagnostics { return nil }

func (d *dataset) PlanReplacement(sameCharacter bool, diags *diag.Diagnostics) {
	if sameCharacter {
		d.warnOfAnother(diags)
		return
	}
	diags.Append(d.forgotten("The plan generates a dataset of another character, which may cost credits. ", false))
}

// Announce notes that the plan makes the dataset of a character, and warns
// where another resource does so too: an apply generates one.
func (d *dataset) Announce(diags *diag.Diagnostics) {
	if d.data.Characters.IsMade(d.characterID(), framework.Dataset) {
		diags.AddWarning("Two Datasets of One Character", fmt.Sprintf(
			"This plan generates another %s. An apply generates only one for each character and refuses the other, "+
				"which is then not bought. Remove one of the resources.",
			d.Object(),
		))
	}
	d.data.Characters.Makes(d.characterID(), framework.Dataset)
}

// PlanCreate refuses a dataset while another is being generated. In an apply
// the create decides: the other may be one that this apply has started.
func (d *dataset) PlanCreate(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	status, err := d.data.Client.DatasetStatus(ctx, d.characterID())
	if reply.IsNotFound(err) && !applying() {
		d.data.RefuseUnknown(ctx, d.characterID(), "The "+d.Object()+" is bought", diags)
	}
	if diags.HasError() {
		return
	}
	if err != nil {
		diags.Append(framework.Failure{
			Verb:   "Check",
			Noun:   "Dataset",
			Object: framework.NameOf(d.model.CharacterID),
			Consequence: "The plan cannot tell whether the character has a dataset. The apply reads again before it " +
				"generates anything.",
		}.Warning(err))
		return
	}
	d.model.statusFromAPI(status)
	switch {
	case status.IsRunning() && applying():
	case status.IsRunning():
		diags.Append(d.runningError())
	case d.model.TotalImages.ValueInt64() > 0:
		d.warnOfAnother(diags)
	}
}

// warnOfAnother warns of a dataset that the character has already: generating
// replaces its images.
func (d *dataset) warnOfAnother(diags *diag.Diagnostics) {
	diags.AddWarning(d.Summary("Dataset Exists Already"), fmt.Sprintf(
		"The %s exists (%s). The apply generates another, which may cost credits; whether its images replace the "+
			"present ones or are added to them is not documented. To manage what is there without generating "+
			"anything, import it.",
		d.Object(),
		d.describe(),
	))
}

// PlanUpdate says what is unconfirmed, has failed or is taken over after an
// import, and plans a wait that goes on.
func (d *dataset) PlanUpdate(_, takesOver bool, diags *diag.Diagnostics) {
	if takesOver {
		diags.Append(
			framework.TakenOverAfterImport(
				"prompts and triggers",
				d.Object(),
				"generated",
				"generate with them, which may cost credits",
			),
		)
	}
	switch {
	case d.private.Unconfirmed:
		sent := d.private.Started.UTC().Format(time.RFC3339)
		diags.Append(
			d.unconfirmedWarning(fmt.Sprintf("was sent at %s, and no answer has settled what became of it", sent)),
		)
	case d.hasFailed():
		diags.AddWarning(d.Summary("Dataset Failed"), d.describeFailure())
	case d.NeedsWait():
		d.model.Status = types.StringUnknown()
		d.model.TotalImages = types.Int64Unknown()
		d.model.MinRequired = types.Int64Unknown()
		d.model.MaxAllowed = types.Int64Unknown()
	}
}

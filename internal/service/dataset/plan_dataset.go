package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// PlanDestroy implements framework.Work.
func (g *dataset) PlanDestroy(diags *diag.Diagnostics) { diags.Append(g.forgotten("", false)) }

// forgotten says what stays, after what is bought.
func (g *dataset) forgotten(bought string, done bool) diag.Diagnostic {
	return framework.Forgotten("Dataset", fmt.Sprintf("%sThe %s (%s)", bought, g.Object(), g.describe()),
		"Its images stay at the service, unless a deletion of the character takes them along, and what is being generated goes on.", done, g.Summary)
}

// Leave implements framework.Work: a destroy ends nothing.
func (g *dataset) Leave(context.Context, framework.PrivateWriter) diag.Diagnostics { return nil }

// PlanReplacement implements framework.Work.
func (g *dataset) PlanReplacement(sameCharacter bool, diags *diag.Diagnostics) {
	if sameCharacter {
		g.warnOfAnother(diags)
		return
	}
	diags.Append(g.forgotten("The plan generates a dataset of another character, which may cost credits. ", false))
}

// Announce implements framework.Work.
func (g *dataset) Announce(diags *diag.Diagnostics) {
	if g.data.Characters.IsMade(g.characterID(), framework.Dataset) {
		diags.AddWarning("Two Datasets of One Character", fmt.Sprintf(
			"This plan generates another %s. An apply generates one of each character and refuses the other, which is then not bought. Remove one of the resources.", g.Object()))
	}
	g.data.Characters.Makes(g.characterID(), framework.Dataset)
}

// PlanCreate refuses a dataset while another is being generated, and warns of one that
// is there. In an apply the create decides: it may be one that this apply has started.
func (g *dataset) PlanCreate(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	status, err := g.data.Client.DatasetStatus(ctx, g.characterID())
	if reply.IsNotFound(err) && !applying() {
		g.data.RefuseUnknown(ctx, g.characterID(), "The "+g.Object()+" is bought", diags)
	}
	if diags.HasError() {
		return
	}
	if err != nil {
		diags.Append(framework.Failure{
			Verb: "Check", Noun: "Dataset", Object: framework.NameOf(g.model.CharacterID),
			Consequence: "The plan cannot tell whether the character has a dataset. The apply reads again before it generates anything.",
		}.Warning(err))
		return
	}
	g.model.statusFromAPI(status)
	switch {
	case status.IsRunning() && applying():
	case status.IsRunning():
		diags.Append(g.runningError())
	case g.model.TotalImages.ValueInt64() > 0:
		g.warnOfAnother(diags)
	}
}

func (g *dataset) warnOfAnother(diags *diag.Diagnostics) {
	diags.AddWarning(g.Summary("Dataset Exists Already"), fmt.Sprintf(
		"The %s exists (%s). The apply generates another, which may cost credits; whether its images replace the present ones or are added to them is not documented. "+
			"To manage what is there without generating anything, import it.", g.Object(), g.describe()))
}

// PlanUpdate implements framework.Work.
func (g *dataset) PlanUpdate(_, takesOver bool, diags *diag.Diagnostics) {
	if takesOver {
		diags.Append(framework.TakenOverAfterImport("prompts and triggers", g.Object(), "generated", "generate with them, which may cost credits"))
	}
	switch {
	case g.private.Unconfirmed:
		sent := g.private.Started.UTC().Format(time.RFC3339)
		diags.Append(g.unconfirmedWarning(fmt.Sprintf("was sent at %s, and no answer has settled what became of it", sent)))
	case g.hasFailed():
		diags.AddWarning(g.Summary("Dataset Failed"), g.describeFailure())
	case g.NeedsWait():
		g.model.planOutcome()
	}
}

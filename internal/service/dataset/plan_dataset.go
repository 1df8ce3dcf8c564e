package dataset

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ModifyPlan says what a plan may cost, and keeps values known that will not
// change.
func (r *datasetResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

func (r *datasetResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	g, diags := loadGeneration(ctx, r.Data, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.AddWarning("Dataset Stays at the Service", fmt.Sprintf(
		"The %s is only forgotten (%s). Its images stay at the service, and what is being generated goes on.", g.model.object(), g.describe()))
}

// planCreate counts the purchase, refuses it while a dataset is being generated, and
// warns of one that is there. The CLI plans a replacement as a create too, and drops
// its warnings: planUpdate has given them.
func (r *datasetResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	g := &generation{data: r.Data}
	resp.Diagnostics.Append(req.Plan.Get(ctx, &g.model)...)
	r.Data.PlanPurchase(framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindDataset, Count: 1}, Object: g.model.object(),
	}, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || g.model.CharacterID.IsUnknown() || !r.Data.Known() {
		return
	}
	if r.Data.Characters.IsMade(g.characterID(), framework.Dataset) {
		resp.Diagnostics.AddWarning("Two Datasets of One Character", fmt.Sprintf(
			"This plan generates another %s. An apply generates one of each character and refuses the other, which is then not bought. Remove one of the resources.", g.model.object()))
	}
	r.Data.Characters.Makes(g.characterID(), framework.Dataset)
	if req.Config.Raw.IsFullyKnown() && g.warnOfKilled(ctx, &resp.Diagnostics) {
		return
	}
	status, err := r.Data.Client.DatasetStatus(ctx, g.characterID())
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Check", Noun: "Dataset", Object: framework.NameOf(g.model.CharacterID),
			Consequence: "The plan cannot tell whether the character has a dataset. The apply reads again before it generates anything.",
		}.Warning(err))
		return
	}
	g.model.statusFromAPI(status)
	switch {
	case status.IsRunning():
		resp.Diagnostics.Append(g.runningError())
	case g.model.TotalImages.ValueInt64() > 0:
		g.warnOfAnother(&resp.Diagnostics)
	}
}

// warnOfKilled says what the purchase log has of this dataset, and reports whether the
// apply takes that over instead of generating one.
func (g *generation) warnOfKilled(ctx context.Context, diags *diag.Diagnostics) bool {
	killed, err := g.data.Client.KilledDataset(ctx, g.characterID(), g.model.toRequest(ctx), false)
	if err != nil || killed == nil { // the purchase log's own warning says why
		return false
	}
	imported := framework.ImportID(g.characterID(), killed.JobID())
	diags.Append(framework.KilledPurchase(g.model.object(), killed.Killed, framework.ImportBlock(framework.Quote(imported))))
	return killed.Elsewhere == ""
}

func (g *generation) warnOfAnother(diags *diag.Diagnostics) {
	diags.AddWarning("Dataset Exists Already", fmt.Sprintf(
		"The %s exists (%s). The apply generates another, which may cost credits; whether its images replace the present ones or are added to them is not documented. "+
			"To manage what is there without generating anything, import it.", g.model.object(), g.describe()))
}

func (r *datasetResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan datasetModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	g, diags := loadGeneration(ctx, r.Data, req.State, req.Private)
	resp.Diagnostics.Append(diags...)
	framework.RefuseOtherCharacter(ctx, req.Private, g.model.CharacterID, plan.CharacterID, g.model.object(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	state := g.model
	samePrompts := plan.Prompts.Equal(state.Prompts)
	sameDefault := plan.UseDefaultPrompts.Equal(state.UseDefaultPrompts)
	sameTriggers := framework.SameTriggers(plan.Triggers, state.Triggers)
	if !plan.CharacterID.Equal(state.CharacterID) ||
		!samePrompts && !framework.TakesOver(ctx, req.Private, state.Prompts) ||
		!sameDefault && !framework.TakesOver(ctx, req.Private, state.UseDefaultPrompts) ||
		!sameTriggers && !framework.TakesOver(ctx, req.Private, state.Triggers) {
		if plan.CharacterID.Equal(state.CharacterID) {
			g.warnOfAnother(&resp.Diagnostics)
		}
		return // it is replaced
	}
	g.model = state.withConfigOf(&plan)
	next := g.model
	if g.needsWait() {
		next = next.withUnknownOutcome()
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &next)...)
	if !samePrompts || !sameDefault || !sameTriggers {
		resp.Diagnostics.AddWarning("Configuration Taken Over After an Import", fmt.Sprintf(
			"The prompts and triggers of the imported %s are taken over from the configuration: nothing was generated with them, and nothing is generated now. "+
				"To generate with them, which may cost credits, apply with -replace=ADDRESS, with the address of this resource.", state.object()))
	}
	switch {
	case g.private.Unconfirmed:
		sent := g.private.Started.UTC().Format(time.RFC3339)
		resp.Diagnostics.Append(g.unconfirmedWarning(fmt.Sprintf("was sent at %s, and no answer has settled what became of it", sent)))
	case g.hasFailed():
		resp.Diagnostics.AddWarning("Dataset Failed", g.describeFailure())
	}
}

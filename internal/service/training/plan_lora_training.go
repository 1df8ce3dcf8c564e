package training

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ModifyPlan says what a plan will cost or cancel, and keeps values known that will
// not change.
func (r *trainingResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	switch {
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

// planDestroy warns of what the destroy cancels.
func (r *trainingResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	t, diags := loadTraining(ctx, r, req.State, req.Private, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	t.hold()
	resp.Diagnostics.Append(t.leave(ctx, resp.Private)...)
	t.warnOfDestroy("", &resp.Diagnostics)
}

// warnOfDestroy says what becomes of a running job.
func (t *training) warnOfDestroy(instead string, diags *diag.Diagnostics) {
	switch {
	case !t.model.isRunning():
	case !t.isCancelled():
		diags.Append(t.leftWarning())
	default:
		diags.AddWarning("Destroying Cancels a Running Training",
			"The "+t.model.object()+" has not ended, as far as is known. Destroying it cancels it; whether the service gives credits back is not documented."+instead)
	}
}

// planCreate counts the purchase, refuses to train beside a running training, and
// warns of what else the apply may find. The CLI plans a replacement as a create too.
func (r *trainingResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	// Of an object that is replaced the core has kept the private state, with its name.
	t, diags := loadTraining(ctx, r, req.Plan, req.Private, nil)
	predecessor := t.holder
	if predecessor != "" {
		diags.Append(t.leave(ctx, resp.Private)...)
	}
	resp.Diagnostics.Append(diags...)
	r.Data.PlanPurchase(framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindTraining, Count: 1}, Object: r.kind.lora + " LoRA training of " + framework.NameOf(t.model.CharacterID),
	}, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || t.model.CharacterID.IsUnknown() || !r.Data.Known() {
		return
	}
	// Until what others make is there, it is no wonder that none can start.
	character := t.characterID()
	awaitsOthers := r.Data.Characters.IsMade(character, framework.Images) || r.kind.body && r.Data.Characters.IsMade(character, faceLoRA.typeName)
	r.Data.Characters.Makes(character, framework.LoRA)
	r.Data.Characters.Makes(character, r.kind.typeName)
	if req.Config.Raw.IsFullyKnown() && r.warnOfKilled(ctx, &t.model, &resp.Diagnostics) {
		return
	}
	status, err := r.Data.Client.TrainingStatusOnce(ctx, character)
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Check", Noun: r.kind.title + " Training", Object: fmt.Sprintf("character %q", character),
			Consequence: "The plan cannot tell whether a training can start. The apply reads again before it buys anything.",
		}.Warning(err))
		return
	}
	ofPredecessor := func(job string) bool { return predecessor != "" && r.Data.Trainings.Knows(t.holding(job), predecessor) }
	// In an apply the create decides, which reads again before it pays: the job may be one
	// that this apply has just started, and an error here would leave a predecessor deposed.
	// Terraform allows a deferral in applies alone; OpenTofu says nothing before the first.
	applying := r.Data.Applying() || req.ClientCapabilities.DeferralAllowed
	if job := r.kind.findRunning(status, ofPredecessor); job != "" && !applying {
		resp.Diagnostics.Append(t.runsAlready(job))
		return
	}
	if predecessor != "" {
		return // planUpdate has said the rest
	}
	if word := r.kind.status(status); word != nil && api.PhaseOfWord(*word) == api.Succeeded {
		resp.Diagnostics.AddWarning(r.kind.title+" Already Trained", fmt.Sprintf(
			"The %s LoRA of character %q is trained already (status %q). The apply trains it again, which costs credits; to manage the existing training instead, import it.",
			r.kind.lora, character, *word))
	}
	if canStart := r.kind.canStart(status); canStart != nil && !*canStart && !awaitsOthers {
		resp.Diagnostics.AddWarning(r.kind.title+" Training Cannot Start Yet", fmt.Sprintf(
			"The service says that no %s training of character %q can start now. %s\n\nIf that is still so when the apply gets there, it fails after %s and buys nothing.",
			r.kind.lora, character, describeStatus(status), framework.ShortDuration(startTimeout)))
	}
}

// warnOfKilled says what the purchase log has of this training, and reports whether the
// apply takes that over instead of starting one.
func (r *trainingResource) warnOfKilled(ctx context.Context, plan *trainingModel, diags *diag.Diagnostics) bool {
	killed, err := r.Data.Client.KilledTraining(ctx, r.kind.TrainingKind, plan.CharacterID.ValueString(), framework.TriggerTexts(plan.Triggers), false)
	if err != nil || killed == nil { // the purchase log's own warning says why
		return false
	}
	imported := framework.ImportID(plan.CharacterID.ValueString(), killed.JobID())
	diags.Append(framework.KilledPurchase(plan.object(), killed.Killed, framework.ImportBlock(framework.Quote(imported))))
	return killed.Elsewhere == ""
}

func (r *trainingResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	t, diags := loadTraining(ctx, r, req.State, req.Private, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	framework.RefuseOtherCharacter(ctx, req.Private, t.model.CharacterID, plan.CharacterID, t.model.object(), &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	t.hold()
	state := t.model
	sameTriggers := framework.SameTriggers(plan.Triggers, state.Triggers)
	if !plan.CharacterID.Equal(state.CharacterID) || !sameTriggers && !framework.TakesOver(ctx, req.Private, state.Triggers) {
		// It trains again. No plan can tell whether this training will be destroyed
		// before its replacement is created.
		resp.Diagnostics.Append(t.leave(ctx, resp.Private)...)
		instead := ""
		if plan.CharacterID.Equal(state.CharacterID) {
			instead = " Under create_before_destroy it is not cancelled first, and the replacement cannot start while it runs: wait, or remove create_before_destroy."
		}
		t.warnOfDestroy(instead, &resp.Diagnostics)
		return
	}
	t.refuseCancellation(&resp.Diagnostics)
	next := state.withConfigOf(&plan)
	if next.needsWait() {
		next = next.withUnknownOutcome()
		r.Data.Characters.Makes(t.characterID(), framework.LoRA)
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &next)...)
	if !sameTriggers {
		resp.Diagnostics.AddWarning("Triggers Taken Over After an Import", fmt.Sprintf(
			"The triggers of the imported %s are taken over from the configuration: nothing was trained with them, and nothing is trained now. "+
				"To train with them, which costs credits, apply with -replace=ADDRESS, with the address of this resource.", state.object()))
	}
	t.warnOfOutcome(framework.Imported(ctx, req.Private), &resp.Diagnostics)
}

// warnOfOutcome warns, in every plan, of a training that is not what was paid
// for. After an import triggers may only be taken over.
func (t *training) warnOfOutcome(imported bool, diags *diag.Diagnostics) {
	again := "Change triggers to train again, which costs credits again."
	if imported {
		again = "To train again, which costs credits again, apply with -replace=ADDRESS, with the address of this resource: other triggers are only taken over, since nothing was changed after its import."
	}
	switch {
	case framework.IsUnconfirmedID(t.model.ID):
		diags.Append(t.unconfirmedWarning(fmt.Sprintf("was sent at %s, and no answer has named its job", t.private.Sent.UTC().Format(time.RFC3339))))
	case !t.model.isRunning() && !t.model.Succeeded.ValueBool():
		diags.AddWarning(t.kind.title+" Training Failed", t.model.describeFailure()+" "+again)
	}
}

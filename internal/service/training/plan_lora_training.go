package training

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
)

// ModifyPlan says what a plan will cost, adopt or cancel, and keeps values
// known that will not change.
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

// countPurchase counts, for the limits on purchases, a training that the plan
// starts: the CLI plans a replacement as a create too. One that an apply may adopt
// counts as well: it may have ended by then.
func (r *trainingResource) countPurchase(plan *trainingModel, req resource.ModifyPlanRequest, diags *diag.Diagnostics) {
	r.Data.PlanPurchase(framework.PlannedPurchase{
		Purchase: api.Purchase{Kind: api.KindTraining, Count: 1}, Type: r.kind.typeName, Config: req.Config.Raw,
		Object: r.kind.lora + " LoRA training of " + framework.NameOf(plan.CharacterID),
	}, diags)
}

// planDestroy warns of what the destroy cancels. An apply plans that of a
// predecessor again.
func (r *trainingResource) planDestroy(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	t, diags := loadTraining(ctx, r, req.State, req.Private, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	r.Data.Trainings.Leave(t.holder)
	t.planShared(ctx, resp)
	t.warnOfCancelling("", &resp.Diagnostics)
}

// planShared holds the job, and marks the training in its planned private state
// if others hold the job too. Only a refresh removes the mark. What the destroy
// of a predecessor is given is the refresh's alone.
func (t *training) planShared(ctx context.Context, resp *resource.ModifyPlanResponse) (others []string) {
	if others = t.hold(); len(others) > 0 {
		t.private.Shared = others
		resp.Diagnostics.Append(framework.StorePrivateState(ctx, resp.Private, &t.private)...)
	}
	if t.model.isRunning() && (len(t.private.Shared) > 0 || t.data.Jobs.IsClaimed(t.characterID(), t.jobID(), framework.ByPlan)) {
		resp.Diagnostics.AddWarning("Running Training of Another Resource", fmt.Sprintf(
			"The %s training %q of character %q belongs to another object too: a second resource, or what a replacement under create_before_destroy left behind. "+
				"The destroy of one leaves it to the other; the destroy of the last one cancels it. "+
				"They see each other in a refresh: with -refresh=false, -target or -parallelism=1, in another state or under another alias of the provider, the destroy of one may cancel it.",
			t.kind.lora, t.jobID(), t.characterID()))
	}
	return others
}

func (t *training) warnOfCancelling(instead string, diags *diag.Diagnostics) {
	switch object := t.model.object(); {
	case framework.IsUnknownID(t.model.ID):
		diags.AddWarning("Destroying a Training of Unknown Outcome",
			"The start of "+object+" was never answered, and no refresh has found a job that is surely it. It is forgotten and nothing is cancelled: a training may go on.")
	case t.model.isRunning() && len(t.private.Shared) == 0:
		diags.AddWarning("Destroying Cancels a Running Training",
			"The "+object+" has not ended, as far as is known. Destroying it cancels it, unless another resource is found to hold it; whether the service gives credits back is not documented."+instead)
	}
}

// planCreate warns of what the apply may find, and bases no plan on it: the
// service can change until then, and an apply must do as planned.
func (r *trainingResource) planCreate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	r.countPurchase(&plan, req, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || plan.CharacterID.IsUnknown() || !r.Data.Known() {
		return
	}
	// Until what others make is there, it is no wonder that none can start.
	character := plan.CharacterID.ValueString()
	awaitsOthers := r.Data.Characters.IsMade(character, framework.Images) || r.kind.body && r.Data.Characters.IsMade(character, faceLoRA.typeName)
	r.Data.Characters.Makes(character, framework.LoRA)
	r.Data.Characters.Makes(character, r.kind.typeName)
	var predecessor *privateState
	resp.Diagnostics.Append(framework.LoadPrivateState(ctx, req.Private, &predecessor)...)
	if predecessor != nil {
		r.Data.Trainings.Leave(framework.HolderName(ctx, req.Private, nil, &resp.Diagnostics))
		return // a replacement buys; the running job is its predecessor's
	}
	status, err := r.Data.Client.TrainingStatusOnce(ctx, character)
	if err != nil {
		resp.Diagnostics.Append(framework.Failure{
			Verb: "Check", Noun: r.kind.title + " Training", Object: fmt.Sprintf("character %q", character),
			Consequence: "The plan cannot tell whether a training can start. The apply reads again before it buys anything.",
		}.Warning(err))
		return
	}
	if r.warnOfRunning(character, status, &resp.Diagnostics) {
		return
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

// warnOfRunning says what becomes of a running training, if there is one.
func (r *trainingResource) warnOfRunning(character string, status *api.TrainingStatus, diags *diag.Diagnostics) bool {
	claimed := func(id string) bool { return r.Data.Jobs.IsClaimed(character, id, framework.ByAnyone) }
	notInState := func(id string) bool { return !r.Data.Jobs.IsClaimed(character, id, framework.ByState) }
	const after = "If it has ended by then, a new training is started, which costs credits"
	if job := r.kind.findRunning(status, claimed); job != "" {
		r.Data.Jobs.Claim(character, job, framework.ByPlan)
		diags.AddWarning("Running Training Will Be Adopted", fmt.Sprintf(
			"The %[4]s training %[1]q of character %[2]q runs already. If it still runs when the apply gets there, it is adopted: nothing is bought, and the triggers of this resource train nothing. "+
				after+", unless training %[1]q is imported before, by an import block or with\n\n  terraform import <address> %[3]q", job, character, importID(character, job), r.kind.lora))
		return true
	}
	if job := r.kind.findRunning(status, notInState); job != "" {
		diags.AddWarning("Running Training of Another Resource", fmt.Sprintf(
			"The %s training %q of character %q runs already, and is in the state. If it still runs when the apply gets there, both resources hold it: "+
				"nothing is bought, the triggers of this one train nothing, and the destroy of the last of them cancels it. "+after+".", r.kind.lora, job, character))
		return true
	}
	return false
}

func (r *trainingResource) planUpdate(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	var plan trainingModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	t, diags := loadTraining(ctx, r, req.State, req.Private, nil)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	state, others := t.model, t.planShared(ctx, resp)
	sameTriggers := framework.SameTriggers(plan.Triggers, state.Triggers)
	if !plan.CharacterID.Equal(state.CharacterID) || !sameTriggers && !framework.TakesOver(ctx, req.Private, state.Triggers) {
		// It trains again. No plan can tell whether this training will be destroyed
		// before its replacement is created.
		instead := ""
		if plan.CharacterID.Equal(state.CharacterID) {
			instead = " Under create_before_destroy the replacement takes it over instead: nothing is bought then, and the new triggers train nothing."
		}
		t.warnOfCancelling(instead, &resp.Diagnostics)
		return
	}
	next := state.withConfigOf(&plan)
	switch {
	case next.needsWait():
		next = next.withUnknownOutcome()
		r.Data.Characters.Makes(t.characterID(), framework.LoRA)
	case r.Data.Trainings.AnyLeaves(others):
		// An update, which buys and sends nothing: an apply plans it again, and so
		// knows who holds the job, before it destroys a predecessor.
		next.Status = types.StringUnknown()
	}
	resp.Diagnostics.Append(resp.Plan.Set(ctx, &next)...)
	if !sameTriggers {
		resp.Diagnostics.AddWarning("Triggers Taken Over After an Import", fmt.Sprintf(
			"The triggers of the imported %s are taken over from the configuration: nothing was trained with them, and nothing is trained now. "+
				"To train with them, which costs credits, apply with -replace=ADDRESS, with the address of this resource.", state.object()))
	}
	r.kind.warnOfOutcome(&state, framework.Imported(ctx, req.Private), &resp.Diagnostics)
}

// warnOfOutcome warns, in every plan, of a training that is not what was paid
// for. After an import triggers may only be taken over.
func (k kind) warnOfOutcome(state *trainingModel, imported bool, diags *diag.Diagnostics) {
	again := "Change triggers to train again, which costs credits again."
	if imported {
		again = "To train again, which costs credits again, apply with -replace=ADDRESS, with the address of this resource: other triggers are only taken over, since nothing was changed after its import."
	}
	switch {
	case framework.IsUnknownID(state.ID):
		diags.AddWarning("Outcome of "+k.title+" Training Unknown",
			"The start of "+state.object()+" was never answered, and no job of its time has been found that is surely it. Every refresh looks again; change triggers to train again, which may cost credits a second time.")
	case !state.isRunning() && !state.Succeeded.ValueBool():
		diags.AddWarning(k.title+" Training Failed", state.describeFailure()+" "+again)
	}
}

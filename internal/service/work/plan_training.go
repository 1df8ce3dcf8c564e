package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan says what a plan will buy or end, and keeps values known that will
// not change.
func (r *trainingResource) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	switch {
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
	case req.Plan.Raw.IsNull():
		r.planDestroy(ctx, req, resp)
	default:
		r.planUpdate(ctx, req, resp)
	}
}

// planCreate counts the purchase, and says what the apply may find, or another
// run has bought. The CLI plans a replacement too, with its predecessor's
// private state, and drops its warnings.
func (r *trainingResource) planCreate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	t := r.kind.load(ctx, r.Data, req.Plan, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	diags.Append(t.planDestroy(ctx, resp.Private)...)
	diags.Append(t.startIsInferred()...)
	order := t.order()
	purchase := run.PlannedPurchase{Purchase: order.Purchase, Object: t.object()}
	mayAsk := r.Data.PlanCreate(ctx, req, resp, purchase)
	if !mayAsk || diags.HasError() || t.model.CharacterID.IsUnknown() {
		return
	}
	r.Data.Characters.NoteMade(t.characterID(), run.LoRA)
	r.Data.Characters.NoteMade(t.characterID(), t.kind.typeName)
	if run.KnowsOrder(req.Config) {
		r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: order.Entry, Describe: t.guarded}, diags)
	}
	t.checkStart(ctx, func() bool { return r.Data.PlansInApply(req) }, diags)
}

// planUpdate shows a wait that goes on, or says what a replacement buys and
// ends.
func (r *trainingResource) planUpdate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	t := r.kind.load(ctx, r.Data, req.State, req.Private, nil, diags)
	next := r.kind.load(ctx, r.Data, framework.Configured(req.Plan, req.State.Raw), req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	imported := privatestate.Imported(ctx, req.Private)
	isKnown := run.KnowsOrder(req.Config)
	order := t.order()
	if imported && isKnown {
		order = next.order()
	}
	r.Data.StoredAtPlan(ctx, req, t.model.Holding(order.Entry), t.guarded, diags)
	before := t.model.CharacterID
	after := next.model.CharacterID
	framework.RefuseOtherCharacter(ctx, req.Private, before, after, t.object(), diags)
	if diags.HasError() {
		return
	}
	replaces, takesOver := framework.InputChanges(ctx, req, []string{"triggers"}, diags)
	if replaces || !after.Equal(before) {
		diags.Append(t.planDestroy(ctx, resp.Private)...)
		t.warnOfReplacement(after.Equal(before), diags)
		if isKnown {
			r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: next.order().Entry, Describe: t.guarded}, diags)
		}
		diags.Append(t.startIsInferred()...)
		return
	}
	r.Data.WarnOfUnclaimed(ctx, req, func() *purchases.Entry { return t.order().Entry }, t.guarded, diags)
	next.planUpdate(imported, takesOver, diags)
	diags.Append(resp.Plan.Set(ctx, &next.model)...)
}

// planDestroy says whether the destroy cancels the training.
func (r *trainingResource) planDestroy(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	t := r.kind.load(ctx, r.Data, req.State, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	r.Data.StoredAtPlan(ctx, req, t.model.Holding(t.order().Entry), t.guarded, diags)
	diags.Append(t.planDestroy(ctx, resp.Private)...)
	r.Data.Characters.Note(t.characterID(), t.object())
	t.warnOfDestroy(diags)
}

// warnOfReplacement says what a replacement buys, and what becomes of the job.
func (t *training) warnOfReplacement(sameCharacter bool, diags *diag.Diagnostics) {
	switch {
	case !t.model.isRunning():
		diags.Append(t.isTrainedAgain())
	case !t.isCancelled():
		diags.Append(t.isNotCancelled(buysAnother))
	default:
		diags.Append(t.isCancelledByReplacement(sameCharacter))
	}
}

// warnOfDestroy says whether a destroy cancels a running training, and if not,
// why.
func (t *training) warnOfDestroy(diags *diag.Diagnostics) {
	switch {
	case !t.model.isRunning():
	case !t.isCancelled():
		diags.Append(t.isNotCancelled(""))
	default:
		diags.Append(t.isCancelledByDestroy())
	}
}

// checkStart refuses to train beside a running training. In an apply the create
// decides, which reads again before it pays: the job may be one that this apply
// has just started, and an error here would leave a predecessor deposed.
func (t *training) checkStart(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	character := t.characterID()
	status, err := t.data.Client.Trainings.StatusOnce(ctx, character)
	if reply.IsNotFound(err) && !applying() {
		t.data.RefuseUnknown(ctx, character, "The "+t.object()+" is bought", diags)
	}
	if diags.HasError() {
		return
	}
	if err != nil {
		diags.Append(t.startIsUnchecked(err))
		return
	}
	ofPredecessor := func(job string) bool {
		return t.holder != "" && t.data.Trainings.HasHeld(t.holding(job), t.holder)
	}
	if job := t.kind.findRunning(status, ofPredecessor); job != "" && !applying() {
		diags.Append(t.runsAlready(job))
		return
	}
	if t.holder != "" {
		return // the plan of the replacement has said the rest
	}
	if word := t.kind.status(status); word != nil && api.PhaseOfWord(*word) == api.Succeeded {
		diags.Append(t.wasTrained(*word))
	}
	if t.cannotStart(status) {
		diags.Append(t.cannotStartYet(status))
	}
}

// cannotStart reports whether the service says so, and nothing that is planned
// makes what the training needs.
func (t *training) cannotStart(status *api.TrainingStatus) bool {
	canStart := t.kind.canStart(status)
	if canStart == nil || *canStart {
		return false
	}
	character := t.characterID()
	awaitsImages := t.data.Characters.IsMade(character, run.Images)
	awaitsFace := t.kind.body && t.data.Characters.IsMade(character, faceLoRA.typeName)
	return !awaitsImages && !awaitsFace
}

// planUpdate warns, in every plan, of a training that is not what was paid for.
func (t *training) planUpdate(imported, takesOver bool, diags *diag.Diagnostics) {
	t.refuseCancellation(diags)
	if takesOver {
		diags.Append(
			framework.TakenOverAfterImport("triggers", t.object(), "trained", "train with them, which costs credits"),
		)
	}
	switch {
	case run.IsUnconfirmedID(t.model.ID):
		diags.Append(t.isUnconfirmed())
	case !t.model.isRunning() && !t.model.Succeeded.ValueBool() && imported:
		diags.Append(t.importHasFailed())
	case !t.model.isRunning() && !t.model.Succeeded.ValueBool():
		diags.Append(t.hasFailed("triggers"))
	case t.needsWait():
		t.model.planOutcome()
		t.data.Characters.NoteMade(t.characterID(), run.LoRA)
	}
}

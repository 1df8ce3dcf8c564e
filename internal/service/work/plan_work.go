package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan says what a plan will buy, end or forget, and keeps values known
// that will not change.
func (r *workResource[W]) ModifyPlan(
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
func (r *workResource[W]) planCreate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.kind.load(ctx, r.Data, req.Plan, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	p.planEnd(ctx, resp.Private, diags)
	diags.Append(p.startIsInferred()...)
	order := p.order()
	mayAsk := r.Data.PlanCreate(ctx, req, resp, run.PlannedPurchase{Purchase: order.Purchase, Object: p.object()})
	if !mayAsk || diags.HasError() || p.CharacterID.IsUnknown() {
		return
	}
	r.kind.note(p.own, diags)
	if run.KnowsOrder(req.Config) {
		r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: order.Entry, Describe: p.guarded}, diags)
	}
	p.checkStart(ctx, func() bool { return r.Data.CommandOf(req).PlansInApply() }, diags)
}

// planUpdate shows a wait that goes on, or says what a replacement buys, and
// ends or forgets.
func (r *workResource[W]) planUpdate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.kind.load(ctx, r.Data, req.State, req.Private, nil, diags)
	next := r.kind.load(ctx, r.Data, framework.Configured(req.Plan, req.State.Raw), req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	imported := privatestate.Imported(ctx, req.Private)
	isKnown := run.KnowsOrder(req.Config)
	order := p.order()
	if imported && isKnown {
		order = next.order()
	}
	r.Data.StoredAtPlan(ctx, req, p.Holding(order.Entry), p.guarded, diags)
	framework.RefuseOtherCharacter(ctx, req.Private, p.CharacterID, next.CharacterID, p.object(), diags)
	if diags.HasError() {
		return
	}
	replaces, takesOver := framework.InputChanges(ctx, req, r.kind.inputs, diags)
	sameCharacter := next.CharacterID.Equal(p.CharacterID)
	if replaces || !sameCharacter {
		p.planEnd(ctx, resp.Private, diags)
		diags.Append(r.kind.isReplaced(p.own, sameCharacter))
		if isKnown {
			r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: next.order().Entry, Describe: p.guarded}, diags)
		}
		diags.Append(p.startIsInferred()...)
		return
	}
	r.Data.WarnOfUnclaimed(ctx, req, func() *purchases.Entry { return p.order().Entry }, p.guarded, diags)
	next.planInPlace(imported, takesOver, diags)
	diags.Append(resp.Plan.Set(ctx, next.model)...)
}

// planDestroy says what becomes of the work.
func (r *workResource[W]) planDestroy(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.kind.load(ctx, r.Data, req.State, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	r.Data.StoredAtPlan(ctx, req, p.Holding(p.order().Entry), p.guarded, diags)
	p.planEnd(ctx, resp.Private, diags)
	r.Data.Characters.Note(p.characterID(), p.object())
	r.kind.warnOfDestroy(p.own, diags)
}

// planEnd records that the plan destroys the work, where another object may hold
// its job.
func (p *piece[W]) planEnd(ctx context.Context, private privatestate.Writer, diags *diag.Diagnostics) {
	if p.kind.cancel != nil {
		diags.Append(p.kind.planDestroy(p.own, ctx, private)...)
	}
}

// checkStart says what stands in the way of a start. In an apply the create
// decides, which reads again before it pays: what runs may be what this apply
// has just started, and an error here would leave a predecessor deposed.
func (p *piece[W]) checkStart(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	said, err := p.kind.checkStart(p.own, ctx, applying)
	if reply.IsNotFound(err) && !applying() {
		p.data.RefuseUnknown(ctx, p.characterID(), "The "+p.object()+" is bought", diags)
	}
	if !diags.HasError() {
		diags.Append(said...)
	}
}

// planInPlace warns, in every plan, of work that is not what was paid for, says
// what is taken over after an import, and plans a wait that goes on.
func (p *piece[W]) planInPlace(imported, takesOver bool, diags *diag.Diagnostics) {
	if p.kind.cancel != nil {
		p.kind.refuseCancellation(p.own, diags)
	}
	if takesOver {
		diags.Append(p.isTakenOver())
	}
	switch p.kind.phase(p.own) {
	case phaseUnconfirmed:
		diags.Append(p.kind.isUnconfirmed(p.own))
	case phaseFailed:
		diags.Append(p.kind.hasFailed(p.own, imported))
	case phaseRunning:
		if p.needsWait() {
			p.kind.resume(p.own)
		}
	case phaseSucceeded:
	}
}

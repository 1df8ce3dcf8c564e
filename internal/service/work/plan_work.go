package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan says what a plan will buy, end or forget. Values that will not
// change stay known.
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
		r.planContinuation(ctx, req, resp)
	}
}

// planCreate counts the purchase. It warns of obstacles that the apply may
// find, and of work that another run has bought. The CLI calls it for a
// replacement too, with the predecessor's private state, and drops its warnings
// then.
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
	mayAsk := r.Data.PlanCreate(ctx, req, resp, purchases.PlannedPurchase{Purchase: order.Purchase, Object: p.object()})
	if !mayAsk || diags.HasError() || p.CharacterID.IsUnknown() {
		return
	}
	r.kind.note(p.own, diags)
	if purchases.KnowsOrder(req.Config) {
		r.Data.WarnOfGuarded(ctx, req, purchases.Wanted{Order: order.Entry, Describe: p.guarded}, diags)
	}
	p.checkStart(ctx, func() bool { return r.Data.CommandOf(req).PlansInApply() }, diags)
}

// planContinuation plans the continuation of a wait, or says what a replacement buys,
// and ends or forgets.
func (r *workResource[W]) planContinuation(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	p := r.kind.load(ctx, r.Data, req.State, req.Private, nil, diags)
	next := r.kind.load(ctx, r.Data, run.Configured(req.Plan, req.State.Raw), req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	imported := framework.Imported(ctx, req.Private)
	isKnown := purchases.KnowsOrder(req.Config)
	order := p.order()
	if imported && isKnown {
		order = next.order()
	}
	r.Data.StoredAtPlan(ctx, req, p.Holding(order.Entry), p.guarded, diags)
	run.RefuseOtherCharacter(ctx, req.Private, p.CharacterID, next.CharacterID, p.object(), diags)
	if diags.HasError() {
		return
	}
	replaces, takesOver := inputChanges(ctx, req, r.kind.inputs, diags)
	sameCharacter := next.CharacterID.Equal(p.CharacterID)
	if replaces || !sameCharacter {
		p.planEnd(ctx, resp.Private, diags)
		diags.Append(r.kind.isReplaced(p.own, sameCharacter))
		if isKnown {
			r.Data.WarnOfGuarded(ctx, req, purchases.Wanted{Order: next.order().Entry, Describe: p.guarded}, diags)
		}
		diags.Append(p.startIsInferred()...)
		return
	}
	r.Data.WarnOfUnclaimed(ctx, req, func() *purchases.Entry { return p.order().Entry }, p.guarded, diags)
	next.planInPlace(imported, takesOver, diags)
	diags.Append(resp.Plan.Set(ctx, next.model)...)
}

// planDestroy says what happens to the work.
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

// planEnd records that the plan destroys the work. Only work whose job another
// object may hold is recorded.
func (p *piece[W]) planEnd(ctx context.Context, private framework.PrivateWriter, diags *diag.Diagnostics) {
	if p.kind.cancel != nil {
		diags.Append(p.kind.planDestroy(p.own, ctx, private)...)
	}
}

// checkStart reports obstacles to a start. In an apply the create decides,
// because it reads the status again before it pays. There, a running job may be
// one that this apply has just started, and an error would leave a predecessor
// deposed.
func (p *piece[W]) checkStart(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	said, err := p.kind.checkStart(p.own, ctx, applying)
	if reply.IsNotFound(err) && !applying() {
		p.data.RefuseUnknown(ctx, p.characterID(), "The "+p.object()+" is bought", diags)
	}
	if !diags.HasError() {
		diags.Append(said...)
	}
}

// planInPlace plans an update without a purchase. In every plan it warns of
// work that is not as paid for. It also says what is taken over after an
// import, and plans the continuation of a wait.
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

// InputChanges reports whether one of the inputs begins other work, and whether
// an import could not read one, which is then only taken over.
func inputChanges(
	ctx context.Context, req resource.ModifyPlanRequest, inputs []string, diags *diag.Diagnostics,
) (replaces, takesOver bool) {
	imported := framework.Imported(ctx, req.Private)
	for _, name := range inputs {
		var before, after attr.Value
		diags.Append(req.State.GetAttribute(ctx, path.Root(name), &before)...)
		diags.Append(req.Plan.GetAttribute(ctx, path.Root(name), &after)...)
		switch {
		case diags.HasError() || framework.IsSame(before, after):
		case before.IsNull() && imported:
			takesOver = true
		default:
			replaces = true
		}
	}
	return replaces, takesOver
}

package work

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/mediagen/terraform-provider-mediagen/internal/framework"
	"github.com/mediagen/terraform-provider-mediagen/internal/privatestate"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
	"github.com/mediagen/terraform-provider-mediagen/internal/run"
)

// ModifyPlan says what a plan will buy or forget, and keeps values known that
// will not change.
func (r *datasetResource) ModifyPlan(
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
// run has bought.
func (r *datasetResource) planCreate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	d := loadDataset(ctx, r.Data, req.Plan, req.Private, diags)
	if diags.HasError() {
		return
	}
	order := d.order()
	purchase := run.PlannedPurchase{Purchase: order.Purchase, Object: d.object()}
	mayAsk := r.Data.PlanCreate(ctx, req, resp, purchase)
	if !mayAsk || diags.HasError() || d.model.CharacterID.IsUnknown() {
		return
	}
	d.notePlan(diags)
	if run.KnowsOrder(req.Config) {
		r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: order.Entry, Describe: d.guarded}, diags)
	}
	d.checkStart(ctx, func() bool { return r.Data.PlansInApply(req) }, diags)
}

// planUpdate shows a wait that goes on, or says what a replacement buys and
// forgets.
func (r *datasetResource) planUpdate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	d := loadDataset(ctx, r.Data, req.State, req.Private, diags)
	next := loadDataset(ctx, r.Data, framework.Configured(req.Plan, req.State.Raw), req.Private, diags)
	if diags.HasError() {
		return
	}
	imported := privatestate.Imported(ctx, req.Private)
	isKnown := run.KnowsOrder(req.Config)
	order := d.order()
	if imported && isKnown {
		order = next.order()
	}
	r.Data.StoredAtPlan(ctx, req, d.model.Holding(order.Entry), d.guarded, diags)
	before := d.model.CharacterID
	after := next.model.CharacterID
	framework.RefuseOtherCharacter(ctx, req.Private, before, after, d.object(), diags)
	if diags.HasError() {
		return
	}
	inputs := []string{"prompts", "use_default_prompts", "triggers"}
	replaces, takesOver := framework.InputChanges(ctx, req, inputs, diags)
	if replaces || !after.Equal(before) {
		if after.Equal(before) {
			diags.Append(d.existsAlready())
		} else {
			diags.Append(d.isReplacedByAnother())
		}
		if isKnown {
			r.Data.WarnOfGuarded(ctx, req, run.Wanted{Order: next.order().Entry, Describe: d.guarded}, diags)
		}
		return
	}
	r.Data.WarnOfUnclaimed(ctx, req, func() *purchases.Entry { return d.order().Entry }, d.guarded, diags)
	next.planUpdate(takesOver, diags)
	diags.Append(resp.Plan.Set(ctx, &next.model)...)
}

// planDestroy says that a destroy only forgets the dataset.
func (r *datasetResource) planDestroy(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	d := loadDataset(ctx, r.Data, req.State, req.Private, diags)
	if diags.HasError() {
		return
	}
	r.Data.StoredAtPlan(ctx, req, d.model.Holding(d.order().Entry), d.guarded, diags)
	r.Data.Characters.Note(d.characterID(), d.object())
	r.Data.Forgets("Datasets", datasetsStay, diags)
}

// notePlan notes that the plan makes the dataset of a character, and warns
// where another resource does so too: an apply generates one.
func (d *dataset) notePlan(diags *diag.Diagnostics) {
	if d.data.Characters.IsMade(d.characterID(), run.Dataset) {
		diags.Append(d.isPlannedTwice())
	}
	d.data.Characters.NoteMade(d.characterID(), run.Dataset)
}

// checkStart refuses a dataset while another is being generated. In an apply
// the create decides: the other may be one that this apply has started.
func (d *dataset) checkStart(ctx context.Context, applying func() bool, diags *diag.Diagnostics) {
	status, err := d.data.Client.Datasets.Status(ctx, d.characterID())
	if reply.IsNotFound(err) && !applying() {
		d.data.RefuseUnknown(ctx, d.characterID(), "The "+d.object()+" is bought", diags)
	}
	if diags.HasError() {
		return
	}
	if err != nil {
		diags.Append(d.startIsUnchecked(err))
		return
	}
	d.model.statusFromAPI(status)
	switch {
	case status.IsRunning() && applying():
	case status.IsRunning():
		diags.Append(d.runsAlready())
	case d.model.TotalImages.ValueInt64() > 0:
		diags.Append(d.existsAlready())
	}
}

// planUpdate says what is unconfirmed, has failed or is taken over after an
// import, and plans a wait that goes on.
func (d *dataset) planUpdate(takesOver bool, diags *diag.Diagnostics) {
	if takesOver {
		diags.Append(
			framework.TakenOverAfterImport(
				"prompts and triggers",
				d.object(),
				"generated",
				"generate with them, which may cost credits",
			),
		)
	}
	switch {
	case !d.private.Lost.IsZero():
		diags.Append(d.isUnconfirmed())
	case d.hasFailed():
		diags.Append(d.failed())
	case d.needsWait():
		d.model.Status = types.StringUnknown()
		d.model.TotalImages = types.Int64Unknown()
		d.model.MinRequired = types.Int64Unknown()
		d.model.MaxAllowed = types.Int64Unknown()
	}
}

package framework

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/mediagen/terraform-provider-mediagen/internal/api"
	"github.com/mediagen/terraform-provider-mediagen/internal/purchases"
	"github.com/mediagen/terraform-provider-mediagen/internal/reply"
)

// Work is a training or a dataset during one operation of its resource.
type Work interface {
	// Parts are its model and its private state, and Common is what every model
	// has.
	Parts() (model, private any)
	Common() *WorkModel
	// Object names it in messages, and Summary is that of a warning of it.
	Object() string
	Summary(what string) string

	// Order is what starts it. Prepare checks it at the last moment, NotStarted
	// says why it failed.
	Order() api.WorkOrder
	Prepare(ctx context.Context) diag.Diagnostics
	NotStarted(verb, noun string, err error) diag.Diagnostic
	// Record records the receipt of a start, or that it is unconfirmed.
	Record(ctx context.Context, receipt *api.Receipt, err error, sent time.Time) diag.Diagnostics
	// NeedsWait reports whether an apply has to wait for it, as far as a plan
	// can know.
	NeedsWait() bool
	AwaitEnd(ctx context.Context) diag.Diagnostics
	// Refresh reads it once, and takes over what that shows unless it is gone.
	Refresh(ctx context.Context, imported bool, diags *diag.Diagnostics) (api.Existence, error)

	// Announce tells other plans what it will make.
	Announce(diags *diag.Diagnostics)
	// PlanCreate says what the apply may find. Once applying, the create decides.
	PlanCreate(ctx context.Context, applying func() bool, diags *diag.Diagnostics)
	// PlanUpdate says what is to be known of it, and what is taken over after
	// an import; and that its end will be known, if it is waited for.
	PlanUpdate(imported, takesOver bool, diags *diag.Diagnostics)
	// Leave records that the plan destroys it, or what has become its
	// predecessor.
	Leave(ctx context.Context, private PrivateWriter) diag.Diagnostics
	PlanReplacement(sameCharacter bool, diags *diag.Diagnostics)
	PlanDestroy(diags *diag.Diagnostics)
}

// WorkResource is embedded by the resources of work.
type WorkResource[W Work] struct {
	Identified
	Verb, Noun string   // what a create does, as in Failure
	Inferred   string   // says that the service does not document the start; empty if it does
	Makes      string   // what it makes for its character, one at a time
	Timeouts   Timeouts // of its operations
	Inputs     []string // the attributes of which another value begins other work
	// Load decodes a plan or a state, and private state.
	Load func(
		ctx context.Context,
		data *ProviderData,
		from Getter,
		private PrivateReader,
		to PrivateWriter,
		diags *diag.Diagnostics,
	) W
}

// Create starts the work, which is paid for, and waits for its end. Once it may
// be paid for, nothing is an error: that would have it destroyed and bought
// again.
func (r *WorkResource[W]) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	ctx, end := r.Data.Purchasing(ctx, resp.Private, &resp.Diagnostics)
	defer end()
	w := r.Load(ctx, r.Data, withConfigOf(req.Plan, tftypes.Value{}), nil, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	unlock, err := r.Data.Characters.LockCreate(ctx, w.Common().CharacterID.ValueString(), r.Makes)
	if err != nil {
		resp.Diagnostics.Append(w.NotStarted(r.Verb, r.Noun, err))
		return
	}
	defer unlock()
	w.Common().Tally = r.Data.Tally(Tally{}, w.Order().Purchase)
	limited := r.Timeouts.Limit(ctx, r.Data.Clock, w.Common().Timeouts, "create")
	resp.Diagnostics.Append(r.start(limited, w)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(w.AwaitEnd(limited)...)
	model, private := w.Parts()
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
}

// start sends one request, unless another run has sent it and no state is known
// to have that. Only an error says that nothing was bought, as far as the
// service says.
func (r *WorkResource[W]) start(ctx context.Context, w W) (diags diag.Diagnostics) {
	order := w.Order()
	if found := r.Data.Client.PurchaseLog().Find(order.Entry); len(found) > 0 {
		return diag.Diagnostics{guardedWork(w, found).Error()}
	}
	diags.Append(w.Prepare(ctx)...)
	if diags.HasError() {
		return diags
	}
	sent := r.Data.Clock.Now()
	receipt, err := r.Data.Client.StartWork(ctx, order)
	bought, isBought := errors.AsType[*purchases.BoughtError](err)
	switch {
	case isBought:
		return append(diags, guardedWork(w, bought.Found).Error())
	case err != nil && !reply.IsEffectUnknown(err):
		return append(diags, w.NotStarted(r.Verb, r.Noun, err))
	default:
		return append(diags, w.Record(ctx, receipt, err, sent)...)
	}
}

// guardedWork names the job to a person, who has to find it if no reply has
// named it.
func guardedWork(w Work, found []purchases.Bought) Guarded {
	job := cmp.Or(found[len(found)-1].JobID, "JOB_ID")
	return Guarded{
		Object:  w.Object(),
		Found:   found,
		Import:  ImportBlock(Quote(ImportID(w.Common().CharacterID.ValueString(), job))),
		Again:   "triggers",
		Summary: w.Summary,
	}
}

// holdingOf is what a state has of the purchase of work.
func holdingOf(w Work) purchases.Holding {
	return purchases.Holding{
		CharacterID: w.Common().CharacterID.ValueString(),
		JobID:       w.Common().ID.ValueString(),
	}
}

// Forget tells the purchase log that a destroy has given up the work.
func (r *WorkResource[W]) Forget(ctx context.Context, private PrivateReader, w W) {
	r.Data.Forgotten(ctx, private, holdingOf(w))
}

// Read refreshes the work, and removes from the state what is gone.
func (r *WorkResource[W]) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	w := r.Load(ctx, r.Data, req.State, req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	r.Data.Stored(ctx, req.Private, holdingOf(w))
	existence, err := w.Refresh(ctx, Imported(ctx, req.Private), &resp.Diagnostics)
	model, private := w.Parts()
	switch {
	case err != nil:
		resp.Diagnostics.Append(Failure{
			Verb:        "Read",
			Noun:        r.Noun,
			Object:      w.Object(),
			NotFound:    path.Root("character_id"),
			Consequence: Unchanged,
		}.Error(err))
	case existence == api.Gone:
		r.Drop(ctx, resp, model)
	case !resp.Diagnostics.HasError():
		r.Data.Characters.Note(w.Common().CharacterID.ValueString(), w.Object())
		resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
	}
}

// Update stores what the plan configures, and resumes a wait. It buys nothing.
func (r *WorkResource[W]) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	w := r.Load(ctx, r.Data, withConfigOf(req.Plan, req.State.Raw), req.Private, resp.Private, &resp.Diagnostics)
	if resp.Diagnostics.HasError() || w.NeedsWait() && !r.Data.Ready(&resp.Diagnostics) {
		return
	}
	resp.Diagnostics.Append(w.AwaitEnd(r.Timeouts.Limit(ctx, r.Data.Clock, w.Common().Timeouts, "update"))...)
	model, private := w.Parts()
	resp.Diagnostics.Append(r.Store(ctx, &resp.State, resp.Identity, resp.Private, model, private)...)
	EndImport(ctx, resp.Private, &resp.Diagnostics)
}

// ModifyPlan says what a plan will cost or end, and keeps values known that
// will not change.
func (r *WorkResource[W]) ModifyPlan(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	switch {
	case req.State.Raw.IsNull():
		r.planCreate(ctx, req, resp)
		return
	case !req.Plan.Raw.IsNull():
		r.planUpdate(ctx, req, resp)
		return
	}
	w := r.Load(ctx, r.Data, req.State, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	r.Data.Stored(ctx, req.Private, holdingOf(w))
	diags.Append(w.Leave(ctx, resp.Private)...)
	r.Data.Characters.Note(w.Common().CharacterID.ValueString(), w.Object())
	w.PlanDestroy(diags)
}

// planCreate counts the purchase, and says what the apply may find, or another
// run has bought. The CLI plans a replacement too, with its predecessor's
// private state, and drops its warnings.
func (r *WorkResource[W]) planCreate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	w := r.Load(ctx, r.Data, req.Plan, req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	diags.Append(w.Leave(ctx, resp.Private)...)
	r.warnOfStart(diags)
	order := w.Order()
	character := w.Common().CharacterID
	right := r.Data.PlanCreate(ctx, req, resp, PlannedPurchase{Purchase: order.Purchase, Object: w.Object()})
	if !right || diags.HasError() || character.IsUnknown() {
		return
	}
	w.Announce(diags)
	if req.Config.Raw.IsFullyKnown() {
		if found := r.Data.Client.PurchaseLog().Find(order.Entry); len(found) > 0 {
			diags.Append(guardedWork(w, found).Warning())
		}
	}
	w.PlanCreate(ctx, func() bool { return r.Data.applies(req) }, diags)
}

func (r *WorkResource[W]) warnOfStart(diags *diag.Diagnostics) {
	if r.Inferred != "" {
		diags.AddWarning(r.Noun+" Has an Inferred Start", r.Inferred)
	}
}

func (r *WorkResource[W]) planUpdate(
	ctx context.Context,
	req resource.ModifyPlanRequest,
	resp *resource.ModifyPlanResponse,
) {
	diags := &resp.Diagnostics
	w := r.Load(ctx, r.Data, req.State, req.Private, nil, diags)
	next := r.Load(ctx, r.Data, withConfigOf(req.Plan, req.State.Raw), req.Private, nil, diags)
	if diags.HasError() {
		return
	}
	imported := Imported(ctx, req.Private)
	has := holdingOf(w)
	if imported && req.Config.Raw.IsFullyKnown() {
		has.Import = next.Order().Entry
	}
	r.Data.Stored(ctx, req.Private, has)
	before := w.Common().CharacterID
	after := next.Common().CharacterID
	RefuseOtherCharacter(ctx, req.Private, before, after, w.Object(), diags)
	replaces, takesOver := r.changes(req, imported)
	switch {
	case diags.HasError():
		return
	case replaces || !after.Equal(before):
		diags.Append(w.Leave(ctx, resp.Private)...)
		w.PlanReplacement(after.Equal(before), diags)
		r.warnOfStart(diags)
		return
	}
	next.PlanUpdate(imported, takesOver, diags)
	model, _ := next.Parts()
	diags.Append(resp.Plan.Set(ctx, model)...)
}

// changes reports whether an input begins other work, and whether an import
// could not read one.
func (r *WorkResource[W]) changes(req resource.ModifyPlanRequest, imported bool) (replaces, takesOver bool) {
	stored := attributesOf(req.State.Raw)
	planned := attributesOf(req.Plan.Raw)
	for _, name := range r.Inputs {
		before := stored[name]
		after := planned[name]
		switch {
		case before.Equal(after) || isNone(before) && isNone(after):
		case before.IsNull() && imported:
			takesOver = true
		default:
			replaces = true
		}
	}
	return replaces, takesOver
}

// withConfigOf returns a stored object with what the plan configures. Where
// none is stored, no unknown value of the plan can reach the state.
func withConfigOf(plan tfsdk.Plan, stored tftypes.Value) tfsdk.Plan {
	values := attributesOf(stored)
	planned := attributesOf(plan.Raw)
	for name, attribute := range plan.Schema.GetAttributes() {
		if attribute.IsRequired() || attribute.IsOptional() {
			values[name] = planned[name]
		} else if _, is := values[name]; !is {
			values[name] = tftypes.NewValue(planned[name].Type(), nil)
		}
	}
	plan.Raw = tftypes.NewValue(plan.Raw.Type(), values)
	return plan
}

func attributesOf(object tftypes.Value) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	_ = object.As(&values)
	return maps.Clone(values) // they are the object's own
}

func isNone(value tftypes.Value) bool {
	var elements map[string]tftypes.Value
	return value.IsKnown() && value.As(&elements) == nil && len(elements) == 0
}
